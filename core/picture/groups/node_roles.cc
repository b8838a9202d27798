#include "picture/groups/node_roles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "graph/analysis/inference_subgraph.h"
#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "graph/walk.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, kRoleCount> kNames = {
    "inference", "pipeline", "training", "saving", "initialization", "summary"};
constexpr std::array<std::string_view, kRoleCount> kTitles = {
    "Inference", "Input pipeline", "Training", "Saving", "Initialization", "Summaries"};

// The role that an op has wherever it is.
std::optional<NodeRole> role_of_op(std::string_view op) {
  if (is_saver_op(op)) return NodeRole::kSaving;
  if (op.find("Summary") != std::string_view::npos) return NodeRole::kSummary;
  if (is_training_step(op)) return NodeRole::kTraining;
  if (is_assignment(op) || op.ends_with("IsInitialized") || op.ends_with("IsInitializedOp") ||
      op.starts_with("InitializeTable"))
    return NodeRole::kInitialization;
  if (is_update(op)) return NodeRole::kTraining;
  const bool dataset = op.ends_with("Dataset") || op.ends_with("DatasetV2");
  const bool queue = op.find("Queue") != std::string_view::npos;
  if (dataset || queue || op.find("Iterator") != std::string_view::npos ||
      op.find("Reader") != std::string_view::npos)
    return NodeRole::kPipeline;
  return std::nullopt;
}

bool is_weight(std::string_view op) {
  return op == "Const" || is_variable(op) || op == "ReadVariableOp";
}

using KnownRoles = std::vector<std::optional<NodeRole>>;  // of a main graph, by node

bool is_inference(const KnownRoles& roles, uint32_t node) {
  return roles[node] == NodeRole::kInference;
}

// Returns the roles that ops and names tell.
KnownRoles roles_by_op(const Graph& graph) {
  const std::vector<Node>& nodes = graph.nodes();
  const NodeSet& excluded = graph.index().inference().excluded;
  KnownRoles roles(nodes.size());
  std::unordered_map<std::string_view, std::optional<NodeRole>> known;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!excluded[i]) {
      roles[i] = NodeRole::kInference;
      continue;
    }
    const auto [found, is_new] = known.try_emplace(nodes[i].op);
    if (is_new) found->second = role_of_op(nodes[i].op);
    roles[i] = found->second;
    if (!roles[i] && in_gradients(nodes[i].name)) roles[i] = NodeRole::kTraining;
  }
  return roles;
}

// Returns the calls of functions that save or restore, as TensorFlow 2 does.
std::vector<uint32_t> saver_calls(const Graph& graph) {
  std::unordered_map<std::string_view, bool> savers;
  for (const Function& function : graph.functions()) {
    const auto body = body_nodes(function);
    savers[function.name] = body && std::any_of(body->begin(), body->end(), [](const Node& node) {
                              return is_saver_op(node.op);
                            });
  }
  return nodes_where(savers.empty() ? 0 : graph.nodes().size(), [&](uint32_t node) {
    if (!is_call(graph.nodes()[node].op)) return false;
    const auto found = savers.find(called_function(graph.nodes()[node]));
    return found != savers.end() && found->second;
  });
}

// Excludes what no inference node takes and what is no result either: a weight, an input of
// training, a computation with shapes, and what no input reaches, if some result is fed.
void exclude_unused(const Graph& graph, KnownRoles& roles) {
  const std::vector<Node>& nodes = graph.nodes();
  const InferenceSubgraph& forward = graph.index().inference();
  const NodeSet& fed = forward.measures.fed;
  bool any_fed = false;
  std::vector<uint32_t> users(nodes.size(), 0);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (const Consumer& consumer : graph.index().consumers().of(i)) {
      users[i] += is_inference(roles, consumer.node) ? 1U : 0U;
    }
    any_fed = any_fed ||
              (is_inference(roles, i) && users[i] == 0 && fed[i] && !is_placeholder(nodes[i].op));
  }
  const auto can_be_unused = [&](uint32_t node) {
    if (!is_inference(roles, node)) return false;
    const std::string_view op = nodes[node].op;
    if (is_placeholder(op)) return !graph.index().consumers().of(node).empty();
    return is_weight(op) || forward.of_shapes[node] || (any_fed && !fed[node]);
  };
  std::vector<uint32_t> unused = nodes_where(
      nodes.size(), [&](uint32_t node) { return users[node] == 0 && can_be_unused(node); });
  while (!unused.empty()) {
    const uint32_t node = unused.back();
    unused.pop_back();
    roles[node].reset();
    for (const Edge& edge : graph.index().edges().inputs(node)) {
      if (edge.node == kNoNode || users[edge.node] == 0 || --users[edge.node] > 0) continue;
      if (can_be_unused(edge.node)) unused.push_back(edge.node);
    }
  }
}

// Gives nodes without a role that of a neighbor: first to the producers of inputs, then to
// consumers.
void spread(const Graph& graph, std::vector<uint32_t> starts, KnownRoles& roles) {
  const auto take_role = [&](uint32_t from, const auto& edge) {
    if (roles[edge.node]) return false;
    roles[edge.node] = roles[from];
    starts.push_back(edge.node);
    return true;
  };
  walk_back(graph.index().edges(), std::vector(starts), take_role);
  walk_forward(graph.index().edges(), std::vector(starts), take_role);
}

std::vector<NodeRole> roles_of(const Graph& graph) {
  KnownRoles known = roles_by_op(graph);
  std::vector<uint32_t> starts = nodes_where(
      known.size(), [&](uint32_t node) { return known[node] && !is_inference(known, node); });
  for (const uint32_t call : saver_calls(graph)) {
    if (is_inference(known, call)) starts.push_back(call);
    known[call] = NodeRole::kSaving;
  }
  exclude_unused(graph, known);
  spread(graph, std::move(starts), known);
  std::vector<NodeRole> roles;
  for (const auto& role : known) roles.push_back(role.value_or(NodeRole::kTraining));
  const bool any = std::find(roles.begin(), roles.end(), NodeRole::kInference) != roles.end();
  if (!any) std::fill(roles.begin(), roles.end(), NodeRole::kInference);
  return roles;
}

}  // namespace

std::string_view role_name(NodeRole role) { return kNames[static_cast<size_t>(role)]; }
std::string_view role_title(NodeRole role) { return kTitles[static_cast<size_t>(role)]; }

std::vector<NodeRole> node_roles(const Graph& graph, const Scene& scene) {
  std::vector<NodeRole> roles(scene.size(), NodeRole::kInference);
  if (!scene.bodies()[kOutermost].function.empty()) return roles;
  const std::vector<NodeRole> of_graph = roles_of(graph);
  for (const SceneBody& body : scene.bodies()) {
    for (uint32_t i = body.first; i < body.first + body.count; ++i) {
      // The nodes of the outermost body are in the graph's order.
      const uint32_t at = body.call == nullptr
                              ? static_cast<uint32_t>(&scene.node(i) - graph.nodes().data())
                              : body.caller;
      roles[i] = of_graph[at];
    }
  }
  return roles;
}

}  // namespace cryo
