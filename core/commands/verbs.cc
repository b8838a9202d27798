#include "commands/verbs.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/codes/codes.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "commands/compat_report.h"
#include "commands/diff_report.h"
#include "commands/draw_verb.h"
#include "commands/inspect.h"
#include "commands/list.h"
#include "commands/made_model_json.h"
#include "commands/make_model.h"
#include "formats/arrays/arrays.h"
#include "formats/pairing.h"
#include "formats/write.h"
#include "model/analysis/stats.h"
#include "passes/common/function_entry.h"
#include "passes/common/with_signatures.h"
#include "passes/variables/listed_variables.h"
#include "validate/repair.h"
#include "validate/validate.h"

namespace cryo {
namespace {

using Models = std::vector<const Model*>;

// Reads everything that has a checksum. Returns true if all are right, and nothing is missing.
bool verify_checksums(const Model& model, Diagnostics& diagnostics) {
  bool good = true;
  for (const auto& list : model.checks) {
    for (const auto& check : list->all()) {
      const Status verified = check->finish();
      if (!verified) diagnostics.add(verified.error());
      good = good && verified.ok();
    }
  }
  if (model.checkpoint == nullptr) return good;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    good = good && entry.fault == nullptr;
  }
  return good;
}

Outcome run_inspect(const Model& model, const Options& options, const OpRegistry* ops,
                    const Diagnostics& opening) {
  const Result<Model> entered = with_function_entry(model, options.function);
  if (!entered) return cannot("inspect", model.name, entered.error(), opening);
  Diagnostics diagnostics = opening;
  const bool good = !options.checksum || verify_checksums(model, diagnostics);
  Outcome outcome{{"inspect", model.name, diagnostics}, good ? kDone : kCannot};
  inspect(*entered, ops, outcome.report.members);
  return outcome;
}

Outcome run_list(const Model& model, const Options& options, const OpRegistry* ops,
                 const Diagnostics& diagnostics) {
  Outcome outcome{{"list", model.name, diagnostics}};
  const Status listed = list(model, options, ops, outcome);
  if (!listed) return cannot("list", model.name, listed.error(), diagnostics);
  return outcome;
}

Outcome verdict(const Model& model, const Options& options, const OpRegistry* ops,
                Diagnostics diagnostics, const GraphVerdict* known = nullptr) {
  const bool imports = validate(model, ops, diagnostics, known);
  if (options.checksum) verify_checksums(model, diagnostics);
  // Weights alone are valid when each of them can be read.
  const bool valid = imports && (model.has_graph || diagnostics.count(Severity::kError) == 0);
  const auto& all = diagnostics.all();
  const bool runs = std::none_of(all.begin(), all.end(),
                                 [](const Diagnostic& each) { return fails_when_run(each.code); });
  const bool sound = valid && runs && diagnostics.count(Severity::kError) == 0;
  const bool yes = sound && !(options.strict && diagnostics.count(Severity::kWarning) > 0);
  Outcome outcome{{"validate", model.name, diagnostics}, yes ? kDone : kNo};
  JsonWriter& members = outcome.report.members;
  members.member("valid", valid);
  if (!model.has_graph) members.member("weightsAlone", true);
  const std::string release = ops == nullptr ? "" : ops->tensorflow_version();
  if (model.has_graph && !release.empty()) members.member("release", release);
  members.member("sound", sound);
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    members.member(cat(severity_name(severity), "s"), diagnostics.count(severity));
  }
  return outcome;
}

// Returns what opening found, missing weights as errors. They stop other verbs only when these need
// one of them.
Diagnostics judged(const Diagnostics& opening) {
  Diagnostics all;
  for (Diagnostic each : opening.all()) {
    const bool missing = each.code == "missing-shard" || each.code == "variables-missing";
    if (missing) each.severity = Severity::kError;
    all.add(std::move(each));
  }
  return all;
}

bool has_format(const WriteOptions& options) { return !options.as.empty() || !options.out.empty(); }

// Fails if a format is requested that does not hold the model that a verb made.
Status check_held(const Model& made, const Options& options) {
  if (!has_format(options.write)) return Unit{};
  if (!options.edit.added_signatures.empty()) {
    CHECK_OK(check_signatures_held(made, options.write));
  }
  return is_for_arrays(made, options.write) ? require_weights(made) : Unit{};
}

