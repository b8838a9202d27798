#include "passes/weights/extract.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "model/variables.h"
#include "passes/common/averaged_weights.h"
#include "passes/common/select_outputs.h"
#include "passes/common/unmatched.h"
#include "passes/common/with_signatures.h"
#include "passes/prune/pruner.h"
#include "passes/weights/casts.h"
#include "passes/weights/find_weights.h"
#include "passes/weights/named_weights.h"

namespace cryo {
namespace {

constexpr std::string_view kSeeNames = LIST("names", "weights");

Failure no_weights(const Model& model) {
  return failure("no-weights", cat("'", model.name, "' holds no weights"), {},
                 ADVICE("give-checkpoint"));
}

std::vector<std::string> all_names(const std::vector<NamedWeight>& weights) {
  std::vector<std::string> names;
  for (const NamedWeight& weight : weights) {
    names.push_back(weight.name);
    names.insert(names.end(), weight.others.begin(), weight.others.end());
  }
  return names;
}

// Keeps the weights that the options select; fails with "no-weights" if there are none.
Status choose(const PassOptions& options, std::vector<NamedWeight>& weights) {
  CHECK_OK(check_globs(options.variables, OPTION("--variables", ""), "weight", all_names(weights)));
  const auto is_left_out = [&](const NamedWeight& weight) {
    return (!options.variables.empty() && !goes_by(options.variables, weight)) ||
           goes_by(options.exclude, weight);
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_left_out), weights.end());
  if (!weights.empty()) return Unit{};
  return failure("no-weights",
                 "no weight is left: all that " OPTION("--variables", "") " names are excluded", {},
                 kSeeNames);
}

// Casts a weight that a rule applies to.
Status cast_weight(Casts& casts, CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  if (!casts.applies(entry.dtype)) return Unit{};
  CHECK_OK(casts.measure(entry, entry.key));
  entry = casts.cast(entry);
  return Unit{};
}

// Returns what the requested signatures need, with the values of its variables alone.
Result<Model> needed_by_signatures(const Model& model, const PassOptions& options) {
  if (options.signatures.empty()) return model;
  TRY(chosen, with_signatures(model, options.signatures));
  PassOptions outputs;
  outputs.signatures = options.signatures;
  outputs.ops = options.ops;
  PassLog unused;
  TRY(ends, with_chosen_outputs(chosen, outputs, unused));
  TRY(needed, prune_to_ends(chosen, ends, unused));
  Checkpoint checkpoint;
  for (const CheckpointEntry* entry : values_to_write(needed)) checkpoint.entries.push_back(*entry);
  if (needed.checkpoint != nullptr) {
    needed.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  }
  return std::move(needed);
}

}  // namespace

Result<Model> extract_weights(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(signed_for, needed_by_signatures(model, options));
  TRY(needed, options.ema ? with_averaged_weights(signed_for, log) : Result<Model>(signed_for));
  CHECK_OK(check_globs(named_constants(options), OPTION("--constants", ""), "constant",
                       weight_names(needed)));
  CHECK_OK(check_globs(options.exclude, OPTION("--exclude", ""), "weight", weight_names(needed)));
  TRY(found, named_weights(needed, options, log.diagnostics));
  if (options.ema) {
    std::erase_if(found, [](const NamedWeight& weight) { return is_average_name(weight.name); });
  }
  if (found.empty()) return no_weights(needed);
  CHECK_OK(choose(options, found));
  TRY(rules, parse_rename_rules(options.rename));
  CHECK_OK(rename_weights(rules, found));
  TRY(casts, Casts::parse(options.cast));
  Checkpoint checkpoint;
  for (NamedWeight& weight : found) {
    CheckpointEntry& entry = weight.entry;
    entry.key = weight.name;
    CHECK_OK(cast_weight(casts, entry));
    log.converted.push_back({entry.key, needed.has_graph ? "model" : "checkpoint", "array",
                             entry.dtype, entry.shape, entry.bytes});
    checkpoint.entries.push_back(std::move(entry));
  }
  CHECK_OK(casts.finish(log.diagnostics));
  Model weights{Kind::kCheckpoint, needed.name, needed.files};
  weights.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return weights;
}

Result<Model> with_cast_weights(const Model& model, const PassOptions& options, PassLog& log) {
  if (options.cast.empty()) return model;
  if (model.has_graph || model.checkpoint == nullptr) {
    return failure("bad-option",
                   cat("'", model.name,
                       "' is a graph, whose nodes take weights of the types that they declare"),
                   {}, "cast its weights alone: weights, with an output that holds no graph");
  }
  TRY(casts, Casts::parse(options.cast));
  Checkpoint checkpoint = *model.checkpoint;
  for (CheckpointEntry& entry : checkpoint.entries) CHECK_OK(cast_weight(casts, entry));
  CHECK_OK(casts.finish(log.diagnostics));
  Model made = model;
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

}  // namespace cryo
