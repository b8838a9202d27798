#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/conversion.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// Sets placeholders, variables and constants ("NAME=VALUE") and folds the branches that depend
// on them (passes/set/fold_branches.h), in the bodies of functions too
// (passes/set/fold_branches_in_functions.h):
//
//     before   is_training: Placeholder[bool]      after "is_training=false"
//                                                  is_training: Const[bool, false]
//
// NAME is a node of the main graph. A Placeholder, PlaceholderV2 or PlaceholderWithDefault keeps
// its name and device and becomes a Const of its own type; a Const gets another value; reads of a
// variable take a constant (passes/set/set_variables.h). VALUE is a bool (true, false, 1, 0), a
// whole number, a float (of 16, 32 or 64 bits), a string verbatim, or a list of numbers that has
// the node's shape ("[2,6]", "[[1,2],[3,4]]"). A placeholder is no longer an input of signatures.
// The new model computes the same bits as the old one does when it is fed these values, or when its
// variables have them.
//
// `inlines_calls`: a call is replaced with the nodes of its body if branches are folded there, so
// that weights which only other branches captured can be pruned.
//
// Returns the model itself if nothing is to be set. Fails with "bad-option" if a text is not
// NAME=VALUE, a name is set twice, or the value is not of the node's type; "not-in-graph",
// "not-a-placeholder", "not-a-scalar", "wrong-shape", "unsupported-dtype"; and as
// fold_branches() does.
// `ends`: the outputs and inputs of a verb, which must not be set or be in removed branches.
Result<Model> with_set_values(const Model& model, const std::vector<std::string>& set,
                              const Selection& ends, bool inlines_calls, const OpRegistry* ops,
                              Conversions& converted, Diagnostics& diagnostics);

// Redirects the reads of variables that are set, also of those whose calls were inlined since.
Result<Model> with_set_variables(const Model& model, const std::vector<std::string>& set);

// Folds the branches whose conditions follow from constants of the graph alone
// (fold_constant_branches()), and inlines those of functions.
Result<Model> with_constant_branches(const Model& model, const Selection& ends,
                                     const OpRegistry* ops, Diagnostics& diagnostics);

// The value of "NAME=VALUE" for a node with an attribute `dtype`.
struct SetValue {
  Shape shape = {};
  std::string proto = {};  // a TensorProto
};

// Fails with "bad-option" if the value is not of the node's type, or not of `declared` shape
// ("not-a-scalar", "wrong-shape"); with "unsupported-dtype" for types without numbers.
Result<SetValue> value_for(const Node& node, const Shape& declared, const std::string& text,
                           Payloads& payloads);

// "is_training:0=false" -> "is_training": the node that is set.
std::string_view set_node(std::string_view text);

}  // namespace cryo
