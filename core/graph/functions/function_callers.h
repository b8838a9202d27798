#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node.h"

namespace cryo {

// An op that passes its inputs to functions of the library.
struct FunctionCaller {
  std::string_view op;
  uint32_t first;                             // input that is the functions' argument 0
  std::string_view inputs;                    // attribute: types of those inputs
  std::string_view outputs;                   // attribute: types of the outputs
  std::array<std::string_view, 2> functions;  // attributes that name the functions
  bool loop;                                  // outputs are the inputs of the next turn
};

// nullptr for any other op.
const FunctionCaller* find_caller(std::string_view op);

// Returns the names of the functions that the node passes its inputs to.
std::vector<std::string_view> functions_of(const Node& node, const FunctionCaller& caller);

// An AttrValue that names functions, with other names in their places: each name is looked for in
// `from` and becomes that of `to`.
std::string renamed_functions(std::string_view attr_value,
                              const std::vector<std::string_view>& from,
                              const std::vector<std::string>& to);

}  // namespace cryo
