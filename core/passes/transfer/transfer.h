#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/weight_selection.h"

namespace cryo {

struct TransferOptions {
  // `constants`: of the source; `exclude`: variables of the target that stay as they are.
  WeightSelection weights = {};
  std::vector<std::string> rename = {};  // "FROM=TO", of the source (base/pattern/rename.h)
  std::vector<std::string> match = {};   // "value", "shape": pair what names leave
  std::vector<std::string> cast = {};    // "FROM=TO", of types (passes/weights/casts.h)
  bool no_slots = false;                 // without optimizer state
  bool strict = false;                   // fails unless all are matched or excluded
  bool partial = false;                  // the matched variables alone, as a checkpoint
};

// The outcome for a variable of the target.
struct VariableMatch {
  enum Kind { kMatched, kExcluded, kMismatched, kUnmatched };
  Kind kind = kUnmatched;
  std::string name = {};  // the variable's
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::string from = {};  // the weight found for it
  std::string why = {};
  uint64_t bytes = 0;  // of the weight's part that it took
};

// A variable that got the value of its own initializer.
struct InitialValue {
  std::string name = {};
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::vector<std::string> from = {};  // the nodes that hold the value
};

struct Matches {
  std::vector<VariableMatch> variables = {};  // all, in the graph's order
  std::vector<InitialValue> initial = {};
  std::vector<std::string> unused = {};  // weights that no variable took
};

// Copies the weights of one model, `from`, to the variables of another:
//
//     from    conv/w: Const   logits/w: Const          or a checkpoint, an .npz, ...
//     into    conv/w, logits/w, step: variables        before: their own checkpoint, or none
//     after   the same graph; conv/w and logits/w have the constants' values, step its own
//
// Weights are matched to variables by name (weight_pairing.h), after the rules of `rename`; the
// rest by equal bytes or by shape and place, if `match` requests it. Variables that `exclude`
// names, by the variable's name or its key, are not changed, nor is optimizer state with
// `no_slots`. If types or shapes differ the variable keeps its value. `matches` has the
// outcome for each variable, also where it fails since too few are matched.
//
// A partitioned variable counts as one: its parts have the same outcome.
//
// A variable without a weight keeps the value in the target's checkpoint. If there is none it takes
// the constant of its own initializer (initial_values.h); a diagnostic reports
// these ("initial-values"). `partial` makes a checkpoint without a graph of only the matched
// variables, for init_from_checkpoint.
//
// `cast` converts weights whose type is not the variable's (casts.h).
//
// No node changes. Values are slices of the inputs. `cast` and `match value` read what they convert
// or compare; the writer reads weights whose checksum is not known.
//
// Fails with "no-target-variables", "no-weights", "nothing-matched"; "not-all-matched" with
// `strict`; "variables-without-value" if a variable that the saver restores has no value; with the
// fault of a matched weight that cannot be read; and as reading and renaming do.
Result<Model> transfer(const Model& model, const Model& from, const TransferOptions& options,
                       Matches& matches, Diagnostics& diagnostics);

}  // namespace cryo
