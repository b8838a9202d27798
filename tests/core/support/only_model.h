#pragma once

#include <utility>

#include "model/model.h"

namespace cryo {

// Returns the model alone of what a verb made.
template <typename Made>
Result<Model> only_model(Result<Made> made) {
  if (!made) return std::move(made).failure();
  return std::move(made->model);
}

}  // namespace cryo
