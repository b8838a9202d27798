#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/pattern/globs.h"
#include "base/pattern/rename.h"
#include "graph/edges.h"
#include "model/model.h"
#include "passes/common/weight_selection.h"

namespace cryo {

// A weight of a model and its names.
struct NamedWeight {
  std::string name = {};
  std::vector<std::string> others = {};  // additional names
  std::string key = {};                  // its key in a checkpoint; empty if it has none
  std::string given = {};                // its name, where a rule has given it another
  CheckpointEntry entry = {};
  uint32_t node = kNoNode;  // the variable, or the Const, in the main graph
  bool sure = true;         // false: a constant that only its name makes a weight
};

// Returns the weights of any model as a dictionary, sorted by name:
//
//     w: VariableV2, its value in a checkpoint      "w"
//     w/part_0, w/part_1, saved as slices of w      "w", whole
//     c: Const that is a weight (weights.h)         "c", also where that is only fair if no
//                                                   variable has a value
//     model/d/kernel/.ATTRIBUTES/VARIABLE_VALUE     "model/d/kernel"
//
// Variables have the name that their program gave them (model/saved_variables.h), without copies
// of others. Partitioned variables have the name that they are saved under, constants their own.
// Other entries of the checkpoint, and all without a graph, have their key. Variables without a
// value are excluded, with a warning. `no_slots` excludes what only training needs
// (model/analysis/optimizer_state.h); `selection` chooses among constants by hand.
//
// Reads no tensor. Fails with "too-large" as un-freezing does, unless `exclude` names that
// constant.
Result<std::vector<NamedWeight>> named_weights(const Model& model, const WeightSelection& selection,
                                               bool no_slots, Diagnostics& diagnostics);

// Returns true if a glob matches one of its names (base/pattern/weight_name.h).
bool goes_by(const Globs& globs, const NamedWeight& weight);

// Adds the names that objects of a checkpoint without a graph had when TensorFlow 2 saved them
// ("dense/kernel"). Reads the object graph, which is structure, out of the checkpoint.
void add_object_names(const Model& model, std::vector<NamedWeight>& weights);

// Renames weights by rules, and sorts them again. A renamed weight has only its new name. `others`:
// additional names that a rule may be for.
//
// Fails with "duplicate-name" if two would have one name, and with "rename-unused" for a rule that
// no name matches.
Status rename_weights(const std::vector<RenameRule>& rules, std::vector<NamedWeight>& weights,
                      const std::vector<std::string>& others = {});

// Adds every Const that the rules give one of the names in `wanted`, unless a weight has it: what
// does not look like a weight may still be one that somebody knows by name. They are not `sure`.
Status add_constants_named(const Model& model, const std::vector<RenameRule>& rules,
                           const std::set<std::string>& wanted, std::vector<NamedWeight>& weights);

}  // namespace cryo
