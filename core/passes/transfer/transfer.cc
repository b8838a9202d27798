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

class Transfer {
 public:
  Transfer(const Model& model, const Model& from, const TransferOptions& options, Matches& matches,
           Diagnostics& diagnostics)
      : model_(model),
        from_(from),
        options_(options),
        matches_(matches),
        diagnostics_(diagnostics) {}

  Result<Model> run();

 private:
  Status check_chosen() const;
  std::string why_excluded(const TargetVariable& target) const;
  Status pair(WeightPairing& pairing);
  Status settle(const WeightPairing& pairing);
  Status take(const TargetVariable& target, const NamedWeight& weight);
  Status initialize(const WeightPairing& pairing);
  std::string near(size_t index, const WeightPairing& pairing) const;
  VariableMatch match_of(size_t index, const WeightPairing& pairing) const;
  VariableMatch match_of_weight(const TargetVariable& target, const NamedWeight& weight) const;
  void report(const WeightPairing& pairing);
  bool can_take(const TargetVariable& target, const CheckpointEntry& weight) const;
  Status check_values() const;
  Model partial_model() const;
  Model with_values() const;

  const Model& model_;
  const Model& from_;
  const TransferOptions& options_;
  Matches& matches_;
  Diagnostics& diagnostics_;
  std::set<std::string> training_;  // names that only training needs
  std::vector<TargetVariable> targets_;
  std::vector<NamedWeight> into_;  // the same, as weights
  std::vector<NamedWeight> weights_;
  std::vector<std::string> excluded_;                           // why; empty for what is not
  std::map<std::string, CheckpointEntry> new_values_;           // by key: weights that were taken
  std::map<std::string, CheckpointEntry> initial_;              // by key: values of initializers
  std::vector<std::pair<std::string, std::string>> valueless_;  // saved, without any value: why
  Casts casts_;
};

// `exclude` names variables of the target, `constants` constants of the source.
Status Transfer::check_chosen() const {
  std::vector<std::string> names;
  for (const TargetVariable& target : targets_) {
    for (std::string& name : target.names()) names.push_back(std::move(name));
  }
  CHECK_OK(check_globs(options_.weights.exclude, OPTION("--exclude", ""), "variable", names));
  return check_chosen_constants(from_, {.constants = options_.weights.constants});
}

std::string Transfer::why_excluded(const TargetVariable& target) const {
  for (const std::string& name : target.names()) {
    if (options_.weights.exclude.any_names(name)) {
      const auto names = [&](const Glob& glob) { return names_weight(glob, name); };
      const auto& all = options_.weights.exclude;
      return cat("named by ", std::find_if(all.begin(), all.end(), names)->text());
    }
    if (training_.contains(name)) return "only training needs it";
  }
  return "";
}

Status Transfer::pair(WeightPairing& pairing) {
  pairing.by_name(diagnostics_);
  for (uint32_t i = 0; i < targets_.size(); ++i) {
    if (!excluded_[i].empty()) pairing.close(i);
  }
  return pairing.match(options_.match, from_.graph, model_.graph);
}

VariableMatch Transfer::match_of_weight(const TargetVariable& target,
                                        const NamedWeight& weight) const {
  VariableMatch match;
  match.from = weight.given.empty() ? weight.name : weight.given;
  match.kind = VariableMatch::kMatched;
  if (weight.entry.fault || can_take(target, weight.entry)) return match;  // take() reports a fault
  match.kind = VariableMatch::kMismatched;
  match.why = cat("there it is ", dtype_name(weight.entry.dtype), " ", to_text(weight.entry.shape));
  return match;
}

// Returns true if the target can take the weight unchanged, or cast.
bool Transfer::can_take(const TargetVariable& target, const CheckpointEntry& weight) const {
  if (target.takes(weight)) return true;
  const bool applies = casts_.applies(weight.dtype, target.variables.front().dtype);
  return applies && target.takes(casts_.cast(weight));
}

// Returns the names of unused weights that fit and have a similar name.
std::string Transfer::near(size_t index, const WeightPairing& pairing) const {
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < weights_.size() && names.size() < kMaxNear; ++i) {
    const bool open = weights_[i].sure && !pairing.is_used(i);
    if (open && targets_[index].takes(weights_[i].entry)) names.push_back(weights_[i].name);
  }
  return did_you_mean(targets_[index].names().front(), names);
}

