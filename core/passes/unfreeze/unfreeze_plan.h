#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/variables/variable_nodes.h"
#include "passes/weights/find_weights.h"
#include "tensor/content.h"

namespace cryo {

// A constant on its way to being a variable.
struct PlannedVariable {
  uint32_t node = kNoNode;  // the Const
  NewVariable variable = {};
  std::vector<std::string> collections = {};  // that list it
  Tensor tensor = {};
};

// Returns the variables that weights become, with names, kinds, keys and collections:
//
//     a weight with a record (freeze_record.h)    as the record says
//     a weight without one                        by its own name; a reference if it is read as
//                                                 "w/read", as freezing leaves a reference's read
//
// `style` of the options is the kind of all variables, `rename` gives other names. The nodes around
// the variables have no names yet. No value is read.
//
// Fails if there are no weights, if the style is neither "ref" nor "resource", and if a rule gives
// a name that is taken or that no node can have.
Result<std::vector<PlannedVariable>> plan_variables(const Model& model,
                                                    const std::vector<Weight>& weights,
                                                    const UnfreezeOptions& options,
                                                    FreshNames& fresh_names,
                                                    Conversions& converted);

}  // namespace cryo
