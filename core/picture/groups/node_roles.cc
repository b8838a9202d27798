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

// Finds the roles of a main graph.
class RoleFinder {
 public:
  explicit RoleFinder(const Graph& graph)
      : graph_(graph),
        nodes_(graph.nodes()),
        forward_(graph.index().inference()),
        roles_(nodes_.size()) {}

  std::vector<NodeRole> find() {
    seed();
    exclude_savers();
    exclude_unused();
    spread_to_inputs();
    spread_to_consumers();
    std::vector<NodeRole> roles;
    roles.reserve(nodes_.size());
    bool any = false;
    for (const auto& role : roles_) {
      roles.push_back(role.value_or(NodeRole::kTraining));
      any = any || roles.back() == NodeRole::kInference;
    }
    if (!any) std::fill(roles.begin(), roles.end(), NodeRole::kInference);
    return roles;
  }

 private:
  bool is_inference(uint32_t node) const { return roles_[node] == NodeRole::kInference; }

  void seed() {
    std::unordered_map<std::string_view, std::optional<NodeRole>> known;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!forward_.excluded[i]) {
        roles_[i] = NodeRole::kInference;
        continue;
      }
      const auto [found, is_new] = known.try_emplace(nodes_[i].op);
      if (is_new) found->second = role_of_op(nodes_[i].op);
      roles_[i] = found->second;
      if (!roles_[i] && in_gradients(nodes_[i].name)) roles_[i] = NodeRole::kTraining;
      if (roles_[i]) order_.push_back(i);
    }
  }

  // TensorFlow 2 saves and restores in functions.
  void exclude_savers() {
    std::unordered_map<std::string_view, bool> savers;
    for (const Function& function : graph_.functions()) {
      const auto body = body_nodes(function);
      savers[function.name] = body && std::any_of(body->begin(), body->end(), [](const Node& node) {
                                return is_saver_op(node.op);
                              });
    }
    for (uint32_t i = 0; i < nodes_.size() && !savers.empty(); ++i) {
      if (!is_call(nodes_[i].op)) continue;
      const auto found = savers.find(called_function(nodes_[i]));
      if (found == savers.end() || !found->second) continue;
      if (is_inference(i)) order_.push_back(i);
      roles_[i] = NodeRole::kSaving;
    }
  }

  // Excludes what no inference node takes and what is no result either: a weight, an input of
  // training, a computation with shapes, and what no input reaches, if some result is fed.
  void exclude_unused() {
    std::vector<uint32_t> users(nodes_.size(), 0);
    std::vector<uint32_t> unused;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      for (const Consumer& consumer : graph_.index().consumers().of(i)) {
        users[i] += is_inference(consumer.node) ? 1U : 0U;
      }
      any_fed_ = any_fed_ || (is_inference(i) && users[i] == 0 && forward_.measures.fed[i] &&
                              !is_placeholder(nodes_[i].op));
    }
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (users[i] == 0 && can_be_unused(i)) unused.push_back(i);
    }
    while (!unused.empty()) {
      const uint32_t node = unused.back();
      unused.pop_back();
      roles_[node].reset();
      for (const Edge& edge : graph_.index().edges().inputs(node)) {
        if (edge.node == kNoNode || users[edge.node] == 0 || --users[edge.node] > 0) continue;
        if (can_be_unused(edge.node)) unused.push_back(edge.node);
      }
    }
  }

  bool can_be_unused(uint32_t node) const {
    if (!is_inference(node)) return false;
    const std::string_view op = nodes_[node].op;
    if (is_placeholder(op)) return !graph_.index().consumers().of(node).empty();
    return is_weight(op) || forward_.of_shapes[node] || (any_fed_ && !forward_.measures.fed[node]);
  }

  void spread_to_inputs() {
    for (size_t at = 0; at < order_.size(); ++at) {
      for (const Edge& edge : graph_.index().edges().inputs(order_[at])) {
        if (edge.node == kNoNode || roles_[edge.node]) continue;
        roles_[edge.node] = roles_[order_[at]];
        order_.push_back(edge.node);
      }
    }
  }

  void spread_to_consumers() {
    for (size_t at = 0; at < order_.size(); ++at) {
      for (const Consumer& consumer : graph_.index().consumers().of(order_[at])) {
        if (roles_[consumer.node]) continue;
        roles_[consumer.node] = roles_[order_[at]];
        order_.push_back(consumer.node);
      }
    }
  }

  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const InferenceSubgraph& forward_;
  bool any_fed_ = false;
  std::vector<std::optional<NodeRole>> roles_;
  std::vector<uint32_t> order_;  // nodes whose role was found, excluded ones alone
};

}  // namespace

std::string_view role_name(NodeRole role) { return kNames[static_cast<size_t>(role)]; }
std::string_view role_title(NodeRole role) { return kTitles[static_cast<size_t>(role)]; }

std::vector<NodeRole> node_roles(const Graph& graph, const Scene& scene) {
  std::vector<NodeRole> roles(scene.size(), NodeRole::kInference);
  if (!scene.bodies()[kOutermost].function.empty()) return roles;
  const std::vector<NodeRole> of_graph = RoleFinder(graph).find();
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
