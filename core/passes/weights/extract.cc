#include "passes/weights/extract.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "model/missing_parts.h"
#include "model/variables.h"
#include "passes/common/averaged_weights.h"
#include "passes/common/select_outputs.h"
#include "passes/common/unmatched.h"
#include "passes/common/with_signatures.h"
#include "passes/prune/pruner.h"
#include "passes/weights/casts.h"
#include "passes/weights/find_weights.h"
#include "passes/weights/named_weights.h"
#include "passes/weights/salvage.h"
#include "passes/weights/several_models.h"

namespace cryo {
namespace {

constexpr std::string_view kSeeNames = LIST("names", "weights");

Failure no_weights(const Model& model) {
  if (!model.lost.empty()) return no_whole_weight(model, model.lost.front().why);
  return failure("no-weights", cat("'", model.name, "' holds no weights"), {},
                 missing_checkpoint(model).fix);
}

std::vector<std::string> all_names(const std::vector<NamedWeight>& weights) {
  std::vector<std::string> names;
  for (const NamedWeight& weight : weights) {
    names.push_back(weight.name);
    names.insert(names.end(), weight.others.begin(), weight.others.end());
  }
  return names;
}

Failure no_weight_left() {
  return failure("no-weights",
                 "no weight is left: all that " OPTION("--variables", "") " names are excluded", {},
                 kSeeNames);
}

// Keeps the weights that the options select. Returns true if there are any.
bool choose(const WeightsOptions& options, std::vector<NamedWeight>& weights) {
  const auto is_left_out = [&](const NamedWeight& weight) {
    return (!options.variables.empty() && !goes_by(options.variables, weight)) ||
           goes_by(options.weights.exclude, weight);
  };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_left_out), weights.end());
  return !weights.empty();
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
Result<Model> needed_by_signatures(const Model& model, const std::vector<std::string>& signatures,
                                   const OpRegistry* ops) {
  if (signatures.empty()) return model;
  TRY(chosen, with_signatures(model, signatures));
  Diagnostics unused;
  TRY(ends, with_chosen_outputs(chosen, {.signatures = signatures}, unused));
  TRY(needed, prune_to_ends(chosen, {ends}, ops, unused));
  Checkpoint checkpoint;
  for (const CheckpointEntry* entry : values_to_write(needed)) checkpoint.entries.push_back(*entry);
  if (needed.checkpoint != nullptr) {
    needed.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  }
  return std::move(needed);
}

// Returns each model reduced to what its signatures need, with moving averages applied.
Result<std::vector<Model>> prepared(const std::vector<const Model*>& models,
                                    const WeightsOptions& options, const OpRegistry* ops,
                                    Diagnostics& diagnostics) {
  std::vector<Model> made;
  for (const Model* each : models) {
    TRY(needed, needed_by_signatures(*each, options.signatures, ops));
    if (options.ema) {
      TRY(averaged, with_averaged_weights(needed, diagnostics));
      needed = std::move(averaged);
    }
    made.push_back(std::move(needed));
  }
  return made;
}

// Checks the globs that name weights, which one of the models must have.
Status check_names(const std::vector<Model>& models, const WeightSelection& selection) {
  std::vector<std::string> names;
  for (const Model& model : models) {
    const std::vector<std::string> own = weight_names(model);
    names.insert(names.end(), own.begin(), own.end());
  }
  CHECK_OK(check_globs(named_constants(selection), OPTION("--constants", ""), "constant", names));
  return check_globs(selection.exclude, OPTION("--exclude", ""), "weight", names);
}

// Renames the weights of each model. Fails if a rule matches no weight of any model.
Status rename_all(const WeightsOptions& options, std::vector<ModelWeights>& models) {
  TRY(rules, parse_rename_rules(options.rename));
  std::vector<std::string> names;
  for (const ModelWeights& each : models) {
    for (const NamedWeight& weight : each.weights) names.push_back(weight.name);
  }
  for (ModelWeights& each : models) CHECK_OK(rename_weights(rules, each.weights, names));
  return Unit{};
}

// Returns the weights of each model that the options select.
Result<std::vector<ModelWeights>> chosen_weights(const std::vector<Model>& models,
                                                 const WeightsOptions& options, Losses& losses,
                                                 Diagnostics& diagnostics) {
  std::vector<ModelWeights> all;
  std::vector<std::string> names;
  for (const Model& model : models) {
    TRY(found, named_weights(model, options.weights, options.no_slots, diagnostics));
    if (options.ema) {
      std::erase_if(found, [](const NamedWeight& weight) { return is_average_name(weight.name); });
    }
    if (found.empty()) return no_weights(model);
    if (options.salvage) add_lost_parts(model, losses, diagnostics);
    if (options.salvage) CHECK_OK(keep_whole(model, found, losses, diagnostics));
    const std::vector<std::string> own = all_names(found);
    names.insert(names.end(), own.begin(), own.end());
    all.push_back({model.name, std::move(found)});
  }
  CHECK_OK(check_globs(options.variables, OPTION("--variables", ""), "weight", names));
  bool any = false;
  for (ModelWeights& each : all) any = choose(options, each.weights) || any;
  if (!any) return no_weight_left();
  CHECK_OK(rename_all(options, all));
  return all;
}

Result<std::vector<NamedWeight>> joined(std::vector<ModelWeights> models,
                                        const WeightsOptions& options, Diagnostics& diagnostics) {
  if (models.size() == 1) return std::move(models.front().weights);
  return options.average ? mean_weights(models, diagnostics) : merged_weights(models, diagnostics);
}

// Returns the files of all models.
std::vector<SourcePtr> files_of(const std::vector<Model>& models) {
  std::vector<SourcePtr> files;
  for (const Model& each : models) files.insert(files.end(), each.files.begin(), each.files.end());
  return files;
}

}  // namespace

