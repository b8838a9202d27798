#pragma once

#include "passes/pass.h"

namespace cryo {

// The verb `prune`: keeps what the outputs need, back to the inputs (passes/prune/pruner.h). Values
// are set before (passes/set/set_values.h), cleanups made after (passes/prune/cleanup.h). The
// outputs are chosen as in passes/common/select_outputs.h, on which the log reports.
Result<Model> prune(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
