#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "passes/weights/named_weights.h"

namespace cryo {

// The weights of one of several models, sorted by name.
struct ModelWeights {
  std::string model = {};  // its name
  std::vector<NamedWeight> weights = {};
};

// Returns the weights of all models, sorted by name:
//
//     a.ckpt {"conv/w"}   b.ckpt {"head/w"}    --->    {"conv/w", "head/w"}
//
// Fails with "weight-in-several" if a name is in two models.
Result<std::vector<NamedWeight>> merged_weights(const std::vector<ModelWeights>& models,
                                                Diagnostics& diagnostics);

// Returns the weights that the models have in common, each combined (tensor/views): the mean of
// floats, the largest of whole numbers, which are steps. The report names whole numbers that
// differ. Others must be equal. Reads all but the floats.
//
// Fails with "average-mismatch" unless the models have the same names, types and shapes; with the
// fault of a weight.
Result<std::vector<NamedWeight>> mean_weights(const std::vector<ModelWeights>& models,
                                              Diagnostics& diagnostics);

}  // namespace cryo
