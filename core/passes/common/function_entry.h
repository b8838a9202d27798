#pragma once

#include <string>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

// Makes a function of the library an entry point (`--function NAME`): a signature of that name,
// with a call of it in the main graph:
//
//     before  w: VarHandleOp              library  __inference___call___18(x, unknown)
//                                         objects  __call__ is it, and captures w
//     after   w --------v                                signature "__call__": x -> p
//             x: Placeholder --> StatefulPartitionedCall[f = __inference___call___18]
//
// NAME is a function of the library, or the path of an object's function ("encoder/call"). What the
// function captures is found by the SavedModel's objects (passes/common/saved_functions.h).
//
// Fails with "no-such-function" (and those there are), with "several-functions" if an object's
// function has several signatures, with "function-captures" if nothing says what one of its
// arguments captures.
Result<Model> with_function_entry(const Model& model, const std::string& name);

// Returns the selection of the signature that with_function_entry() adds, if there is a function.
Selection with_entry_signature(const Selection& selection);

// "; its functions are ...": those that can be an entry point; empty if there are none.
std::string functions_text(const Model& model);

}  // namespace cryo
