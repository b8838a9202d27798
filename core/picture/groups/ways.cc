#include "picture/groups/ways.h"

#include <algorithm>

#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

// The result does not depend on the value of the input.
bool takes_shape_alone(std::string_view op) { return has_fact(op, kAsksShape | kFills); }

// An input, or the first node that takes the data of a pipeline.
bool is_start(const Scene& scene, const std::vector<NodeRole>& roles, uint32_t node) {
  if (roles[node] != NodeRole::kInference) return false;
  const Node& of = scene.node(node);
  if (is_placeholder(of.op)) return true;
  if (of.op == "_Arg") return type_attr(of, "T") != static_cast<int>(DType::kResource);
  for (const Edge& edge : data_inputs(scene.edges(), node)) {
    if (roles[edge.node] == NodeRole::kPipeline) return true;
  }
  return false;
}

// Returns the inference nodes that the values of the starts reach.
NodeSet reached_values(const Scene& scene, const std::vector<NodeRole>& roles,
                       std::span<const uint32_t> starts) {
  const auto consumers = [&](uint32_t node) { return scene.consumers().of(node); };
  return walk(scene.size(), starts, consumers, [&](uint32_t, const Consumer& consumer) {
    return !consumer.control && roles[consumer.node] == NodeRole::kInference &&
           !takes_shape_alone(scene.node(consumer.node).op);
  });
}

// Returns weights and all that is computed from them: the scale of a normalization has no input,
// but is on a way if its consumer is. Constants are weights where no variables infer.
NodeSet weighted_nodes(const Scene& scene, const std::vector<NodeRole>& roles) {
  bool has_variables = false;
  for (uint32_t i = 0; i < scene.size(); ++i) {
    const bool infers = roles[i] == NodeRole::kInference;
    has_variables = has_variables || (infers && is_variable(scene.node(i).op));
  }
  const auto weights = nodes_where(scene.size(), [&](uint32_t i) {
    const Node& node = scene.node(i);
    if (roles[i] != NodeRole::kInference) return false;
    if (node.op == "Const") return !has_variables && is_weight(node, stored_tensor(node));
    return is_variable(node.op) || node.op == "_Arg";
  });
  return reached_values(scene, roles, weights);
}

bool is_taken(const Scene& scene, const std::vector<NodeRole>& roles, uint32_t node) {
  for (const Consumer& consumer : scene.consumers().of(node)) {
    if (roles[consumer.node] == NodeRole::kInference && !consumer.control) return true;
  }
  return false;
}

// Returns true for a constant, and for the read of a frozen variable.
bool is_stored(const Scene& scene, uint32_t node) {
  const std::string_view op = scene.node(node).op;
  const auto inputs = scene.edges().inputs(node);
  if (op == "Const" || inputs.empty() || inputs[0].node == kNoNode) return op == "Const";
  return has_fact(op, kHandsOn) && scene.node(inputs[0].node).op == "Const";
}

// Returns true if most variables are off the ways.
bool misses_weights(const Scene& scene, const NodeSet& inference, const NodeSet& passed) {
  size_t all = 0;
  size_t on_ways = 0;
  for (uint32_t i = 0; i < scene.size(); ++i) {
    if (!inference[i] || !is_variable(scene.node(i).op)) continue;
    ++all;
    on_ways += passed[i] ? 1U : 0U;
  }
  return 2 * on_ways < all;
}

}  // namespace

std::string_view Ways::title(uint32_t node) const {
  const auto found = titles.find(node);
  return found == titles.end() ? std::string_view() : found->second;
}

// Follows the values of inputs, then goes back from the outputs that they reach.
Ways find_ways(const Scene& scene, const std::vector<NodeRole>& roles, const ViewEnds& ends) {
  Ways ways{.pins = NodeSet(scene.size()), .outputs = NodeSet(scene.size())};
  NodeSet inference;
  for (const NodeRole role : roles) inference.push_back(role == NodeRole::kInference);
  const auto node_of = [&](const ViewEnd& end) {
    const uint32_t node = scene.source_of(end.tensor);
    if (node != kNoNode && !end.title.empty()) ways.titles.emplace(node, end.title);
    return node == kNoNode || inference[node] ? node : kNoNode;
  };
  std::vector<uint32_t> starts =
      nodes_where(scene.size(), [&](uint32_t node) { return is_start(scene, roles, node); });
  for (const ViewEnd& end : ends.inputs) {
    if (const uint32_t node = node_of(end); node != kNoNode) starts.push_back(node);
  }
  for (const uint32_t node : starts) {
    if (is_placeholder(scene.node(node).op)) ways.pins[node] = true;
  }
  const NodeSet fed = reached_values(scene, roles, starts);
  const NodeSet& meant = starts.empty() ? inference : fed;
  std::vector<uint32_t> outputs;
  for (const ViewEnd& end : ends.outputs) {
    const uint32_t node = node_of(end);
    if (node == kNoNode) continue;
    outputs.push_back(node);
    ways.outputs[node] = true;
    if (!is_taken(scene, roles, node)) ways.pins[node] = true;
  }
  // Else every end that an input reaches; without inputs every end.
  if (std::none_of(outputs.begin(), outputs.end(), [&](uint32_t node) { return fed[node]; })) {
    const auto all = nodes_where(
        scene.size(), [&](uint32_t node) { return meant[node] && !is_taken(scene, roles, node); });
    outputs.insert(outputs.end(), all.begin(), all.end());
  }
  const NodeSet weighted = weighted_nodes(scene, roles);
  const auto may_pass = [&](uint32_t node) {
    return inference[node] && (meant[node] || weighted[node] || is_stored(scene, node));
  };
  std::erase_if(outputs, [&](uint32_t node) { return !may_pass(node); });
  ways.passed = walk_back(scene.edges(), outputs, [&](uint32_t, const Edge& edge) {
    return !edge.control && may_pass(edge.node);
  });
  if (misses_weights(scene, inference, ways.passed)) ways.passed = inference;
  return ways;
}

}  // namespace cryo
