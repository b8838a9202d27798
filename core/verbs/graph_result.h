#pragma once

#include "model/model.h"
#include "passes/common/conversion.h"
#include "passes/common/graph_change.h"
#include "passes/common/selection.h"

namespace cryo {

// The model of a verb that reduces a graph to its outputs, `prune` or `freeze`.
struct GraphResult {
  Model model;
  Selection selection = {};    // with the outputs of the model
  GraphChanges changes = {};   // of `inference`; of freeze also of `optimization`, `for_release`
  Conversions converted = {};  // to constants: variables, and placeholders that were set
};

}  // namespace cryo
