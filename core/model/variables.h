#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/content.h"

namespace cryo {

// A variable of the main graph.
struct Variable {
  uint32_t node = 0;  // index of the Variable, VariableV2 or VarHandleOp
  std::string name = {};
  bool resource = false;
  DType dtype = DType::kInvalid;  // as the node declares them
  Shape shape = {};
  std::string key = {};    // the checkpoint's name for its value
  std::string slice = {};  // which part of that, "10 20 0,5:0,20"; empty: all of it
  bool trainable = false;
  std::string weight = {};   // the name of its value: `name`, except in SavedModels of TensorFlow 2
  std::string copy_of = {};  // the variable whose value it holds too, for the saver alone; or empty
};

// All variables of the main graph, in its order. The key of each is taken from the restore op that
// assigns it (SaverDef's; the names given to Saver({...}) are only there), else it is the
// variable's own name. Copies and names of weights: saved_variables.h. Formats: formats of Saver
// subgraphs and of SaveV2's shape_and_slices are tensorflow/python/training/saver.py's and
// tensorflow/core/util/saved_tensor_slice_util.
std::vector<Variable> variables_of(const Model& model);

// Returns the name by which TensorFlow shares a variable's value among nodes of one kind:
// `container/shared_name`, and for a reference without one the node's name.
std::string shared_name_of(const Node& variable);

// A variable's value, by name: dtype and shape as the checkpoint has them, content in the
// checkpoint's layout. Fails where the checkpoint is missing, lacks the key, or holds another dtype
// or shape than the node declares.
Result<Tensor> value_of(const Model& model, const Variable& variable);

// Returns the values to write with the model. With a graph these are the values of its variables,
// and, if no pass has changed it or its saver is still that of TensorFlow 2, all others that are
// available, above all those of objects. Without a graph all are written.
std::vector<const CheckpointEntry*> values_to_write(const Model& model);

}  // namespace cryo
