#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

// Moving averages of weights, as tf.train.ExponentialMovingAverage saves them:
//
//     conv/weights                              the weight
//     conv/weights/ExponentialMovingAverage     its average, of the same type and shape

// Returns true if the name is that of such an average.
bool is_average_name(std::string_view name);

// Gives each weight of the checkpoint the value of its average, where it has one; also a weight
// that was saved as an average alone. The averages themselves stay. A note counts the weights that
// have none. Fails with "no-averages" if none has one. Reads no tensor.
Result<Model> with_averaged_weights(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
