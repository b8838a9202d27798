#include "passes/freeze/for_release.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "graph/replaced_nodes.h"
#include "releases/judge_releases.h"
#include "releases/op_downgrades.h"
#include "validate/inferred_shapes.h"

namespace cryo {
namespace {

constexpr size_t kMaxNamed = 5;

std::string node_text(const Blocker& blocker) {
  const std::string place =
      blocker.function.empty() ? "" : cat("in function ", blocker.function, ": ");
  if (blocker.node.empty()) return cat(place, blocker.why);
  const std::string count = blocker.count > 1 ? cat(" (", blocker.count, " nodes)") : "";
  return cat(place, "node ", blocker.node, ", ", blocker.op, ": ", blocker.why, count);
}

// The option that helps: an earlier release cannot, a later one may.
std::string fix_of(const std::vector<TargetVerdict>& verdicts,
                   const std::vector<Blocker>& blockers) {
  const auto runs = std::find_if(verdicts.begin(), verdicts.end(),
                                 [](const TargetVerdict& each) { return each.runs(); });
  for (const Blocker& each : blockers) {
    if (!each.fix.empty()) return each.fix;
  }
  if (runs != verdicts.end()) return cat("choose ", setting("--for", runs->name), ", or later");
  return "replace the nodes that are named";
}

Status check_runs(const TargetRelease& target, const Model& model, const OpRegistry& ops) {
  const GraphVerdict found = check_graph(model.graph, ops, *model.payloads);
  const std::vector<TargetVerdict> verdicts =
      judge_releases(model.graph, target.histories, found, {*model.payloads});
  const TargetVerdict& verdict = verdicts[target.place];
  std::vector<Blocker> blockers = verdict.blockers;
  // The machine that runs the result may have the devices.
  std::erase_if(blockers, [](const Blocker& each) { return each.fix == kFixByClearing; });
  if (blockers.empty()) return Unit{};
  std::vector<std::string> named;
  for (const Blocker& each : blockers) {
    if (named.size() < kMaxNamed) named.push_back(node_text(each));
  }
  const size_t more = blockers.size() - named.size();
  return failure("release-refused",
                 cat("TensorFlow ", target.release().name,
                     verdict.loads() ? " would load the result and not run it: "
                                     : " would not load the result: ",
                     join(named, "; "), more == 0 ? "" : cat("; and ", plural(more, "more cause"))),
                 {.node = blockers.front().node}, fix_of(verdicts, blockers));
}

}  // namespace

Result<TargetRelease> find_release(const std::string& name, const OpRegistry* ops,
                                   std::string_view histories_data) {
  if (histories_data.empty() || ops == nullptr) {
    return failure("ops-not-loaded", "the ops of TensorFlow's releases are not loaded", {},
                   ADVICE("use-native"));
  }
  TRY(histories, OpHistories::parse(histories_data, *ops));
  TRY(place, histories.place_of(name));
  return TargetRelease{std::move(histories), place};
}

bool needs_lowering(const Graph& graph, const TargetVerdict& verdict) {
  std::unordered_set<std::string_view> functions;
  for (const Function& each : graph.functions()) functions.insert(each.name);
  return std::any_of(verdict.blockers.begin(), verdict.blockers.end(), [&](const Blocker& each) {
    if (each.fix == kFixByClearing) return false;
    return !each.function.empty() || is_functional_control_flow(each.op) || is_call(each.op) ||
           functions.contains(each.op);
  });
}

bool needs_lowering(const Model& model, const TargetRelease& target) {
  const std::vector<TargetVerdict> verdicts = judge_releases(
      model.graph, target.histories, {target.place}, GraphVerdict(), {*model.payloads});
  return needs_lowering(model.graph, verdicts.front());
}

Result<Model> fit_to(const TargetRelease& target, const Model& model,
                     const std::vector<std::string>& outputs, const OpRegistry& ops,
                     GraphChanges& changes, Diagnostics& diagnostics) {
  TensorShapes shapes = inferred_shapes(model, &ops, OpDowngrades::deciding_shapes(model.graph));
  const DowngradeContext context{*model.payloads, std::move(shapes), outputs};
  const OpDowngrades forms(model.graph, target.histories, context);
  std::map<uint32_t, std::string> replaced;
  std::vector<std::string> added;
  FreshNames names(model.graph.index().names());
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    auto older = forms.of(i, target.place, names);
    if (!older) continue;
    changes.push_back(
        {std::string(model.graph.nodes()[i].name), kOlderForm, std::move(older->why), false});
    replaced.emplace(i, std::move(older->node_def));
    std::move(older->added.begin(), older->added.end(), std::back_inserter(added));
  }
  Model made = model;
  if (!replaced.empty()) made.graph = with_replaced_nodes(model.graph, replaced, added);
  CHECK_OK(check_runs(target, made, ops));
  diagnostics.note("release-fitted",
                   replaced.empty()
                       ? cat("TensorFlow ", target.release().name, " takes every node as it is")
                       : cat("gave ", plural(replaced.size(), "node"), " the form of TensorFlow ",
                             target.release().name));
  return made;
}

}  // namespace cryo
