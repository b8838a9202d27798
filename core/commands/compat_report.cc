#include "commands/compat_report.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/reference.h"
#include "compat/find_fixes.h"
#include "compat/judge_model.h"
#include "formats/pairing.h"

namespace cryo {
namespace {

// Returns the verdicts in the order of the names, or of the data.
Result<std::vector<TargetVerdict>> judge_named(const Model& model, const Options& options,
                                               const OpRegistry* ops) {
  if (options.compat.histories.empty() || ops == nullptr) {
    return failure("ops-not-loaded", "the ops of TensorFlow's releases are not loaded", {},
                   ADVICE("use-native"));
  }
  TRY(targets,
      find_targets(options.compat.histories, options.compat.runtimes, options.targets, *ops));
  std::vector<size_t> places(targets.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::vector<TargetVerdict> verdicts = judge_model(model, targets, places, {}, *ops);
  find_fixes(model, targets, *ops, verdicts);
  if (options.targets.empty()) return verdicts;
  std::vector<TargetVerdict> ordered;
  for (const std::string& name : options.targets) {
    ordered.push_back(*std::find_if(verdicts.begin(), verdicts.end(),
                                    [&](const auto& each) { return each.name == name; }));
  }
  return ordered;
}

Json blocker_json(const Blocker& blocker) {
  Json json = {{"node", blocker.node}, {"op", blocker.op}};
  if (!blocker.function.empty()) json["function"] = blocker.function;
  if (!blocker.attr.empty()) json["attr"] = blocker.attr;
  json["why"] = blocker.why;
  json["count"] = to_json(blocker.count);
  if (!blocker.stops_loading) json["loads"] = true;
  if (!blocker.fix.empty()) put_text(json, "fix", blocker.fix);
  return json;
}

Json verdict_json(const TargetVerdict& verdict) {
  Json blockers = Json::array();
  for (const Blocker& each : verdict.blockers) blockers.push_back(blocker_json(each));
  Json json = {{"name", verdict.name},
               {"loads", verdict.loads()},
               {"runs", verdict.runs()},
               {"blockers", std::move(blockers)}};
  if (!verdict.version.empty()) json["version"] = verdict.version;
  if (!verdict.fix.empty()) put_text(json, "fix", verdict.fix);
  if (!verdict.cut.empty()) put_text(json, "cut", verdict.cut);
  return json;
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
  Outcome outcome{new_report("compat", model.name, opening),
                  options.targets.empty() || all_run ? kDone : kNo};
  Json targets = Json::array();
  for (const TargetVerdict& verdict : *verdicts) targets.push_back(verdict_json(verdict));
  outcome.report["targets"] = std::move(targets);
  return outcome;
}

}  // namespace cryo
