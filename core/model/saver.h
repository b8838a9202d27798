#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "graph/graph.h"
#include "proto/meta_graph.pb.h"
#include "tensor/dtype.h"

namespace cryo {

// A variable as a saver sees it.
struct SavedVariable {
  std::string node = {};  // of the variable; for a resource, of its handle
  std::string read = {};  // the node with its value: a reference variable itself, a resource's read
  bool resource = false;
  DType dtype = DType::kInvalid;
  std::string key = {};    // in the checkpoint
  std::string slice = {};  // of a partitioned variable: its part of the key ("10 20 0,5:0,20")
  bool has_shape = true;   // of its own, which every value must have
  bool copy = false;       // restored; what is saved is the value of another with its key
};

// Adds the nodes by which TensorFlow's tf.train.Saver saves and restores variables (unsharded;
// tensorflow/python/training/saver.py), under "save/", or "save_1/" where that is taken:
//
//     save/Const -> save/SaveV2 (names, slices, variables) -> save/control_dependency
//     save/Const -> save/RestoreV2 -> save/Assign, save/Assign_1, ... -> save/restore_all
//
// and returns the SaverDef that names them. Variables are saved in the order of their keys. What
// saves checkpoints of version V1 is save/save, of op SaveSlices; RestoreV2 reads both.
tensorflow::SaverDef add_saver(std::vector<SavedVariable> variables,
                               tensorflow::SaverDef::CheckpointFormatVersion version,
                               const NodeNames& names, GraphBuilder& builder);

}  // namespace cryo
