#include "commands/compat_report.h"

#include <algorithm>
#include <utility>

#include "base/near_names.h"
#include "base/reference.h"
#include "base/text.h"
#include "compat/older_forms.h"
#include "compat/runtimes.h"
#include "compat/verdict.h"
#include "formats/pairing.h"
#include "tensor/dtype.h"

namespace cryo {
namespace {

Runtime::Types read_types(const Json& json) {
  Runtime::Types types;
  for (const auto& [attr, names] : json.items()) {
    uint64_t bits = 0;
    for (const Json& name : names) {
      if (const DTypeInfo* known = find_dtype(name.get<std::string_view>())) {
        bits |= 1ULL << static_cast<unsigned>(known->dtype);
      }
    }
    types.emplace_back(attr, bits);
  }
  return types;
}

Result<std::vector<Runtime>> read_runtimes(std::string_view text) {
  const Json all = Json::parse(text, nullptr, false);
  if (!all.is_array()) return failure("malformed-message", "expected a list of runtimes");
  std::vector<Runtime> runtimes;
  for (const Json& each : all) {
    Runtime runtime{each["name"], each["version"], each["folds_constants"], {}, {}};
    for (const auto& [op, types] : each["ops"].items()) runtime.ops.emplace(op, read_types(types));
    for (const Json& op : each["ranked"]) runtime.ranked.insert(op.get<std::string>());
    runtimes.push_back(std::move(runtime));
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
  for (const Runtime& runtime : runtimes) add_deciding_shapes(graph, runtime, shapes);
  CheckOptions options;
  options.shapes = &shapes;
  const GraphVerdict found = check_graph(graph, *ops, *model.payloads, options);
  std::vector<TargetVerdict> verdicts = judge_releases(graph, histories, found, shapes);
  for (TargetVerdict& verdict : judge_runtimes(graph, runtimes, *ops, found, shapes)) {
    verdicts.push_back(std::move(verdict));
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
  Json json = {{"name", verdict.name},
               {"loads", verdict.loads()},
               {"runs", verdict.runs()},
               {"blockers", std::move(blockers)}};
  if (!verdict.version.empty()) json["version"] = verdict.version;
  if (const std::string fix = verdict.fix(); !fix.empty()) put_text(json, "fix", fix);
  return json;
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
