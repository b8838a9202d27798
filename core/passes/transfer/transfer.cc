#include "passes/transfer/transfer.h"

#include <algorithm>
#include <map>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "model/analysis/optimizer_state.h"
#include "passes/common/new_model.h"
#include "passes/common/unmatched.h"
#include "passes/transfer/transfer_report.h"
#include "passes/weights/casts.h"
#include "passes/weights/initial_values.h"
#include "passes/weights/joined_parts.h"
#include "passes/weights/target_variables.h"
#include "passes/weights/weight_pairing.h"

namespace cryo {
namespace {

constexpr size_t kMaxNear = 100;  // weights that a variable's name is compared with

// Limit on the values of all initializers: a short file can declare any size.
constexpr uint64_t kMaxInitialBytes = uint64_t{64} << 30;

// The source's weights, by the names that the rules make.
Result<std::vector<NamedWeight>> weights_to_take(const Model& from,
                                                 const std::vector<NamedWeight>& into,
                                                 const TransferOptions& options,
                                                 Diagnostics& diagnostics) {
  TRY(rules, parse_rename_rules(options.rename));
  const Globs& constants = options.weights.constants;
  TRY(weights, named_weights(from, {.constants = constants}, options.no_slots, diagnostics));
  add_object_names(from, weights);
  CHECK_OK(rename_weights(rules, weights, weight_names(from)));
  join_parts(weights, into);
  if (constants.empty()) {
    std::set<std::string> wanted;
    for (const NamedWeight& each : into) wanted.insert(each.name);
    CHECK_OK(add_constants_named(from, rules, wanted, weights));
  }
  if (!weights.empty()) return std::move(weights);
  return failure("no-weights", cat("'", from.name, "' holds no weights"), {},
                 "give the checkpoint of its graph as well, or name constants with " OPTION(
                     "--constants", ""));
}

// The target's variables and the source's weights.
struct TransferSides {
  const TransferOptions& options;
  std::vector<TargetVariable> targets = {};
  std::vector<std::string> excluded = {};  // by target: why; empty for what is not
  std::vector<NamedWeight> weights = {};
  Casts casts = {};
};

// Values for the target, by key.
struct TransferValues {
  std::map<std::string, CheckpointEntry> taken = {};                // weights
  std::map<std::string, CheckpointEntry> initial = {};              // of initializers
  std::vector<std::pair<std::string, std::string>> valueless = {};  // saved, without any value: why
};

// `exclude` names variables of the target, `constants` constants of the source.
Status check_chosen(const Model& from, const std::vector<TargetVariable>& targets,
                    const WeightSelection& selection) {
  std::vector<std::string> names;
  for (const TargetVariable& target : targets) {
    for (std::string& name : target.names()) names.push_back(std::move(name));
  }
  CHECK_OK(check_globs(selection.exclude, OPTION("--exclude", ""), "variable", names));
  return check_chosen_constants(from, {.constants = selection.constants});
}

// `training`: names that only training needs.
std::string why_excluded(const TargetVariable& target, const Globs& exclude,
                         const std::set<std::string>& training) {
  for (const std::string& name : target.names()) {
    if (exclude.any_names(name)) {
      const auto names = [&](const Glob& glob) { return names_weight(glob, name); };
      return cat("named by ", std::find_if(exclude.begin(), exclude.end(), names)->text());
    }
    if (training.contains(name)) return "only training needs it";
  }
  return "";
}

// Returns true if the target can take the weight unchanged, or cast.
bool can_take(const TargetVariable& target, const CheckpointEntry& weight, const Casts& casts) {
  if (target.takes(weight)) return true;
  const bool applies = casts.applies(weight.dtype, target.variables.front().dtype);
  return applies && target.takes(casts.cast(weight));
}

VariableMatch match_of_weight(const TargetVariable& target, const NamedWeight& weight,
                              const Casts& casts) {
  VariableMatch match;
  match.from = weight.given.empty() ? weight.name : weight.given;
  match.kind = VariableMatch::kMatched;
  // take() reports a fault.
  if (weight.entry.fault || can_take(target, weight.entry, casts)) return match;
  match.kind = VariableMatch::kMismatched;
  match.why = cat("there it is ", dtype_name(weight.entry.dtype), " ", to_text(weight.entry.shape));
  return match;
}

// Returns the names of unused weights that fit and have a similar name.
std::string near(const TargetVariable& target, const std::vector<NamedWeight>& weights,
                 const WeightPairing& pairing) {
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < weights.size() && names.size() < kMaxNear; ++i) {
    const bool open = weights[i].sure && !pairing.is_used(i);
    if (open && target.takes(weights[i].entry)) names.push_back(weights[i].name);
  }
  return did_you_mean(target.names().front(), names);
}

VariableMatch match_of(const TransferSides& sides, uint32_t index, const WeightPairing& pairing,
                       const TransferValues& values) {
  const TargetVariable& target = sides.targets[index];
  VariableMatch match;
  if (!sides.excluded[index].empty()) {
    match.kind = VariableMatch::kExcluded;
    match.why = sides.excluded[index];
  } else if (pairing.from_of(index) == WeightPairing::kNone) {
    match.why = cat("no weight of that name", near(target, sides.weights, pairing));
  } else {
    match = match_of_weight(target, sides.weights[pairing.from_of(index)], sides.casts);
    if (match.kind == VariableMatch::kMatched) match.why = pairing.why(index);
  }
  if (match.kind == VariableMatch::kMatched || target.has_value) return match;
  if (!target.is_saved) {
    match.why += "; the saver leaves it out";
  } else if (!sides.options.partial) {
    const bool initial = values.initial.contains(target.key());
    match.why += initial ? "; takes its initial value" : "; it has no value";
  }
  return match;
}

Status take(const TargetVariable& target, const NamedWeight& weight, Casts& casts,
            TransferValues& values) {
  CheckpointEntry entry = weight.entry;
  if (entry.fault) return *entry.fault;
  if (!target.takes(entry)) {
    CHECK_OK(casts.measure(entry, weight.name));
    entry = casts.cast(entry);
  }
  entry.key = target.key();
  values.taken.emplace(entry.key, entry);
  for (const std::string& key : target.copies) {
    entry.key = key;
    values.taken.emplace(key, entry);
  }
  return Unit{};
}

// Values for variables that have none and take no weight.
Status initialize(const Model& model, const TransferSides& sides, const WeightPairing& pairing,
                  TransferValues& values, Matches& matches) {
  const InitialValues initial(model);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < sides.targets.size(); ++i) {
    const TargetVariable& target = sides.targets[i];
    if (target.has_value || !target.is_saved) continue;
    if (match_of(sides, i, pairing, values).kind == VariableMatch::kMatched) continue;
    Result<InitialEntry> made = initial_entry(target, initial);
    if (!made) {
      values.valueless.emplace_back(target.names().front(), made.error().message);
      continue;
    }
    bytes += made->entry.bytes;
    if (made->entry.bytes > kMaxInitialBytes || bytes > kMaxInitialBytes) {
      return failure(
          "too-large",
          cat("the initial values of '", model.name, "' are over ", human_bytes(kMaxInitialBytes)),
          {}, "write the matched variables alone: " SETTING("--partial", ""));
    }
    const CheckpointEntry& entry = made->entry;
    matches.initial.push_back({target.names().front(), entry.dtype, entry.shape, made->nodes});
    values.initial.emplace(entry.key, std::move(made->entry));
  }
  return Unit{};
}

