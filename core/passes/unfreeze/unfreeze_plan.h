#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "passes/pass.h"
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

// The weights as variables, with the names, kinds, keys and collections
// of those:
//
//     with a record (freeze_record.h)    as that says
//     without one                        by their own names; references where one is read as
//                                        "w/read", as freezing leaves a reference's read
//
// `style` of the options is the kind of all, `rename` gives other names. The nodes around the
// variables have no names yet. Nothing of the values is read.
//
// Fails where there are no weights, where the style is neither "ref" nor "resource", and where a
// rule gives a name that is taken or that no node can have.
Result<std::vector<PlannedVariable>> plan_variables(const Model& model, const NodeNames& names,
                                                    const std::vector<Weight>& weights,
                                                    const PassOptions& options,
                                                    FreshNames& fresh_names, PassLog& log);

}  // namespace cryo
