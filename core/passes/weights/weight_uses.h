#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace cryo {

// A node's use of a tensor: evidence that the tensor is a weight.
struct WeightUse {
  enum Kind {
    kNone,        // says nothing
    kWeight,      // as a kernel, a bias, a table to look up in, ...
    kStatistics,  // as what training does not change by gradient: a mean, a variance
    kOperand,     // in arithmetic: a bias written as Add, or a constant of the model
    kRange,       // as the end of a quantization range
    kHandedOn,    // it comes out again, perhaps in another form
    kRead,        // by what was the ReadVariableOp of a handle, and in no other way that tells
  };
  Kind kind = kNone;
  std::string_view op = {};    // of the node that takes it, perhaps in a function's body
  std::string_view node = {};  // its name
  uint32_t input = 0;
  std::string_view read = {};  // the former ReadVariableOp of a handle on the way there
};

// The number of consumers that are checked: a constant that one of the first thousand does not use
// as a weight is not one. Otherwise many constants in a list with many consumers would take
// quadratic time.
constexpr int kMaxConsumers = 1000;

// Returns true if an Identity has the name that TensorFlow gives the read of a variable's handle:
// "cond/Read/ReadVariableOp_1".
bool was_read(const Node& node);

// Knows the ops that take weights, and looks into the library functions that nodes call.
// REQUIRES: the graph outlives it.
class WeightUses {
 public:
  explicit WeightUses(const Graph& graph);

  WeightUse of(const Node& node, uint32_t input);

 private:
  WeightUse in_calls(const Node& node, uint32_t input);
  WeightUse in_function(std::string_view name, uint32_t argument);
  WeightUse in_body(const Function& function, std::string_view argument);

  std::unordered_map<std::string_view, const Function*> functions_;
  std::map<std::pair<std::string_view, uint32_t>, WeightUse> known_;  // by function and argument
};

}  // namespace cryo
