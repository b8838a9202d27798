#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "tensor/dtype.h"

namespace cryo {

// What of a function's signature changes when variables that it is handed become values.
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

// The number that each function of the library is named after, of those that are made anew:
// {"f_12", "g"} -> {"g_frozen_0", "f_frozen_1"}. TensorFlow goes by the number at the end of the
// old name (none comes first), then by what is before it; its own numbers go through the whole
// process, ours begin at 0.
std::map<std::string, std::string> frozen_names(const std::vector<std::string>& converted,
                                                const std::vector<Function>& library);

}  // namespace cryo
