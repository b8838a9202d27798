#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

// Restores variables from other keys of the checkpoint ("FROM=TO"): a rule maps a variable's
// key to another key.
//
//     **=**/ExponentialMovingAverage      conv/w takes the value of its moving average
//
// A variable whose renamed key the checkpoint does not have keeps its own, as with TensorFlow's
// variables_to_restore(): statistics have no moving average. A rule without any effect is reported
// as a warning.
//
// Fails with "bad-option" if a rule is invalid (base/pattern/rename.h).
Result<Model> with_renamed_keys(const Model& model, const std::vector<std::string>& rename,
                                Diagnostics& diagnostics);

}  // namespace cryo
