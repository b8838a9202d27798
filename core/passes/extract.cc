#include "passes/extract.h"

#include <algorithm>

#include "base/text.h"
#include "passes/named_weights.h"

namespace cryo {
namespace {

constexpr std::string_view kSeeNames = "see the names: cryograph list PATH weights";

Failure no_weights(const Model& model) {
  return failure("no-weights", cat("'", model.name, "' holds no weights"), {},
                 "give the checkpoint of the graph with --checkpoint PREFIX");
}

void tell_unused(const Globs& globs, const std::vector<NamedWeight>& weights,
                 Diagnostics& diagnostics) {
  for (const Glob& glob : globs) {
    const Globs one = {glob};
    const bool used = std::any_of(weights.begin(), weights.end(),
                                  [&](const NamedWeight& weight) { return goes_by(one, weight); });
    if (used) continue;
    diagnostics.warn("glob-unused", cat("no weight matches --variables ", glob.text()), {},
                     kSeeNames);
  }
}

// Those that the options choose; "no-weights" where that is none.
Status choose(const PassOptions& options, std::vector<NamedWeight>& weights,
              Diagnostics& diagnostics) {
  tell_unused(options.variables, weights, diagnostics);
  const auto is_left_out = [&](const NamedWeight& weight) {
    return (!options.variables.empty() && !goes_by(options.variables, weight)) ||
           goes_by(options.exclude, weight);
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_left_out), weights.end());
  if (!weights.empty()) return Unit{};
  return failure("no-weights", "no weight is left of those that were asked for", {}, kSeeNames);
}

}  // namespace

Result<Model> extract_weights(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(found, named_weights(model, options, log.diagnostics));
  if (found.empty()) return no_weights(model);
  CHECK_OK(choose(options, found, log.diagnostics));
  TRY(rules, parse_rename_rules(options.rename));
  CHECK_OK(rename_weights(rules, found, log.diagnostics));
  CHECK_OK(verify_tables(model));
  Checkpoint checkpoint;
  for (NamedWeight& weight : found) {
    CheckpointEntry& entry = weight.entry;
    entry.key = weight.name;
    if (!entry.fault) CHECK_OK(verify(entry));
    log.converted.push_back({entry.key, model.has_graph ? "model" : "checkpoint", "array",
                             entry.dtype, entry.shape, entry.bytes});
    checkpoint.entries.push_back(std::move(entry));
  }
  Model weights{Kind::kCheckpoint, model.name, model.files};
  weights.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return weights;
}

}  // namespace cryo
