#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern/rename.h"
#include "model/model.h"
#include "passes/common/weight_selection.h"

namespace cryo {

// Globs and rules that match nothing are errors: a typing mistake would give another result in
// silence.

// Returns the names of a model's weights: of its constants, those in functions too, of its
// variables, and of its checkpoint's tensors, without "/.ATTRIBUTES/VARIABLE_VALUE".
std::vector<std::string> weight_names(const Model& model);

// Fails with "glob-unused" for a glob that names none of these weights: "no weight is named by
// --exclude 'kernal' (did you mean kernel?)". `noun`: the kind of names, "weight".
Status check_globs(const Globs& globs, std::string_view option, std::string_view noun,
                   const std::vector<std::string>& names);

// Returns `constants` of a selection without "auto", which stands for the detected ones.
Globs named_constants(const WeightSelection& selection);

// Checks a selection against the constants of a model.
Status check_chosen_constants(const Model& model, const WeightSelection& selection);

// Fails with "rename-unused" for a rule that is not in `used`. For a suggestion, its results are
// compared with the names in `wanted`, if there are any.
Status check_rules(const std::vector<RenameRule>& rules, const std::set<const RenameRule*>& used,
                   const std::vector<std::string>& names,
                   const std::vector<std::string>& wanted = {});

}  // namespace cryo
