#include "commands/compat_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "compat/cut_points.h"
#include "compat/fixes_by_freezing.h"
#include "compat/older_forms.h"
#include "compat/runtimes.h"
#include "compat/verdict.h"
#include "formats/pairing.h"
#include "tensor/dtype.h"
#include "wire/json/json_tree.h"

namespace cryo {
namespace {

Runtime::Types read_types(const JsonValue& json) {
  Runtime::Types types;
  for (JsonItems attrs(json); attrs.next();) {
    uint64_t bits = 0;
    for (JsonItems names(attrs.value()); names.next();) {
      if (const DTypeInfo* known = find_dtype(names.value().text())) {
        bits |= 1ULL << static_cast<unsigned>(known->dtype);
      }
    }
    types.emplace_back(attrs.key(), bits);
  }
  return types;
}

std::set<std::string, std::less<>> read_names(const JsonValue& json) {
  std::set<std::string, std::less<>> names;
  for (JsonItems items(json); items.next();) names.emplace(items.value().text());
  return names;
}

Result<std::vector<Runtime>> read_runtimes(std::string_view text) {
  const Result<JsonTree> tree = JsonTree::parse(std::string(text), "runtime_ops.json");
  if (!tree || !tree->root().is_array()) {
    return failure("malformed-message", "expected a list of runtimes");
  }
  std::vector<Runtime> runtimes;
  for (JsonItems all(tree->root()); all.next();) {
    const JsonValue each = all.value();
    Runtime runtime{.name = std::string(each.find("name").text()),
                    .version = std::string(each.find("version").text()),
                    .folds_constants = each.find("folds_constants").is_true(),
                    .ranked = read_names(each.find("ranked")),
                    .guarded = read_names(each.find("guarded")),
                    .forgets_invariants = each.find("forgets_invariants").is_true(),
                    .has_opencv_rules = each.find("has_opencv_rules").is_true()};
    for (JsonItems ops(each.find("ops")); ops.next();) {
      runtime.ops.emplace(ops.key(), read_types(ops.value()));
    }
    runtimes.push_back(std::move(runtime));
  }
  return runtimes;
}

// The targets of a report.
struct Targets {
  OpHistories histories;
  std::vector<size_t> releases = {};  // places in the histories, ascending
  std::vector<Runtime> runtimes = {};
};

Failure unknown_target(const std::string& target, const Targets& all) {
  std::vector<std::string> listed;
  for (const Release& each : all.histories.releases()) listed.push_back(each.target());
  for (const Runtime& each : all.runtimes) listed.push_back(each.name);
  const std::vector<std::string_view> names(listed.begin(), listed.end());
  return failure("bad-option",
                 cat("there is no target '", target, "'", did_you_mean(target, names)), {},
                 cat("name one of ", join(listed, ", ")));
}

// Fails with "bad-option" if there is no target of a name. `names`: empty for all targets.
Status choose(const std::vector<std::string>& names, Targets& targets) {
  const std::vector<Release>& releases = targets.histories.releases();
  const auto is_chosen = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names) {
    const bool known = std::any_of(releases.begin(), releases.end(),
                                   [&](const Release& each) { return each.target() == name; }) ||
                       std::any_of(targets.runtimes.begin(), targets.runtimes.end(),
                                   [&](const Runtime& each) { return each.name == name; });
    if (!known) return unknown_target(name, targets);
  }
  for (size_t i = 0; i < releases.size(); ++i) {
    if (is_chosen(releases[i].target())) targets.releases.push_back(i);
  }
  std::erase_if(targets.runtimes, [&](const Runtime& each) { return !is_chosen(each.name); });
  return Unit{};
}

// A model that was frozen, with calls inlined and control flow lowered.
struct Frozen {
  Model model;
  std::vector<std::string> outputs;
};

std::optional<Frozen> freeze_plainly(const Model& model, const OpRegistry& ops,
                                     const CutPoints& ends, const Optimization& optimization = {}) {
  FreezeOptions options;
  options.selection.inputs = ends.inputs;
  options.selection.outputs = ends.outputs;
  options.lower_control_flow = true;
  options.no_record = true;
  options.optimization = optimization;
  Diagnostics unused;
  auto frozen = freeze(model, options, {&ops}, unused);
  if (!frozen) return std::nullopt;
  return Frozen{std::move(frozen->model), std::move(frozen->selection.outputs)};
}

bool lacks_fix(const TargetVerdict& verdict) {
  return std::any_of(verdict.blockers.begin(), verdict.blockers.end(),
                     [](const Blocker& each) { return each.fix.empty(); });
}

// The nodes of a verdict's blockers without a fix: many targets have the same.
using Unfixed = std::pair<std::vector<uint32_t>, std::set<std::pair<std::string, std::string>>>;

Unfixed unfixed_of(const TargetVerdict& verdict) {
  Unfixed unfixed = {verdict.unfixed, {}};
  for (const Blocker& each : verdict.blockers) {
    if (each.fix.empty()) unfixed.second.emplace(each.function, each.node);
  }
  return unfixed;
}

// The verdicts on a model, with fixes.
class Judgment {
 public:
  Judgment(const Model& model, const Targets& targets, const OpRegistry& ops)
      : model_(model), targets_(targets), ops_(ops) {}

