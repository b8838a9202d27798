#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace cryo {

// Marks a string Const whose value is the prefix of the checkpoint that the graph is written with:
// what initializers of un-frozen variables restore from (passes/variables/variable_initializers.h).
constexpr std::string_view kWrittenPrefixAttr = "_cryograph_checkpoint";

// The model with this prefix in all such constants; the model itself where they have it already.
// TensorFlow takes a prefix relative to the working directory.
Model with_written_prefix(const Model& model, const std::string& prefix);

}  // namespace cryo
