#pragma once

#include <memory>
#include <utility>

#include "model/model.h"

namespace cryo {

inline Model& made_model(Model& model) { return model; }
template <typename Made>
Model& made_model(Made& made) {
  return made.model;
}

// Returns what a verb makes of a copy of a model, `make(copy)`: a model, or a struct with one.
// Bytes that it makes are kept with the new model, not with the old one, which may live longer.
template <typename Make>
auto new_model(const Model& model, Make make) -> decltype(make(model)) {
  Model copy = model;
  copy.payloads = std::make_shared<Payloads>(model.payloads);
  auto made = make(std::as_const(copy));
  if (made && made_model(*made).payloads->adds_nothing())
    made_model(*made).payloads = model.payloads;
  return made;
}

}  // namespace cryo
