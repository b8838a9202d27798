#pragma once

#include "formats/format.h"

namespace cryo {

// A TensorFlow.js graph model: a folder.
//
//     model.json               {"format": "graph-model", "generatedBy": "2.21.0", "convertedBy":
//     ..,
//                               "signature": {inputs, outputs}, "modelTopology": a GraphDef,
//                               "weightsManifest": [..], "userDefinedMetadata": {..}}
//     group1-shard1of2.bin     the weights (formats/tfjs/tfjs_weights.h), cut every 4 MiB
//     group1-shard2of2.bin
//
// Opened by its model.json, or, as TensorFlow.js before 1.0 kept it, by a weights_manifest.json or
// the tensorflowjs_model.pb beside it. A missing shard is told; the model opens without, and who
// needs the weights that lie there is told again.
//
// Written as it was read where no pass has changed it. Else constants become weights
// (formats/tfjs/tfjs_topology.h), whose bytes are slices of what was read; quantized ones are
// written dequantized. OUT is the model.json, or the folder that gets one.
//
// "layers-model" for a Keras model as JSON, which holds no graph; "not-frozen" where a model to be
// written has variables.
Result<Model> read_tfjs(const Opening& opening, const SourcePtr& file);
Result<Files> write_tfjs(const Model& model, const WriteOptions& options, Diagnostics& diagnostics);
bool is_tfjs_part(std::string_view file, std::string_view other);

// The weights_manifest.json that makes a file tensorflowjs_model.pb the graph of such a model; null
// where there is none.
SourcePtr old_tfjs_manifest(const Opening& opening, const SourcePtr& graph_def);

}  // namespace cryo
