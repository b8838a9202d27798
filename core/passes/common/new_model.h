#pragma once

#include <memory>
#include <utility>

#include "model/model.h"
#include "passes/pass_log.h"

namespace cryo {

// Returns the model that a verb makes of a copy, `make(copy)`. Bytes that it makes are kept with
// the new model, not with the old one, which may live longer.
template <typename Make>
Result<Model> new_model(const Model& model, const PassLog& log, Make make) {
  Model copy = model;
  copy.payloads = std::make_shared<Payloads>(model.payloads);
  Result<Model> made = make(std::as_const(copy));
  if (!made) return made;
  if (made->payloads->adds_nothing()) made->payloads = model.payloads;
  if (!log.outputs.empty()) made->outputs = log.outputs;
  return made;
}

}  // namespace cryo