VariableMatch Transfer::match_of(size_t index, const WeightPairing& pairing) const {
  const auto at = static_cast<uint32_t>(index);
  VariableMatch match;
  if (!excluded_[index].empty()) {
    match.kind = VariableMatch::kExcluded;
    match.why = excluded_[index];
  } else if (pairing.from_of(at) == WeightPairing::kNone) {
    match.why = cat("no weight of that name", near(index, pairing));
  } else {
    match = match_of_weight(targets_[index], weights_[pairing.from_of(at)]);
    if (match.kind == VariableMatch::kMatched) match.why = pairing.why(at);
  }
  if (match.kind == VariableMatch::kMatched || targets_[index].has_value) return match;
  if (!targets_[index].is_saved) {
    match.why += "; the saver leaves it out";
  } else if (!options_.partial) {
    const bool initial = initial_.contains(targets_[index].key());
    match.why += initial ? "; takes its initial value" : "; it has no value";
  }
  return match;
}

Status Transfer::take(const TargetVariable& target, const NamedWeight& weight) {
  CheckpointEntry entry = weight.entry;
  if (entry.fault) return *entry.fault;
  if (!target.takes(entry)) {
    CHECK_OK(casts_.measure(entry, weight.name));
    entry = casts_.cast(entry);
  }
  entry.key = target.key();
  new_values_.emplace(entry.key, entry);
  for (const std::string& key : target.copies) {
    entry.key = key;
    new_values_.emplace(key, entry);
  }
  return Unit{};
}

// Values for variables that have none and take no weight.
Status Transfer::initialize(const WeightPairing& pairing) {
  const InitialValues values(model_);
  uint64_t bytes = 0;
  for (size_t i = 0; i < targets_.size(); ++i) {
    const TargetVariable& target = targets_[i];
    if (target.has_value || !target.is_saved) continue;
    if (match_of(i, pairing).kind == VariableMatch::kMatched) continue;
    Result<InitialEntry> made = initial_entry(target, values);
    if (!made) {
      valueless_.emplace_back(target.names().front(), made.error().message);
      continue;
    }
    bytes += made->entry.bytes;
    if (made->entry.bytes > kMaxInitialBytes || bytes > kMaxInitialBytes) {
      return failure(
          "too-large",
          cat("the initial values of '", model_.name, "' are over ", human_bytes(kMaxInitialBytes)),
          {}, "write the matched variables alone: " SETTING("--partial", ""));
    }
    const CheckpointEntry& entry = made->entry;
    matches_.initial.push_back({target.names().front(), entry.dtype, entry.shape, made->nodes});
    initial_.emplace(entry.key, std::move(made->entry));
  }
  return Unit{};
}

// Determines the outcome for each variable, and the values of matched ones.
Status Transfer::settle(const WeightPairing& pairing) {
  if (!options_.partial) CHECK_OK(initialize(pairing));
  std::map<uint32_t, VariableMatch> matches;  // by the variable's node
  for (size_t i = 0; i < targets_.size(); ++i) {
    const VariableMatch match = match_of(i, pairing);
    const TargetVariable& target = targets_[i];
    const bool matched = match.kind == VariableMatch::kMatched;
    if (matched) CHECK_OK(take(target, weights_[pairing.from_of(static_cast<uint32_t>(i))]));
    for (const Variable& variable : target.variables) {
      VariableMatch own = match;
      own.name = variable.name;
      own.dtype = variable.dtype;
      own.shape = variable.shape;
      own.bytes = matched ? target.bytes_of(variable, new_values_.at(target.key())) : 0;
      matches.emplace(variable.node, std::move(own));
    }
  }
  for (auto& match : matches) matches_.variables.push_back(std::move(match.second));
  return Unit{};
}

