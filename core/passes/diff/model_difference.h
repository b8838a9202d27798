#pragma once

#include <optional>

#include "passes/diff/structure_difference.h"
#include "passes/pass.h"
#include "tensor/difference.h"

namespace cryo {

// A weight of a model and the one of another that it is compared with.
struct ComparedWeight {
  std::string name = {};   // in a
  std::string other = {};  // in b
  std::string why = {};    // they are one
  DType dtype = DType::kInvalid;
  Shape shape = {};
  DType other_dtype = DType::kInvalid;
  Shape other_shape = {};
  uint64_t elements = 0;

  // Of their values; nothing where types or shapes differ, for then nothing was read.
  std::optional<Difference> difference = {};
};

struct WeightsDifference {
  std::vector<ComparedWeight> equal = {};  // bit for bit
  std::vector<ComparedWeight> differing = {};
  std::vector<std::string> missing = {};  // of a, that b has not
  std::vector<std::string> extra = {};    // of b, that a has not
};

struct ModelDifference {
  std::optional<StructureDifference> structure = {};  // nothing where one side has no graph
  WeightsDifference weights = {};
  bool damaged = false;  // some weights could not be compared, or their checksums are wrong

  bool equal() const {
    return (!structure || structure->equal()) && weights.differing.empty() &&
           weights.missing.empty() && weights.extra.empty();
  }
};

// Compares two models, across forms: the structure of their graphs, and their weights by name, bit
// for bit.
//
//     a   w: VariableV2, its value in a checkpoint     w, b
//     b   w: Const                                     w, b
//         structure: w changed (op, attributes)        weights: equal
//
// Weights find each other as a transfer finds them (weight_pairing.h): `rename` gives those of `a`
// other names, `match` pairs what names leave over, `no_slots` and `exclude` leave weights out,
// `constants` chooses those among constants. Of both models in one reading of each weight, in
// bounded steps; a damaged weight is told and the others are compared. `checksum`: reads also what
// there is nothing to compare with.
//
// Fails as reading does, and with what renaming fails with.
Result<ModelDifference> diff(const Model& a, const Model& b, const PassOptions& options,
                             bool checksum, Diagnostics& diagnostics);

}  // namespace cryo
