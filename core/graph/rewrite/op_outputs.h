#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cryo {

// The outputs of an op by name, without the op registry, which is not loaded when a model is
// opened: "values,indices"; "output*" for one of several tensors.
struct OpOutputs {
  std::string_view op;
  std::string_view names;
};

// Returns the rows of the ops that translations make (scripts/rule_outputs.py).
std::span<const OpOutputs> op_outputs();

// Returns a tensor as nodes in functions name it: "split:output:1". An op that is not listed has
// one output of this name, "output".
std::string tensor_in_function(std::string_view node, std::string_view op, uint32_t port);

}  // namespace cryo
