#pragma once

#include <cstdint>
#include <map>
#include <string>

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

// Bytes of the weights that are here, constants and values of variables, by the outermost scope of
// their names; "" is for names without one:
//
//     conv/w  24 bytes   conv/b  8   step  8        --->   {"": 8, "conv": 32}
//
// What a checkpoint holds besides goes by its key. Reads no tensor.
std::map<std::string, uint64_t> bytes_by_scope(const Model& model);

}  // namespace cryo