void Transfer::report(const WeightPairing& pairing) {
  for (uint32_t i = 0; i < weights_.size(); ++i) {
    if (pairing.is_used(i) || !weights_[i].sure) continue;
    matches_.unused.push_back(weights_[i].given.empty() ? weights_[i].name : weights_[i].given);
  }
  std::vector<std::string> unsaved;
  for (const TargetVariable& target : targets_) {
    const bool lost = !options_.partial && !target.is_saved && new_values_.contains(target.key());
    if (lost) unsaved.push_back(target.names().front());
  }
  if (!unsaved.empty()) {
    diagnostics_.note(
        "not-restored",
        cat("the graph's own saver does not restore ", plural(unsaved.size(), "variable"),
            " that got a value: ", join(unsaved, ", ", kMaxListed)),
        {}, "restore them with a new tf.train.Saver()");
  }
  if (matches_.unused.empty()) return;
  diagnostics_.note("unused-weights",
                    cat(plural(matches_.unused.size(), "weight"), " of '", from_.name, "' ",
                        matches_.unused.size() == 1 ? "goes" : "go",
                        " to no variable: ", join(matches_.unused, ", ", kMaxListed)));
}

// All variables that the saver restores have a value.
Status Transfer::check_values() const {
  if (valueless_.empty()) return Unit{};
  const std::set<std::string> training = training_state(model_);
  const auto slots = std::count_if(valueless_.begin(), valueless_.end(),
                                   [&](const auto& each) { return training.contains(each.first); });
  std::vector<std::string> reasons;
  for (const auto& [name, why] : valueless_) reasons.push_back(cat(name, " (", why, ")"));
  return failure(
      "variables-without-value",
      cat("no value for ", valueless_.size(), " of ", plural(targets_.size(), "variable"),
          slots > 0 ? cat(", ", slots, " of them optimizer slots or counters") : std::string(),
          ": ", join(reasons, ", ", kMaxListed)),
      {},
      "save the model once in TensorFlow and give that checkpoint, find "
      "weights with " OPTION(
          "--rename", "FROM=TO") ", or write the matched variables alone with " SETTING("--partial",
                                                                                        ""));
}

// The matched variables, as a checkpoint without a graph.
Model Transfer::partial_model() const {
  Checkpoint checkpoint;
  for (const auto& value : new_values_) checkpoint.entries.push_back(value.second);
  Model made{Kind::kCheckpoint, model_.name, from_.files};
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

Model Transfer::with_values() const {
  std::map<std::string, CheckpointEntry> entries;
  Checkpoint checkpoint;
  if (model_.checkpoint != nullptr) {
    checkpoint = *model_.checkpoint;
    for (CheckpointEntry& entry : checkpoint.entries) entries.emplace(entry.key, std::move(entry));
  }
  for (const auto& value : new_values_) entries[value.first] = value.second;
  for (const auto& value : initial_) entries[value.first] = value.second;
  checkpoint.entries.clear();
  for (auto& entry : entries) checkpoint.entries.push_back(std::move(entry.second));
  Model made = model_;
  made.files.insert(made.files.end(), from_.files.begin(), from_.files.end());
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

Result<Model> Transfer::run() {
  targets_ = target_variables(model_);
  if (targets_.empty()) {
    return failure("no-target-variables", cat("the graph of '", model_.name, "' has no variables"),
                   {}, "un-freeze it first: its constants become variables");
  }
  CHECK_OK(check_chosen());
  if (options_.no_slots) training_ = training_state(model_);
  for (const TargetVariable& target : targets_) {
    into_.push_back(target.as_weight());
    excluded_.push_back(why_excluded(target));
  }
  TRY(casts, Casts::parse(options_.cast));
  casts_ = std::move(casts);
  TRY(weights, weights_to_take(from_, into_, options_, diagnostics_));
  weights_ = std::move(weights);
  WeightPairing pairing(weights_, into_);
  CHECK_OK(pair(pairing));
  CHECK_OK(settle(pairing));
  CHECK_OK(check_matched(model_, from_, options_.strict, matches_.variables));
  CHECK_OK(check_values());
  CHECK_OK(casts_.finish(diagnostics_));
  report(pairing);
  report_initial(model_, matches_.initial, diagnostics_);
  return options_.partial ? partial_model() : with_values();
}

}  // namespace

Result<Model> transfer(const Model& model, const Model& from, const TransferOptions& options,
                       Matches& matches, Diagnostics& diagnostics) {
  return new_model(model, [&](const Model& own) {
    return Transfer(own, from, options, matches, diagnostics).run();
  });
}

}  // namespace cryo
