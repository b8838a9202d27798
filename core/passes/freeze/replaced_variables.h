#pragma once

#include <map>
#include <string>

#include "base/diagnostic.h"
#include "model/model.h"
#include "model/variables.h"
#include "passes/common/conversion.h"
#include "passes/common/freeze_record.h"
#include "passes/common/initializers.h"
#include "passes/prune/kept_variables.h"
#include "tensor/content.h"

namespace cryo {

// The value of a variable that is frozen.
struct FrozenValue {
  Variable variable;
  Tensor tensor;
  std::string first =
      {};  // the tensor that it is assigned when the model is loaded; replaces `tensor`
};
using FrozenValues = std::map<std::string, FrozenValue>;

// Every variable of the graph that is to be frozen, by name, with its value. Fails if variables
// have no value, naming all of them.
Result<FrozenValues> frozen_values(const Model& model, const VariableSelection& selection,
                                   const Initializers& initializers, Diagnostics& diagnostics);

// Replaces these variables by constants of their values, and reads of them by the nodes that take a
// value. `records`: what each variable was, to be left on its constant; null leaves none.
// REQUIRES: the model is pruned to `outputs`.
Result<Model> replace_variables(const Model& pruned, const std::vector<std::string>& outputs,
                                const FrozenValues& values, const FreezeRecords* records,
                                const Initializers& initializers, Conversions& converted);

}  // namespace cryo
