#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/functions/call_sites.h"
#include "graph/functions/function_callers.h"
#include "tensor/dtype.h"

namespace cryo {

// An additional argument of a function, after its own: for a constant of its body, or to be passed
// on to a function that it calls.
//
//     f(x) -> y                     f(x, w) -> y       argument 1: {_cryograph_constant: "0:w"}
//       w: Const            <-->      MatMul(x, w)
//       MatMul(x, w:output:0)
//
// The attribute, which TensorFlow ignores, has the name of the constant that the argument replaces,
// and its position in the body.
struct Capture {
  std::string arg = {};
  DType dtype = DType::kInvalid;
  std::string constant = {};  // empty: it is only passed on
  size_t place = 0;
};

constexpr std::string_view kCaptureAttr = "_cryograph_constant";

// The captures among a function's last arguments, in order; without their types.
std::vector<Capture> captured_by(const Function& function, const FunctionView& view);

// A change of a function: captures are added after its arguments, or some are removed there. A
// While's body returns its arguments.
struct FunctionChange {
  std::vector<std::string> node_defs = {};          // all of them, after the change
  std::map<std::string, std::string> rewired = {};  // changed return values: "w:output:0"
  std::vector<Capture> added = {};
  size_t taken = 0;
  bool loop_body = false;
};

// Returns the changed FunctionDef; its other fields are kept.
std::string changed_function(const Function& function, const FunctionView& view,
                             const FunctionChange& change);

// Returns a call whose functions were changed so, with all its new inputs. `caller`: null if its op
// is the function.
std::string changed_call(const Node& node, const FunctionCaller* caller,
                         std::vector<std::string> inputs, const std::vector<DType>& added,
                         size_t taken);

}  // namespace cryo