  // Returns the verdicts, those of releases first. Blockers that freezing removes have it as their
  // fix; none do if the model cannot be frozen.
  std::vector<TargetVerdict> run() {
    verdicts_ = judge(model_, targets_.releases, targets_.runtimes, {});
    if (std::none_of(verdicts_.begin(), verdicts_.end(), needs_frozen)) return std::move(verdicts_);
    const auto frozen = freeze_plainly(model_, ops_, {});
    if (!frozen) return std::move(verdicts_);
    const std::vector<TargetVerdict> then =
        judge(frozen->model, targets_.releases, targets_.runtimes, frozen->outputs);
    for (size_t i = 0; i < verdicts_.size(); ++i) {
      add_fixes(verdicts_[i], then[i], is_release(i) ? kFixByForm : kFixByLowering);
    }
    fold();
    narrow(*frozen, then);
    return std::move(verdicts_);
  }

 private:
  bool is_release(size_t place) const { return place < targets_.releases.size(); }

  std::vector<TargetVerdict> judge(const Model& model, const std::vector<size_t>& releases,
                                   const std::vector<Runtime>& runtimes,
                                   const std::vector<std::string>& outputs) const {
    const Graph& graph = model.graph;
    FormContext context{*model.payloads, {}, outputs};
    TensorShapes& shapes = context.shapes;
    if (!releases.empty()) shapes = OlderForms::deciding_shapes(graph);
    for (const Runtime& runtime : runtimes) add_deciding_shapes(graph, runtime, shapes);
    CheckOptions options;
    options.shapes = &shapes;
    const GraphVerdict found = check_graph(graph, ops_, *model.payloads, options);
    std::vector<TargetVerdict> verdicts =
        judge_releases(graph, targets_.histories, releases, found, context);
    for (TargetVerdict& each :
         judge_runtimes(graph, *model.payloads, runtimes, ops_, found, shapes)) {
      verdicts.push_back(std::move(each));
    }
    return verdicts;
  }

  // Names the folding of constants as the fix if a runtime that does not fold them runs what comes
  // of it.
  void fold() {
    Optimization options;
    for (const char* fix : {kFixByFolding, kFixByFoldingAll}) {
      options.fold_batch_norm = options.fold_constants;
      options.fold_constants = true;
      std::vector<size_t> places;
      for (size_t i = targets_.releases.size(); i < verdicts_.size(); ++i) {
        const bool folds = targets_.runtimes[i - targets_.releases.size()].folds_constants;
        if (!folds && lacks_fix(verdicts_[i])) places.push_back(i);
      }
      try_frozen(fix, {}, places, options);
    }
  }

  // Names the ends of a part of the graph as the fix of blockers that nothing else removes. Targets
  // that need the same part are judged on it together. `then`: the verdicts on the frozen model.
  void narrow(const Frozen& frozen, const std::vector<TargetVerdict>& then) {
    std::map<Unfixed, std::optional<CutPoints>> known;
    std::map<std::string, std::pair<CutPoints, std::vector<size_t>>> parts;
    for (size_t i = 0; i < verdicts_.size(); ++i) {
      if (!lacks_fix(verdicts_[i])) continue;
      const auto [found, is_new] = known.try_emplace(unfixed_of(then[i]));
      if (is_new) {
        found->second = find_cut_points(frozen.model.graph, then[i], frozen.outputs, ops_);
      }
      if (!found->second) continue;
      auto& [ends, places] = parts[found->second->fix()];
      ends = *found->second;
      places.push_back(i);
    }
    for (const auto& [fix, part] : parts) try_frozen(fix, part.first, part.second);
  }

