#include "compat/judge_model.h"

#include <algorithm>
#include <utility>

#include "base/suggestions.h"
#include "base/text.h"
#include "compat/judge_runtimes.h"
#include "releases/judge_releases.h"
#include "validate/check_graph.h"

namespace cryo {
namespace {

Failure unknown_target(const std::string& target, const Targets& all) {
  std::vector<std::string> listed;
  for (const Release& each : all.histories.releases()) listed.push_back(each.target());
  for (const Runtime& each : all.runtimes) listed.push_back(each.name);
  const std::vector<std::string_view> names(listed.begin(), listed.end());
  return failure("bad-option",
                 cat("there is no target '", target, "'", did_you_mean(target, names)), {},
                 cat("name one of ", join(listed, ", ")));
}

bool has_name(const Targets& all, const std::string& name) {
  const std::vector<Release>& releases = all.histories.releases();
  return std::any_of(releases.begin(), releases.end(),
                     [&](const Release& each) { return each.target() == name; }) ||
         std::any_of(all.runtimes.begin(), all.runtimes.end(),
                     [&](const Runtime& each) { return each.name == name; });
}

}  // namespace

Result<Targets> find_targets(std::string_view histories, std::string_view runtimes,
                             const std::vector<std::string>& names, const OpRegistry& ops) {
  TRY(all_histories, OpHistories::parse(histories, ops));
  TRY(all_runtimes, read_runtimes(std::string(runtimes)));
  Targets targets{.histories = std::move(all_histories), .runtimes = std::move(all_runtimes)};
  for (const std::string& name : names) {
    if (!has_name(targets, name)) return unknown_target(name, targets);
  }
  const auto is_chosen = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  const std::vector<Release>& releases = targets.histories.releases();
  for (size_t i = 0; i < releases.size(); ++i) {
    if (is_chosen(releases[i].target())) targets.releases.push_back(i);
  }
  std::erase_if(targets.runtimes, [&](const Runtime& each) { return !is_chosen(each.name); });
  return targets;
}

std::vector<TargetVerdict> judge_model(const Model& model, const Targets& targets,
                                       const std::vector<size_t>& places,
                                       const std::vector<std::string>& outputs,
                                       const OpRegistry& ops) {
  std::vector<size_t> releases;
  std::vector<const Runtime*> runtimes;
  for (const size_t place : places) {
    if (targets.is_release(place)) {
      releases.push_back(targets.releases[place]);
    } else {
      runtimes.push_back(&targets.runtimes[place - targets.releases.size()]);
    }
  }
  const Graph& graph = model.graph;
  DowngradeContext context{*model.payloads, {}, outputs};
  if (!releases.empty()) context.shapes = OpDowngrades::deciding_shapes(graph);
  for (const Runtime* each : runtimes) add_deciding_shapes(graph, *each, context.shapes);
  CheckOptions options;
  options.shapes = &context.shapes;
  const GraphVerdict found = check_graph(graph, ops, *model.payloads, options);
  std::vector<TargetVerdict> verdicts =
      judge_releases(graph, targets.histories, releases, found, context);
  if (runtimes.empty()) return verdicts;
  const RuntimeGraph judged = runtime_graph(graph, *model.payloads, ops, found, context.shapes);
  for (const Runtime* each : runtimes) verdicts.push_back(judge_runtime(judged, *each));
  return verdicts;
}

}  // namespace cryo
