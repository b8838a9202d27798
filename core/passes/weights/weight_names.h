#pragma once

#include <string_view>

namespace cryo {

// A hint in a constant's name about its purpose:
//
//     conv1/kernel, W_conv1, b2, ln/layer_norm_bias    kWeight
//     bn/moving_mean, running_var                      kStatistics
//     sub/y, Const_12                                  kLiteral: as Python's operators and
//                                                      tf.constant() name values
enum class NameHint { kNone, kWeight, kStatistics, kLiteral };
NameHint name_hint(std::string_view name);

}  // namespace cryo
