#pragma once

#include "formats/format.h"

namespace cryo {

// A TensorFlow.js graph model: a folder.
//
//     model.json               {"format": "graph-model", "generatedBy": "2.21.0",
//                               "convertedBy": .., "signature": {inputs, outputs},
//                               "modelTopology": a GraphDef, "weightsManifest": [..],
//                               "userDefinedMetadata": {..}}
//     group1-shard1of2.bin     the weights (formats/tfjs/tfjs_weights.h), cut every 4 MiB
//     group1-shard2of2.bin
//
// Opened by its model.json. A model of TensorFlow.js before 1.0 is opened by its
// weights_manifest.json or the tensorflowjs_model.pb next to it. A missing shard is reported; the
// model opens without it, and reading a weight of that shard fails.
//
// Written as it was read if no pass has changed it. Otherwise constants become weights
// (formats/tfjs/tfjs_topology.h), whose bytes are slices of the input; quantized weights are
// written dequantized. OUT is the model.json, or the folder that gets one.
//
// Fails with "layers-model" for a Keras model as JSON, which has no graph; with "not-frozen" if a
// model to be written has variables.
Result<Model> read_tfjs(const OpenContext& context, const SourcePtr& file);
Result<Files> write_tfjs(const Model& model, const WriteOptions& options, Diagnostics& diagnostics);
bool is_tfjs_part(std::string_view file, std::string_view other);

// Returns the weights_manifest.json that makes a file tensorflowjs_model.pb the graph of such a
// model; null if there is none.
SourcePtr old_tfjs_manifest(const OpenContext& context, const SourcePtr& graph_def);

}  // namespace cryo