Result<WeightsResult> extract_weights(const Model& model, const std::vector<const Model*>& more,
                                      const WeightsOptions& options, const OpRegistry* ops,
                                      Diagnostics& diagnostics) {
  if (options.average && more.empty()) {
    return failure("bad-option", OPTION("--average", "") " takes several models, and there is one",
                   {}, "give the others, too");
  }
  std::vector<const Model*> all = {&model};
  all.insert(all.end(), more.begin(), more.end());
  TRY(models, prepared(all, options, ops, diagnostics));
  CHECK_OK(check_names(models, options.weights));
  Losses losses;
  TRY(chosen, chosen_weights(models, options, losses, diagnostics));
  TRY(found, joined(std::move(chosen), options, diagnostics));
  TRY(casts, Casts::parse(options.cast));
  Checkpoint checkpoint;
  Conversions converted;
  const auto has_graph = [](const Model& each) { return each.has_graph; };
  const bool from_graph = std::any_of(models.begin(), models.end(), has_graph);
  for (NamedWeight& weight : found) {
    CheckpointEntry& entry = weight.entry;
    entry.key = weight.name;
    CHECK_OK(cast_weight(casts, entry));
    converted.push_back({entry.key, from_graph ? "model" : "checkpoint", "array", entry.dtype,
                         entry.shape, entry.bytes});
    checkpoint.entries.push_back(std::move(entry));
  }
  CHECK_OK(casts.finish(diagnostics));
  Model weights{Kind::kCheckpoint, models.front().name, files_of(models)};
  weights.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return WeightsResult{std::move(weights), std::move(converted), std::move(losses)};
}

Result<Model> with_cast_weights(const Model& model, const std::vector<std::string>& rules,
                                Diagnostics& diagnostics) {
  if (rules.empty()) return model;
  if (model.has_graph || model.checkpoint == nullptr) {
    return failure("bad-option",
                   cat("'", model.name,
                       "' is a graph, whose nodes take weights of the types that they declare"),
                   {}, "cast its weights alone: weights, with an output that holds no graph");
  }
  TRY(casts, Casts::parse(rules));
  Checkpoint checkpoint = *model.checkpoint;
  for (CheckpointEntry& entry : checkpoint.entries) CHECK_OK(cast_weight(casts, entry));
  CHECK_OK(casts.finish(diagnostics));
  Model made = model;
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

}  // namespace cryo