// Determines the outcome for each variable, and the values of matched ones.
Result<TransferValues> settle(const Model& model, TransferSides& sides,
                              const WeightPairing& pairing, Matches& all) {
  TransferValues values;
  if (!sides.options.partial) CHECK_OK(initialize(model, sides, pairing, values, all));
  std::map<uint32_t, VariableMatch> matches;  // by the variable's node
  for (uint32_t i = 0; i < sides.targets.size(); ++i) {
    const VariableMatch match = match_of(sides, i, pairing, values);
    const TargetVariable& target = sides.targets[i];
    const bool matched = match.kind == VariableMatch::kMatched;
    if (matched) CHECK_OK(take(target, sides.weights[pairing.from_of(i)], sides.casts, values));
    for (const Variable& variable : target.variables) {
      VariableMatch own = match;
      own.name = variable.name;
      own.dtype = variable.dtype;
      own.shape = variable.shape;
      own.bytes = matched ? target.bytes_of(variable, values.taken.at(target.key())) : 0;
      matches.emplace(variable.node, std::move(own));
    }
  }
  for (auto& match : matches) all.variables.push_back(std::move(match.second));
  return values;
}

void report_unsaved(const TransferSides& sides, const TransferValues& values,
                    Diagnostics& diagnostics) {
  std::vector<std::string> unsaved;
  for (const TargetVariable& target : sides.targets) {
    const bool lost =
        !sides.options.partial && !target.is_saved && values.taken.contains(target.key());
    if (lost) unsaved.push_back(target.names().front());
  }
  if (unsaved.empty()) return;
  diagnostics.note(
      "not-restored",
      cat("the graph's own saver does not restore ", plural(unsaved.size(), "variable"),
          " that got a value: ", join(unsaved, ", ", kMaxListed)),
      {}, "restore them with a new tf.train.Saver()");
}

std::vector<std::string> unused_weights(const std::vector<NamedWeight>& weights,
                                        const WeightPairing& pairing) {
  std::vector<std::string> unused;
  for (uint32_t i = 0; i < weights.size(); ++i) {
    if (pairing.is_used(i) || !weights[i].sure) continue;
    unused.push_back(weights[i].given.empty() ? weights[i].name : weights[i].given);
  }
  return unused;
}

