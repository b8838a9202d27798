#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/weight_selection.h"
#include "passes/diff/structure_difference.h"
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

  // The difference of their values; nullopt if types or shapes differ, for then nothing was read.
  std::optional<Difference> difference = {};
};

struct WeightsDifference {
  std::vector<ComparedWeight> equal = {};  // bit for bit
  std::vector<ComparedWeight> differing = {};
  std::vector<std::string> missing = {};  // of a, that b has not
  std::vector<std::string> extra = {};    // of b, that a has not
};

struct DiffOptions {
  WeightSelection weights = {};          // `exclude`: among all weights
  std::vector<std::string> rename = {};  // "FROM=TO", of `a` (base/pattern/rename.h)
  std::vector<std::string> match = {};   // "value", "shape": pair what names leave
  bool no_slots = false;                 // without optimizer state
  bool weights_alone = false;            // without structure, slots and step counters
  bool checksum = false;                 // weights without a counterpart are read, too
};

struct ModelDifference {
  std::optional<StructureDifference> structure = {};  // nullopt if it is not compared
  WeightsDifference weights = {};
  bool damaged = false;  // some weights could not be compared, or their checksums are wrong

  bool equal() const {
    return (!structure || structure->equal()) && weights.differing.empty() &&
           weights.missing.empty() && weights.extra.empty();
  }
};

// Compares two models, across formats: the structure of their graphs, and their weights by name,
// bit for bit.
//
//     a   w: VariableV2, its value in a checkpoint     w, b
//     b   w: Const                                     w, b
//         structure: w changed (op, attributes)        weights: equal
//
// Weights are paired as in a transfer (weight_pairing.h): `rename` gives those of `a` other names,
// `match` pairs the ones that names leave, `no_slots` and `exclude` exclude weights, `constants`
// selects among constants. Each weight of both models is read once, in bounded steps; a damaged
// weight is reported and the others are compared. `checksum`: also reads weights without a
// counterpart. `weights_alone`: no structure, and no slots and step counters, so that a model and
// its frozen form are equal.
//
// Fails as reading and renaming do.
Result<ModelDifference> diff(const Model& first, const Model& second, const DiffOptions& options,
                             Diagnostics& diagnostics);

}  // namespace cryo
