#pragma once

#include <vector>

#include "graph/walk.h"
#include "model/model.h"

namespace cryo {

// The initializers of a model: nodes that fill tables, and the ops that its meta names for loading.
//
//     hash_table <-- InitializeTableV2 <-- init_all_tables: NoOp --> InitializeTableV2 --> other
//
// A step is an op that does something to a table or a variable, here InitializeTableV2; a group is
// a NoOp that only waits for steps.
struct InitializerSteps {
  std::vector<uint32_t> steps = {};
  std::vector<uint32_t> groups = {};
};
InitializerSteps initializer_steps(const Model& model);

// Returns initializer steps that are not kept although the table or variable they fill is.
std::vector<uint32_t> missing_steps(const Graph& graph, const InitializerSteps& initializers,
                                    const NodeSet& kept);

// Returns groups that are not kept although one of their control inputs is.
std::vector<uint32_t> missing_groups(const Graph& graph, const InitializerSteps& initializers,
                                     const NodeSet& kept);

}  // namespace cryo
