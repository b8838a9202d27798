#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <vector>

#include "model/model.h"

namespace cryo::fuzz {

// Changes to a model, as bytes of the fuzzer choose them. They keep the model's form, so that they
// reach what is past the readers; the result need not be a graph that TensorFlow imports.

// Changes up to a few bytes of the files, with their checksums made right.
std::vector<SourcePtr> edited(const std::vector<SourcePtr>& files, FuzzedDataProvider& choices);

// Changes up to a few nodes: their names, ops, devices, inputs and attributes, taken from each
// other.
Model edited(const Model& model, FuzzedDataProvider& choices);

}  // namespace cryo::fuzz