Outcome run_validate(const Model& model, const Options& options, const OpRegistry* ops,
                     const Diagnostics& opening) {
  if (!options.fix && options.write.out.empty()) {
    return verdict(model, options, ops, judged(opening));
  }
  if (!options.fix) {
    return cannot("validate", model.name,
                  *failure("bad-option", "validate writes a repaired model alone", {},
                           ADVICE("write-repaired")));
  }
  std::vector<Repaired> repaired;
  std::optional<GraphVerdict> known;
  Model made = repair(model, ops, repaired, &known);
  const Status held = check_held(made, options);
  if (!held) return cannot("validate", model.name, held.error(), opening);
  Outcome outcome = verdict(made, options, ops, judged(opening), known ? &*known : nullptr);
  outcome.report.members.list("repaired", repaired, [&](const Repaired& each) {
    outcome.report.members.object("code", each.code, "where", each.where, "what", each.what);
  });
  outcome.model = std::move(made);
  return outcome;
}

// Adds counts of a model, and of more models together with it.
void add_stats(std::string_view name, const Model& model, const Models& more, JsonWriter& members) {
  Stats stats = stats_of(model);
  for (const Model* each : more) {
    const Stats added = stats_of(*each);
    stats.nodes += added.nodes;
    stats.variables += added.variables;
    stats.constants += added.constants;
    stats.bytes += added.bytes;
  }
  members.key(name);
  members.object("nodes", stats.nodes, "variables", stats.variables, "constants", stats.constants,
                 "bytes", stats.bytes);
}

// Returns the names of nodes that the new model has no more, in the old one's order.
std::vector<std::string_view> removed_nodes(const Model& before, const Model& after) {
  std::unordered_set<std::string_view> kept;
  for (const Node& node : after.graph.nodes()) kept.insert(node.name);
  std::vector<std::string_view> removed;
  for (const Node& node : before.graph.nodes()) {
    if (!kept.contains(node.name)) removed.push_back(node.name);
  }
  return removed;
}

Failure needs_other(std::string_view verb) {
  return failure("bad-option", cat(verb, " takes two models, and there is one"), {},
                 "give the other one");
}

Outcome run_pair(const Model& model, const Options& options, const OpRegistry*,
                 const Diagnostics& opening) {
  if (options.other() == nullptr) {
    return cannot("diff", model.name, *needs_other("diff"), opening);
  }
  return run_diff(model, options, opening);
}

// Returns true if the output is a graph alone.
bool is_for_graph(const Model& model, const WriteOptions& options) {
  return has_format(options) && is_for_graph_alone(model, options);
}

// Refuses options that do not combine. The output of TensorFlow's own tools is a graph alone.
Status check_options(const Model& model, const Options& options) {
  if (!options.conflict.empty()) {
    return failure("bad-option", options.conflict, {}, "choose one of them");
  }
  const WriteOptions& write = options.write;
  if (!options.freeze.like_tensorflow || !has_format(write) || is_for_graph(model, write))
    return Unit{};
  const std::string other = write.as.empty() ? setting("-o", write.out) : setting("--as", write.as);
  return failure("bad-option",
                 cat(OPTION("--like-tensorflow", "") " and ", other, " make no sense together"), {},
                 "choose one of them");
}

// Removes findings that do not concern the output: a graph alone has no collections, so removed
// entries do not matter.
Diagnostics diagnostics_of(const Diagnostics& all, const Model& made, const WriteOptions& options) {
  if (!is_for_graph(made, options)) return all;
  Diagnostics reported;
  for (const Diagnostic& each : all.all()) {
    if (each.code != "collection-dropped") reported.add(each);
  }
  return reported;
}

// Adds the members of the report on a verb that made a model.
void add_members(const ModelVerb& maker, const Model& model, const Options& options,
                 const MadeModel& made, JsonWriter& members) {
  const bool joins = maker.name == "weights";
  if (options.other() != nullptr && !joins) {
    members.member(maker.needs_other ? "from" : "joined", options.other()->name);
  }
  if (!made.outputs.empty()) members.member("graphOutputs", made.outputs);
  if (made.guessed) members.member("guess", true);
  add_stats("before", model, joins ? options.others : Models(), members);
  add_stats("after", made.model, {}, members);
  // A short text does not show them: of a training graph they are nearly all of its nodes.
  // An edit renames nodes and removes none.
  const bool lists_removed = made.model.has_graph && !options.brief && maker.name != "edit";
  members.member("removed", lists_removed ? removed_nodes(model, made.model)
                                          : std::vector<std::string_view>());
  add_conversions("converted", made.converted, members);
  const FreezeOptions& freeze = options.freeze;
  if (freeze.inference || freeze.optimization.is_requested() || !freeze.for_release.empty() ||
      maker.name == "edit") {
    add_changes(made.changes, members);
  }
  if (made.redacted) add_redacted(*made.redacted, members);
  if (options.open.salvage) add_lost(made.losses.lost, members);
  if (options.open.salvage && model.has_graph) add_incomplete(made.losses.incomplete, members);
  if (!made.candidates.empty()) add_conversions("candidates", made.candidates, members);
  const bool explains = made.model.has_graph && !made.outputs.empty();
  if (explains && (options.json || options.verbose)) add_needed_by(made, members);
  if (maker.needs_other) add_matches(made.matches, members);
}

