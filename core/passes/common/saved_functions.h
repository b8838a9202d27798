#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/shape.h"

namespace cryo {

// An argument or a result of a function, as Python has it.
struct FunctionValue {
  std::string name = {};
  Shape shape = {true, {}};
};

// A function of a SavedModel's objects: a tf.function, for one signature. Its captures are the last
// arguments of the library function.
//
//     module.logits(x)    path "logits", function "__inference_logits_17", captures w, b
struct SavedFunction {
  std::string function = {};  // of the library
  std::string path = {};      // of the object: "logits", "encoder/call"; empty: no object has it
  std::vector<FunctionValue> inputs = {};  // without captures
  std::vector<FunctionValue> outputs = {};
  std::vector<std::string> constants = {};  // Python values that were arguments: "True"
  std::vector<uint32_t> captures = {};      // objects
};

// Returns the functions of the model's object graph that an object has, by path. Of a graph without
// objects none.
std::vector<SavedFunction> saved_functions(const Model& model);

// "__call__(x [?,4], True) -> p"
std::string to_text(const SavedFunction& function);

// Returns for each object the tensor of the main graph that stands for it: a variable's handle, a
// constant, the path of an asset. Empty for others.
std::vector<std::string> tensors_of_objects(const Model& model);

}  // namespace cryo
