#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/evaluate/known_tensor.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// A constant input that holds the size of a batch:
//
//     Reshape(x, [8,49])    8         Tile(table, [8,1,1])    8         Range(0, 8, 1)    8
//     Reshape(x, [392,1])   49 * 8    Concat(x, zeros [8,4])  as many equal rows
struct BatchSize {
  uint32_t node = 0;
  uint32_t input = 0;
  uint32_t constant = 0;   // the node that the input is
  int64_t factor = 1;      // the first element is this many batches
  bool is_rows = false;    // the constant's first dimension is the batch, and its rows are equal
  KnownTensor value = {};  // of sizes; of rows it is empty
};

// A node that may hold the size of a batch, and stays as it is.
struct KeptSize {
  uint32_t node = 0;
  std::string why = {};
};

struct BatchSizes {
  std::vector<BatchSize> found = {};
  std::vector<KeptSize> kept = {};
};

// Finds the constants of a main graph that hold the size of a batch, as they show when shapes are
// inferred with another one:
//
// - the sizes of a Reshape, a Slice or a transposed convolution, if its input begins with the batch
// - sizes, counts and rows without which the shapes of the graph do not fit any more
//
// Kept: nodes that take no other size (Unpack); those whose input has no known shape; and what is a
// size, of more than one, that nothing in the graph shows to be the batch's.
//
// `inputs`: placeholders whose first dimension is the batch, `before`. `ops`: to infer shapes;
// null: nothing is found.
BatchSizes find_batch_sizes(const Model& model, const std::vector<uint32_t>& inputs, int64_t before,
                            const OpRegistry* ops);

}  // namespace cryo