void report_unused(const std::vector<std::string>& unused, std::string_view from,
                   Diagnostics& diagnostics) {
  if (unused.empty()) return;
  diagnostics.note("unused-weights", cat(plural(unused.size(), "weight"), " of '", from, "' ",
                                         unused.size() == 1 ? "goes" : "go",
                                         " to no variable: ", join(unused, ", ", kMaxListed)));
}

// All variables that the saver restores have a value.
Status check_values(const Model& model, size_t targets, const TransferValues& values) {
  if (values.valueless.empty()) return Unit{};
  const std::set<std::string> training = training_state(model);
  const auto slots = std::count_if(values.valueless.begin(), values.valueless.end(),
                                   [&](const auto& each) { return training.contains(each.first); });
  std::vector<std::string> reasons;
  for (const auto& [name, why] : values.valueless) reasons.push_back(cat(name, " (", why, ")"));
  return failure(
      "variables-without-value",
      cat("no value for ", values.valueless.size(), " of ", plural(targets, "variable"),
          slots > 0 ? cat(", ", slots, " of them optimizer slots or counters") : std::string(),
          ": ", join(reasons, ", ", kMaxListed)),
      {},
      "save the model once in TensorFlow and give that checkpoint, find "
      "weights with " OPTION(
          "--rename", "FROM=TO") ", or write the matched variables alone with " SETTING("--partial",
                                                                                        ""));
}

// The matched variables, as a checkpoint without a graph.
Model partial_model(const Model& model, const Model& from, const TransferValues& values) {
  Checkpoint checkpoint;
  for (const auto& value : values.taken) checkpoint.entries.push_back(value.second);
  Model made{Kind::kCheckpoint, model.name, from.files};
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

Model with_values(const Model& model, const Model& from, const TransferValues& values) {
  std::map<std::string, CheckpointEntry> entries;
  Checkpoint checkpoint;
  if (model.checkpoint != nullptr) {
    checkpoint = *model.checkpoint;
    for (CheckpointEntry& entry : checkpoint.entries) entries.emplace(entry.key, std::move(entry));
  }
  for (const auto& value : values.taken) entries[value.first] = value.second;
  for (const auto& value : values.initial) entries[value.first] = value.second;
  checkpoint.entries.clear();
  for (auto& entry : entries) checkpoint.entries.push_back(std::move(entry.second));
  Model made = model;
  made.files.insert(made.files.end(), from.files.begin(), from.files.end());
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

Result<Model> transfer_weights(const Model& model, const Model& from,
                               const TransferOptions& options, Matches& matches,
                               Diagnostics& diagnostics) {
  TransferSides sides{options, target_variables(model)};
  if (sides.targets.empty()) {
    return failure("no-target-variables", cat("the graph of '", model.name, "' has no variables"),
                   {}, "un-freeze it first: its constants become variables");
  }
  CHECK_OK(check_chosen(from, sides.targets, options.weights));
  const auto training = options.no_slots ? training_state(model) : std::set<std::string>();
  std::vector<NamedWeight> into;
  for (const TargetVariable& target : sides.targets) {
    into.push_back(target.as_weight());
    sides.excluded.push_back(why_excluded(target, options.weights.exclude, training));
  }
  TRY(casts, Casts::parse(options.cast));
  sides.casts = std::move(casts);
  TRY(weights, weights_to_take(from, into, options, diagnostics));
  sides.weights = std::move(weights);
  WeightPairing pairing(sides.weights, into);
  pairing.by_name(diagnostics);
  for (uint32_t i = 0; i < sides.targets.size(); ++i) {
    if (!sides.excluded[i].empty()) pairing.close(i);
  }
  CHECK_OK(pairing.match(options.match, from.graph, model.graph));
  TRY(values, settle(model, sides, pairing, matches));
  CHECK_OK(check_matched(model, from, options.strict, matches.variables));
  CHECK_OK(check_values(model, sides.targets.size(), values));
  CHECK_OK(sides.casts.finish(diagnostics));
  matches.unused = unused_weights(sides.weights, pairing);
  report_unsaved(sides, values, diagnostics);
  report_unused(matches.unused, from.name, diagnostics);
  report_initial(model, matches.initial, diagnostics);
  return options.partial ? partial_model(model, from, values) : with_values(model, from, values);
}

}  // namespace

Result<Model> transfer(const Model& model, const Model& from, const TransferOptions& options,
                       Matches& matches, Diagnostics& diagnostics) {
  return new_model(model, [&](const Model& own) {
    return transfer_weights(own, from, options, matches, diagnostics);
  });
}

}  // namespace cryo
