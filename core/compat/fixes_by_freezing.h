#pragma once

#include <string_view>

#include "compat/verdict.h"

namespace cryo {

// Returns true if the fixes of a verdict depend on what freezing makes of the graph: blockers that
// have none, and calls and control flow, in whose place there are then other nodes.
bool needs_frozen(const TargetVerdict& verdict);

// Names `fix`, an option of freeze, as the fix of blockers that have none, if freezing removes
// them: of nodes that are pruned, or that have a form for the target once calls of their function
// are inlined.
//
// `frozen`: the verdict of the same target on the frozen graph, with calls inlined and control flow
// lowered. No fix is named if the target refuses that graph for a cause that `verdict` does not
// have; if the cause has no fix, calls and control flow have none either.
void add_fixes(TargetVerdict& verdict, const TargetVerdict& frozen, std::string_view fix);

}  // namespace cryo
