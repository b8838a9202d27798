#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/functions/call_sites.h"
#include "graph/functions/function_editor.h"

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
std::vector<Capture> captured_by(const Function& function, const FunctionBody& view);

// Adds captures after the arguments; a While's body returns them.
void add_captures(FunctionEditor& editor, const std::vector<Capture>& captures, bool is_loop_body);

// Removes the last `count` arguments.
void remove_captures(FunctionEditor& editor, size_t count, bool is_loop_body);

// Returns the places of the last `count` arguments, as ArgumentChange::removed has them.
std::vector<bool> last_places(size_t arguments, size_t count);

}  // namespace cryo
