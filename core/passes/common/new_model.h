#pragma once

#include <memory>
#include <utility>

#include "model/model.h"

namespace cryo {

inline Model& model_of(Model& model) { return model; }
template <typename Made>
Model& model_of(Made& made) {
  return made.model;
}

// Returns what a verb makes of a copy of a model, `make(copy)`: a model, or a struct with one.
// Bytes that it makes are kept with the new model, not with the old one, which may live longer.
template <typename Make>
auto new_model(const Model& model, Make make) -> decltype(make(model)) {
  Model copy = model;
  copy.payloads = std::make_shared<Payloads>(model.payloads);
  auto made = make(std::as_const(copy));
  if (made && model_of(*made).payloads->adds_nothing()) model_of(*made).payloads = model.payloads;
  return made;
}

}  // namespace cryo
