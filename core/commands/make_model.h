#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commands/options.h"
#include "model/model.h"
#include "passes/common/conversion.h"
#include "passes/common/graph_change.h"
#include "passes/transfer/transfer.h"
#include "passes/weights/salvage.h"

namespace cryo {

class OpRegistry;

// A model that a verb made, with the lists of its report (docs/reference/reports.md).
struct MadeModel {
  Model model = {};
  std::vector<std::string> outputs = {};  // prune, freeze: of the model
  bool guessed = false;                   // neither the caller nor a signature named them
  bool like_tensorflow = false;           // made as TensorFlow's own tool does, faults included
  Conversions converted = {};
  Conversions candidates = {};  // unfreeze: possible weights that remain constants
  GraphChanges changes = {};
  std::optional<RemovedCounts> redacted = {};  // edit, with `redact`
  Losses losses = {};                          // convert, weights, with `salvage`
  Matches matches = {};                        // transfer
};

// A verb that makes a new model of one, which it leaves as it is. A verb on two models makes a new
// version of the first; the others are in the options.
struct ModelVerb {
  std::string_view name;  // "freeze"
  bool needs_graph;
  bool needs_other;  // fails without a second model; others may take it
  Status (*make)(const Model& model, const Options& options, const OpRegistry* ops,
                 Diagnostics& diagnostics, MadeModel& made);
};

std::span<const ModelVerb> model_verbs();

// Returns nullptr for a name that no such verb has.
const ModelVerb* find_model_verb(std::string_view name);

// Runs a verb, and checks its graph as check_made() does: a fault that TensorFlow's own tool makes
// as well is a warning. `made`: if it fails, the matches are there as far as it came.
Status make_model(const ModelVerb& verb, const Model& model, const Options& options,
                  const OpRegistry* ops, Diagnostics& diagnostics, MadeModel& made);

}  // namespace cryo
