#pragma once

#include "passes/pass.h"

namespace cryo {

// Variables take their values from other keys of the checkpoint (`options.rename`): a rule says
// what of a variable's key becomes which key.
//
//     **=**/ExponentialMovingAverage      conv/w takes the value of its moving average
//
// A variable whose renamed key the checkpoint does not have keeps its own, as TensorFlow's
// variables_to_restore() has it: statistics have no moving average. A rule that gave nobody a value
// is warned of.
//
// Fails with "bad-option" where a rule is none (base/pattern/rename.h).
Result<Model> with_renamed_keys(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
