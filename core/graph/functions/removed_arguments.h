#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/functions/call_sites.h"

namespace cryo {

// A function without some of its arguments, and its calls without the inputs for those:
//
//     before  body(i, h, unused) -> i, h, unused        loop: While(i, h, w)
//     after   body(i, h)         -> i, h                loop: While(i, h)
//
// A While's body loses the returns of the same places too.
struct RemovedArguments {
  std::vector<bool> places = {};  // of each argument: true if it is removed
  bool loop_body = false;
};

// Returns the place that an argument has afterwards.
uint64_t place_after(const std::vector<bool>& removed, uint64_t place);

// Returns the changed FunctionDef; its other fields are kept. `node_defs`: all nodes of the body,
// after the change. `renamed`: return values that have another text: "loop:output:3".
std::string without_arguments(const Function& function, const FunctionView& view,
                              const RemovedArguments& removed,
                              const std::vector<std::string>& node_defs,
                              const std::map<std::string, std::string>& renamed);

// Returns a call whose functions were changed so, with all its new inputs.
std::string call_without_arguments(const Node& node, const FunctionCaller* caller,
                                   std::vector<std::string> inputs,
                                   const std::vector<bool>& removed);

}  // namespace cryo
