#pragma once

#include <vector>

#include "compat/judge_model.h"

namespace cryo {

// Names, in verdicts on a model, the options of freeze with which targets run it. Each fix was
// tried: freeze was called with its options, and the target judged again. Only older forms of nodes
// (--for) are not made for that: releases/op_downgrades.h has no others.
//
//     1  freeze as it is            training, savers, variables and calls of functions are removed
//     2  what the blockers name     --lower-control-flow, --drop-checks, ...
//     3  --fold-constants           for a runtime that does not fold them
//     4  --fold-constants and --fold-batch-norm
//     5  --inference
//     6  a cut                      a part of the graph: none of the others helps
//
// The first that helps is a target's fix; 1 to 5 keep all outputs. A cut is no fix: it is
// TargetVerdict::cut, with the layers that it is without. A blocker has as its fix what removes it,
// also where another blocker remains.
//
// `verdicts`: of all targets, by judge_model(). A model that cannot be frozen has no fixes but
// those of its nodes.
void find_fixes(const Model& model, const Targets& targets, const OpRegistry& ops,
                std::vector<TargetVerdict>& verdicts);

}  // namespace cryo
