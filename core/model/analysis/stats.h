#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "model/model.h"

namespace cryo {

// Counts and sizes of a model.
struct Stats {
  uint64_t nodes = 0;  // of the main graph
  uint64_t variables = 0;
  uint64_t constants = 0;
  uint64_t constant_bytes = 0;  // of the constants' values, as stored
  uint64_t bytes = 0;           // of graph and weights, as files would hold them
};

// Reads no tensor.
Stats stats_of(const Model& model);

// Returns the bytes of the weights that are present, constants and values of variables, by the
// outermost scope of their names; "" is for names without one:
//
//     conv/w  24 bytes   conv/b  8   step  8        --->   {"": 8, "conv": 32}
//
// Other tensors of a checkpoint count by their keys. Reads no tensor.
std::map<std::string, uint64_t> bytes_by_scope(const Model& model);

// Returns the size of a constant's value, as a checkpoint would store it.
uint64_t value_bytes(const Node& constant, const Payloads& payloads);

}  // namespace cryo