// Runs a verb that makes a model. `verb`: the requested verb, for the report.
Outcome run(std::string_view verb, const ModelVerb& maker, const Model& model,
            const Options& options, const OpRegistry* ops, const Diagnostics& opening) {
  const Status graph = require_graph(model);
  if (maker.needs_graph && !graph) return cannot(verb, model.name, graph.error(), opening);
  if (maker.needs_other && options.other() == nullptr) {
    return cannot(verb, model.name, *needs_other(verb), opening);
  }
  const Status combined = check_options(model, options);
  if (!combined) return cannot(verb, model.name, combined.error(), opening);
  Diagnostics diagnostics = opening;
  MadeModel made;
  const Status ran = make_model(maker, model, options, ops, diagnostics, made);
  if (!ran) {
    Outcome outcome = cannot(verb, model.name, ran.error(), diagnostics);
    if (!made.matches.variables.empty()) add_matches(made.matches, outcome.report.members);
    return outcome;
  }
  const Status held = check_held(made.model, options);
  if (!held) return cannot(verb, model.name, held.error(), diagnostics);
  if (has_format(options.write)) {
    Result<Model> fitted = for_collections(made.model, options.write);
    if (!fitted) return cannot(verb, model.name, fitted.error(), diagnostics);
    made.model = std::move(*fitted);
  }
  Outcome outcome{
      {std::string(verb), model.name, diagnostics_of(diagnostics, made.model, options.write)}};
  add_members(maker, model, options, made, outcome.report.members);
  outcome.outputs = std::move(made.outputs);
  outcome.model = std::move(made.model);
  return outcome;
}

// Arrays alone are the weights.
const ModelVerb* maker_of(std::string_view verb, const Model& model, const Options& options) {
  const bool arrays = verb == "convert" && is_for_arrays(model, options.write);
  return find_model_verb(arrays ? "weights" : verb);
}

// A verb that makes no model of another.
struct Verb {
  std::string_view name;
  Outcome (*run)(const Model& model, const Options& options, const OpRegistry* ops,
                 const Diagnostics& opening);
};
constexpr std::array kVerbs = {Verb{"inspect", run_inspect},   Verb{"list", run_list},
                               Verb{"validate", run_validate}, Verb{"compat", run_compat},
                               Verb{"draw", run_draw},         Verb{"diff", run_pair}};

Outcome dispatch(std::string_view verb, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening) {
  for (const Verb& each : kVerbs) {
    if (each.name == verb) return each.run(model, options, ops, opening);
  }
  if (const ModelVerb* maker = maker_of(verb, model, options)) {
    return run(verb, *maker, model, options, ops, opening);
  }
  return cannot(verb, model.name, *failure("bad-option", cat("there is no verb '", verb, "'")));
}

}  // namespace

Status check_signatures_held(const Model& made, const WriteOptions& options) {
  if (writes_signatures(made, options)) return Unit{};
  TRY(format, format_name(made, options));
  return failure(
      "bad-option", cat("expected a format that holds signatures; ", quoted(format), " does not"),
      {},
      "write a SavedModel (" OPTION("-o", "NAME/") ") or a .meta (" OPTION("-o", "NAME.meta") ")");
}

Outcome run_verb(std::string_view verb, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening) {
  const std::vector<std::string>& keys = options.signatures;
  // These choose outputs by them.
  const bool by_outputs = verb == "prune" || verb == "freeze" || verb == "weights";
  if (keys.empty() || by_outputs) return dispatch(verb, model, options, ops, opening);
  const Result<Model> chosen = with_signatures(model, keys);
  if (!chosen) return cannot(verb, model.name, chosen.error(), opening);
  Options both = options;
  const Model* other = options.other();
  const bool compares = verb == "diff" && other != nullptr;
  const Result<Model> chosen_other =
      compares ? with_signatures(*other, keys) : Result<Model>(Model());
  if (!chosen_other) return cannot(verb, other->name, chosen_other.error(), opening);
  if (compares) both.others = {&*chosen_other};
  return dispatch(verb, *chosen, both, ops, opening);
}

Outcome cannot(std::string_view verb, const std::string& model, const Diagnostic& error,
               const Diagnostics& before) {
  Diagnostics all = before;
  all.add(error);
  return {{std::string(verb), model, all}, status_of(error)};
}

ExitStatus status_of(const Diagnostic& error) {
  const bool command_line = error.code == "usage" || error.code == "bad-option" ||
                            error.code == "unknown-format" || error.code == "unknown-code";
  return command_line ? kBadCommandLine : kCannot;
}

}  // namespace cryo
