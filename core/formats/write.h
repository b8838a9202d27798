#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

// One file of an output: fresh bytes and slices of the inputs. The host writes it under a temporary
// name and renames it.
struct OutputFile {
  std::string path = {};
  Splice content = {};
};

struct WriteOptions {
  std::string as = {};   // "pb", "meta", "checkpoint"; empty: by the ending of `out`
  std::string out = {};  // the path as the person gave it
  // Bytes of a TensorFlow.js model's weight files, 0: 4 MiB; of a checkpoint's data files, 0: all
  // in one.
  uint64_t shard_size = 0;
};

// Returns true if these options request a format that holds weights and no graph.
bool is_for_arrays(const Model& model, const WriteOptions& options);

// Returns true if these options request a format that holds a graph and nothing around it.
bool is_for_graph_alone(const Model& model, const WriteOptions& options);

// Returns the name of the format that these options request, as --as takes it; within a .zip, that
// of its members. Fails with "unknown-format".
Result<std::string_view> format_name(const Model& model, const WriteOptions& options);

// Returns true if these options request a SavedModel.
bool is_for_saved_model(const Model& model, const WriteOptions& options);

// Return true if the requested format has signatures, or collections (formats/format.h), or if no
// format is requested.
bool writes_signatures(const Model& model, const WriteOptions& options);
bool writes_collections(const Model& model, const WriteOptions& options);

// Returns the model as files:
//
//     pb          OUT: the GraphDef
//     meta        OUT: the MetaGraphDef
//     checkpoint  OUT.meta, OUT.data-00000-of-00001, ..., OUT.index   (OUT ends in ".ckpt", say)
//     checkpoint-v1  OUT, OUT.meta: for TensorFlow before 0.12; only by name
//     savedmodel  OUT/saved_model.pb, OUT/variables/...
//     meta-pbtxt, savedmodel-pbtxt   the same as text: OUT (.meta.pbtxt), OUT (saved_model.pbtxt)
//     npz, safetensors   OUT
//     npy         OUT/conv/w.npy, ...: only by name    (of one weight OUT, ending in ".npy")
//     tfjs        OUT, group1-shard1of1.bin, ...        (OUT ends in ".json", or is the folder)
//
// OUT ending in ".zip" is one file with these in it, stored: "m.ckpt.zip" holds a checkpoint,
// "m.zip" the format of `as`, a folder under its own name (m/saved_model.pb).
//
// Reads no tensor, with two exceptions: its checksum is not known (weights that come from
// constants), or a zip file needs one. A meta or checkpoint whose graph has lost its saver gets a
// new one for the remaining variables, so that the output can be restored.
//
// Fails if the format cannot hold the model, and for messages over 2 GiB, before anything is
// written.
Result<std::vector<OutputFile>> write(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics);

}  // namespace cryo
