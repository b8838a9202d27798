#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node.h"

namespace cryo {

// How an op runs the functions that it names: the one, one of several, or one again and again
// while another says so. A loop's outputs are the inputs of its next turn.
enum class CallKind : uint8_t { kCall, kBranch, kLoop };

// An op that passes its inputs to functions of the library. This is the one table of them.
struct FunctionCaller {
  std::string_view op;
  CallKind kind;
  uint32_t first;                             // input that is the functions' argument 0
  std::string_view inputs;                    // attribute: types of those inputs
  std::string_view outputs;                   // attribute: types of the outputs
  std::array<std::string_view, 2> functions;  // attributes that name the functions

  bool loop() const { return kind == CallKind::kLoop; }
};

// nullptr for any other op.
const FunctionCaller* find_caller(std::string_view op);

// PartitionedCall and StatefulPartitionedCall, whose attribute `f` names the function.
bool is_call(std::string_view op);
// If, Case and their stateless forms.
bool is_branch(std::string_view op);
// While and its stateless form.
bool is_while(std::string_view op);
// A branch or a loop.
bool is_functional_control_flow(std::string_view op);

// Returns the names of the functions that the node passes its inputs to.
std::vector<std::string_view> functions_of(const Node& node, const FunctionCaller& caller);

// An AttrValue that names functions, with other names in their places, nested ones included: each
// name is looked for in `from` and becomes that of `to`.
std::string renamed_functions(std::string_view attr_value,
                              const std::vector<std::string_view>& from,
                              const std::vector<std::string>& to);

}  // namespace cryo
