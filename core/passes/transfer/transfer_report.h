#pragma once

#include "passes/pass_log.h"

namespace cryo {

// The report of a transfer: the outcome for each variable (`PassLog::fates`, `PassLog::initial`).

// Fails with "nothing-matched", and with "not-all-matched" where `strict` asks for all, with the
// reason of each variable that is left.
Status check_matched(const Model& model, const Model& from, bool strict, const PassLog& log);

// Reports the variables that take an initial value ("initial-values"): in a note where only
// training needs them, else in a warning.
void report_initial(const Model& model, PassLog& log);

}  // namespace cryo
