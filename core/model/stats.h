#pragma once

#include <cstdint>

#include "model/model.h"

namespace cryo {

// What a model weighs.
struct Stats {
  uint64_t nodes = 0;  // of the main graph
  uint64_t variables = 0;
  uint64_t constants = 0;
  uint64_t constant_bytes = 0;  // of the constants' values, as stored
  uint64_t bytes = 0;           // of graph and weights, as files would hold them
};

// Reads no tensor.
Stats stats_of(const Model& model);

}  // namespace cryo
