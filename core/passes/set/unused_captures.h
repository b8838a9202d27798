#pragma once

#include <optional>

#include "model/model.h"

namespace cryo {

// Removes arguments that no body uses (graph/functions/function_editor.h), after branches were
// folded: captures of loops, branches and calls that only a removed branch used.
//
//     before  loop: While(i, h, noise, w)        body(i, h, noise, w) -> i, h, noise, w
//     after   loop: While(i, h, w)               body(i, h, w)        -> i, h, w
//
// An argument of a loop is unused if the body only returns it, and if nothing takes that output of
// the loop. The outputs up to one that `named` or the MetaGraphDef names are kept, because a
// tensor's number must not change. Functions that are also used other than by calls keep their
// arguments.
//
// Run prune() to drop nodes that are no longer needed. Returns nullopt if nothing is unused.
// REQUIRES: the library has only functions that are needed (prune() does that).
std::optional<Model> without_unused_captures(const Model& model,
                                             const std::vector<std::string>& named);

}  // namespace cryo