  // Names `fix`, which freezes the model with these ends and options, where it leaves no blocker
  // without a fix. `places`: of the targets.
  void try_frozen(const std::string& fix, const CutPoints& ends, const std::vector<size_t>& places,
                  const Optimization& options = {}) {
    if (places.empty()) return;
    const auto frozen = freeze_plainly(model_, ops_, ends, options);
    if (!frozen) return;
    std::vector<size_t> releases;
    std::vector<Runtime> runtimes;
    for (const size_t place : places) {
      if (is_release(place)) {
        releases.push_back(targets_.releases[place]);
      } else {
        runtimes.push_back(targets_.runtimes[place - targets_.releases.size()]);
      }
    }
    const std::vector<TargetVerdict> then =
        judge(frozen->model, releases, runtimes, frozen->outputs);
    for (size_t i = 0; i < places.size(); ++i) {
      if (!lacks_fix(then[i])) add_fixes(verdicts_[places[i]], then[i], fix);
    }
  }

  const Model& model_;
  const Targets& targets_;
  const OpRegistry& ops_;
  std::vector<TargetVerdict> verdicts_;
};

// Returns the verdicts in the order of the names, or of the data.
Result<std::vector<TargetVerdict>> judge_named(const Model& model, const Options& options,
                                               const OpRegistry* ops) {
  if (options.compat.histories.empty() || ops == nullptr) {
    return failure("ops-not-loaded", "the ops of TensorFlow's releases are not loaded", {},
                   ADVICE("use-native"));
  }
  TRY(histories, OpHistories::parse(options.compat.histories, *ops));
  TRY(runtimes, read_runtimes(options.compat.runtimes));
  Targets targets{.histories = std::move(histories), .runtimes = std::move(runtimes)};
  CHECK_OK(choose(options.targets, targets));
  std::vector<TargetVerdict> verdicts = Judgment(model, targets, *ops).run();
  if (options.targets.empty()) return verdicts;
  std::vector<TargetVerdict> ordered;
  for (const std::string& name : options.targets) {
    ordered.push_back(*std::find_if(verdicts.begin(), verdicts.end(),
                                    [&](const auto& each) { return each.name == name; }));
  }
  return ordered;
}

void write_blocker(JsonWriter& json, const Blocker& blocker) {
  json.begin_object();
  json.members("node", blocker.node, "op", blocker.op);
  if (!blocker.function.empty()) json.member("function", blocker.function);
  if (!blocker.attr.empty()) json.member("attr", blocker.attr);
  json.members("why", blocker.why, "count", blocker.count);
  if (!blocker.stops_loading) json.member("loads", true);
  if (!blocker.fix.empty()) write_texts(json, {{"fix", blocker.fix}});
  json.end_object();
}

void write_verdict(JsonWriter& json, const TargetVerdict& verdict) {
  json.begin_object();
  json.members("name", verdict.name, "loads", verdict.loads(), "runs", verdict.runs());
  json.list("blockers", verdict.blockers, [&](const Blocker& each) { write_blocker(json, each); });
  if (!verdict.version.empty()) json.member("version", verdict.version);
  if (const std::string fix = verdict.fix(); !fix.empty()) write_texts(json, {{"fix", fix}});
  json.end_object();
}

}  // namespace

Outcome run_compat(const Model& model, const Options& options, const OpRegistry* ops,
                   const Diagnostics& opening) {
  const Status graph = require_graph(model);
  if (!graph) return cannot("compat", model.name, graph.error(), opening);
  const auto verdicts = judge_named(model, options, ops);
  if (!verdicts) return cannot("compat", model.name, verdicts.error(), opening);
  const bool all_run = std::all_of(verdicts->begin(), verdicts->end(),
                                   [](const TargetVerdict& each) { return each.runs(); });
  Outcome outcome{{"compat", model.name, opening},
                  options.targets.empty() || all_run ? kDone : kNo};
  JsonWriter& members = outcome.report.members;
  members.list("targets", *verdicts,
               [&](const TargetVerdict& each) { write_verdict(members, each); });
  return outcome;
}

}  // namespace cryo
