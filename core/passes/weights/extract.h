#pragma once

#include "passes/common/conversion.h"
#include "passes/common/weight_selection.h"
#include "passes/weights/salvage.h"

namespace cryo {

class OpRegistry;

struct WeightsOptions {
  std::vector<std::string> signatures = {};  // keys: the weights that they need
  Globs variables = {};                      // these weights; empty: all
  WeightSelection weights = {};              // among constants; `exclude`: among all
  std::vector<std::string> rename = {};      // "FROM=TO" (base/pattern/rename.h)
  std::vector<std::string> cast = {};        // "FROM=TO", of types (casts.h)
  bool no_slots = false;                     // without optimizer state
  bool ema = false;                          // moving averages instead of weights
  bool average = false;                      // the mean of several models
  bool salvage = false;                      // of a damaged model what is whole
};

struct WeightsResult {
  Model model;
  Conversions converted = {};
  Losses losses = {};  // with `salvage`
};

// Returns only the weights of a model, a dictionary of names to arrays:
//
//     before      w: VariableV2, its value in a checkpoint      c: Const --> conv
//     after       "w" -> array, "c" -> array
//
// Names: variables have their own name (a partitioned one whole, with the name it is saved under),
// weights among constants (passes/weights/find_weights.h) theirs. Other tensors of the checkpoint,
// and all of a checkpoint without a graph, have their key, without "/.ATTRIBUTES/VARIABLE_VALUE".
// Optimizer state (model/analysis/optimizer_state.h) is excluded on request. `variables` and
// `exclude` select among all of these by name (the key counts too). Then the rules of `rename` are
// applied. No weight is read.
//
// The weights of several models (`more`) are put together, or combined to their mean (`average`;
// passes/weights/several_models.h). Options name the weights of any of them.
// `salvage` keeps those of a damaged model that are whole (passes/weights/salvage.h).
//
// Variables that the checkpoint does not have are skipped, with a warning. Fails with "no-weights"
// if there are none or none is selected, with the fault of a weight that cannot be read, with
// "duplicate-name" if two would have one name, and with "too-large" as un-freezing does.
Result<WeightsResult> extract_weights(const Model& model, const std::vector<const Model*>& more,
                                      const WeightsOptions& options, const OpRegistry* ops,
                                      Diagnostics& diagnostics);

// The same weights in the types that rules make, "FROM=TO" (casts.h); all else as it is. The model
// itself without rules. Fails with "bad-option" for a graph, which declares the types of its
// weights, and as casting does.
Result<Model> with_cast_weights(const Model& model, const std::vector<std::string>& rules,
                                Diagnostics& diagnostics);

}  // namespace cryo
