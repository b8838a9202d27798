#pragma once

#include "validate/graph/body.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"

namespace cryo {

// The library's functions, as far as nodes come to them:
//
//   by calls from the main graph, through any depth     import looks into the body: faults are
//   errors in another way (branches of an If, bodies of a While, functions of datasets, functions
//   that nothing here names)
//                                                       import does not look: faults are warnings
//
// Also calls of functions that are not there, and functions that call themselves (which crash the
// importer). Gives back the good bodies that import looks into; none where functions call
// themselves.
BodyGraphs check_functions(const std::vector<Node>& nodes, KnownOps& ops, const Payloads& payloads,
                           Findings& findings);

}  // namespace cryo
