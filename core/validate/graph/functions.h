#pragma once

#include "validate/graph/body.h"
#include "validate/graph/findings.h"
#include "validate/graph/library.h"

namespace cryo {

// Checks the library's functions that nodes reach:
//
//   by calls from the main graph, through any depth     import checks the body: faults are errors
//   in another way (branches of an If, bodies of a While, functions of datasets, functions
//   that nothing here names)
//                                                       import does not: faults are warnings
//
// Also reports calls of missing functions, and functions that call themselves (which crash the
// importer). Returns the valid bodies that import checks; none if functions call themselves.
BodyGraphs check_functions(const std::vector<Node>& nodes, KnownOps& ops, const Payloads& payloads,
                           Findings& findings);

}  // namespace cryo
