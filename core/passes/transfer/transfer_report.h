#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/transfer/transfer.h"

namespace cryo {

// Fails with "nothing-matched", and with "not-all-matched" where `strict` asks for all, with the
// reason of each variable that is left.
Status check_matched(const Model& model, const Model& from, bool strict,
                     const std::vector<VariableMatch>& matches);

// Reports the variables that take an initial value ("initial-values"): in a note where only
// training needs them, else in a warning.
void report_initial(const Model& model, const std::vector<InitialValue>& initial,
                    Diagnostics& diagnostics);

}  // namespace cryo
