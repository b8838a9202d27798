#include "commands/compat_report.h"

#include <algorithm>

#include "base/near_names.h"
#include "base/reference.h"
#include "base/text.h"
#include "compat/older_forms.h"
#include "compat/verdict.h"
#include "formats/pairing.h"

namespace cryo {
namespace {

// Keeps TensorFlow.js alone. TensorFlow Lite has its own ops for While and If, which the list of
// "select" ops lacks. The list of tf2onnx lacks handlers that a base class gives (Add, Mul).
Result<std::vector<RuntimeOps>> read_runtimes(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return failure("malformed-message", "expected a list of runtimes");
  std::vector<RuntimeOps> runtimes;
  for (const Json& each : json) {
    if (each["name"] != "tfjs") continue;
    runtimes.push_back({each["name"], each["ops"].get<std::vector<std::string>>()});
  }
  return runtimes;
}

Result<std::vector<TargetVerdict>> judge_all(const Model& model, const CompatData& data,
                                             const OpRegistry* ops) {
  if (data.histories.empty() || ops == nullptr) {
    return failure("ops-not-loaded", "the ops of TensorFlow's releases are not loaded", {},
                   ADVICE("use-native"));
  }
  TRY(histories, OpHistories::parse(data.histories, *ops));
  TRY(runtimes, read_runtimes(data.runtimes));
  const Graph& graph = model.graph;
  TensorShapes shapes = OlderForms(graph, histories, {}, {}).deciding_shapes();
  CheckOptions options;
  options.shapes = &shapes;
  const GraphVerdict found = check_graph(graph, *ops, *model.payloads, options);
  std::vector<TargetVerdict> verdicts = judge_releases(graph, histories, found, shapes);
  for (const RuntimeOps& runtime : runtimes) {
    verdicts.push_back(judge_runtime(graph, runtime, found));
  }
  return verdicts;
}

// Keeps the verdicts of the named targets, in their order.
Result<std::vector<TargetVerdict>> chosen(std::vector<TargetVerdict> verdicts,
                                          const std::vector<std::string>& targets) {
  if (targets.empty()) return verdicts;
  std::vector<TargetVerdict> kept;
  for (const std::string& target : targets) {
    const auto found = std::find_if(verdicts.begin(), verdicts.end(),
                                    [&](const auto& verdict) { return verdict.name == target; });
    if (found != verdicts.end()) {
      kept.push_back(*found);
      continue;
    }
    std::vector<std::string_view> names;
    std::vector<std::string> listed;
    for (const TargetVerdict& each : verdicts) {
      names.push_back(each.name);
      listed.push_back(each.name);
    }
    return failure("bad-option",
                   cat("there is no target '", target, "'", did_you_mean(target, names)), {},
                   cat("name one of ", join(listed, ", ")));
  }
  return kept;
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
  return {{"name", verdict.name},
          {"loads", verdict.loads()},
          {"runs", verdict.runs()},
          {"blockers", std::move(blockers)}};
}

}  // namespace

Outcome run_compat(const Model& model, const Options& options, const OpRegistry* ops,
                   const Diagnostics& opening) {
  const Status graph = require_graph(model);
  if (!graph) return cannot("compat", model.name, graph.error(), opening);
  auto all = judge_all(model, options.compat, ops);
  if (!all) return cannot("compat", model.name, all.error(), opening);
  const auto verdicts = chosen(std::move(*all), options.targets);
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
