#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "tensor/dtype.h"

namespace cryo {

// The changes of a function's signature when arguments that are variables become values.
struct Retyping {
  std::string name = {};                    // the new function's
  std::map<uint32_t, DType> args = {};      // by place; their shapes become unknown
  std::map<uint32_t, DType> returns = {};   // by place
  std::vector<std::string> node_defs = {};  // the new body
};

// The FunctionDef with another signature and body, all else as it was, not canonical
// (wire/canonical.h). Fails where TensorFlow's freeze_graph does.
//
//     f(w: resource)  _input_shapes: [[]]     -->     f_frozen_0(w: float)  _input_shapes: [?]
Result<std::string> retyped_function(const Function& function, const Retyping& retyping);

// Returns the names of rebuilt functions, with the number that each gets: {"f_12", "g"} ->
// {"g_frozen_0", "f_frozen_1"}. TensorFlow sorts by the number at the end of the old name (no
// number comes first), then by the rest. Its own numbers count through the whole process, these
// begin at 0.
std::map<std::string, std::string> frozen_names(const std::vector<std::string>& converted,
                                                const std::vector<Function>& library);

}  // namespace cryo
