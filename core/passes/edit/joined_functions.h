#pragma once

#include <string>
#include <vector>

#include "passes/edit/renamed_nodes.h"

namespace cryo {

// The library of a second model, next to that of a first:
//
//     first  f, g     second  f (the same), g (another), h     --->     f, g, g_1, h
//
// A function that calls a renamed one is another one, too.
struct JoinedFunctions {
  std::vector<std::string> added = {};  // FunctionDefs
  NewNames names = {};                  // of those that were renamed
  std::vector<Gradient> gradients = {};
  std::vector<Gradient> registered = {};
};

// `payloads`: of both graphs. Fails as reading their bulk does.
Result<JoinedFunctions> joined_functions(const Graph& first, const Graph& second,
                                         const Payloads& payloads);

// Returns the node with new names of the functions that it calls or names.
std::string with_renamed_functions(const Node& node, const NewNames& names);

}  // namespace cryo
