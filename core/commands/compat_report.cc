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
  if (!verdict.fix.empty()) write_texts(json, {{"fix", verdict.fix}});
  if (!verdict.cut.empty()) write_texts(json, {{"cut", verdict.cut}});
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
