#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "model/model.h"
#include "passes/edit/batch_sizes.h"

namespace cryo {

// The nodes that give inputs the size of a batch, in the places of constants.
struct BatchNodes {
  const Model& model;
  uint32_t source;  // a placeholder that has the batch
  int64_t size;     // kUnknownDim: that of what is fed
  FreshNames& names;
  std::vector<std::string>& added;
  std::map<DType, std::string> fed = {};  // the size of what is fed, by type: vectors of one
};

// Returns the input that takes the constant's place:
//
//     [8,49]            Const [3,49]                           for a batch of 3
//                       ConcatV2(Shape(x)[0:1], [49])          for any
//     [8,49]            Const [-1,49]                          for any, of a Reshape
//     zeros [8,4]       Tile(zeros [1,4], [3,1])
//
// Returns nullopt for any batch where the constant is in a loop or branch of TensorFlow 1: what is
// fed is not known there.
std::optional<std::string> with_batch(BatchNodes& nodes, const BatchSize& of);

}  // namespace cryo
