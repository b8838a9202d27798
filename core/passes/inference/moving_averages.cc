#include "passes/inference/moving_averages.h"

#include <algorithm>
#include <optional>

#include "graph/op_facts.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "passes/inference/variable_reads.h"

namespace cryo {
namespace {

constexpr int kMaxFollowed = 8;

// Changes a statistic's shape or type alone.
bool reshapes(std::string_view op) { return has_fact(op, kHandsOn | kReshapes) || op == "Cast"; }

// Returns the tensor that reshapes() make this one of.
Edge statistic_of(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  return skip_pass_through(nodes, edges, tensor, kMaxFollowed, reshapes);
}

bool averages_itself(const Node& node) {
  return normalizes_by_batch(node) &&
         float_attr(node, "exponential_avg_factor").value_or(1.0F) != 1.0F;
}

// A statistic among the terms of a node, if the variable is among them as well (`with_variable`),
// or is not.
std::optional<Edge> statistic_among(const std::vector<Node>& nodes, const Edges& edges,
                                    uint32_t node, uint32_t variable, bool with_variable) {
  const auto terms = edges.inputs(node);
  const auto is_variable_read = [&](const Edge& term) {
    return !term.control && variable_of(nodes, edges, term) == variable;
  };
  if (std::any_of(terms.begin(), terms.end(), is_variable_read) != with_variable) {
    return std::nullopt;
  }
  for (const Edge& term : terms) {
    if (term.control || is_variable_read(term)) continue;
    if (is_batch_statistic(nodes, edges, term)) return term;
  }
  return std::nullopt;
}

std::optional<MovingAverage> average_of_update(const std::vector<Node>& nodes, const Edges& edges,
                                               uint32_t update) {
  const std::string_view op = nodes[update].op;
  const auto inputs = edges.inputs(update);
  if (inputs.size() < 2 || inputs[1].control || inputs[1].node == kNoNode) return std::nullopt;
  const uint32_t variable = variable_of(nodes, edges, inputs[0]);
  const bool moves = op.starts_with("AssignSub") || op.starts_with("AssignAdd");
  if (variable == kNoNode || (!moves && !is_assignment(op))) return std::nullopt;
  const uint32_t value = inputs[1].node;
  const auto average = [&](const Edge& tensor, uint32_t taker) {
    return MovingAverage{statistic_of(nodes, edges, tensor), tensor, taker, update, variable};
  };
  const Edge assigned = statistic_of(nodes, edges, inputs[1]);
  if (!moves && assigned.node != kNoNode && averages_itself(nodes[assigned.node]) &&
      is_batch_statistic(nodes, edges, inputs[1])) {
    return average(inputs[1], update);
  }
  const std::string_view outer = nodes[value].op;
  if (moves ? outer != "Mul" : !outer.starts_with("Add")) return std::nullopt;
  for (const Edge& factor : edges.inputs(value)) {
    if (factor.node == kNoNode || factor.control) continue;
    if (nodes[factor.node].op != (moves ? "Sub" : "Mul")) continue;
    // In the form by hand the statistic's product is the one without the variable.
    const auto statistic = statistic_among(nodes, edges, factor.node, variable, moves);
    if (statistic) return average(*statistic, factor.node);
  }
  return std::nullopt;
}

}  // namespace

bool normalizes_by_batch(const Node& node) {
  // The op's default is true.
  return has_fact(node.op, kBatchNorm) && bool_attr(node, "is_training").value_or(true);
}

uint32_t mean_of_variance(const std::vector<Node>& nodes, const Edges& edges, uint32_t variance) {
  const auto inputs = edges.inputs(variance);
  if (nodes[variance].op != "Mean" || inputs.empty() || inputs[0].node == kNoNode) return kNoNode;
  const uint32_t squares = inputs[0].node;
  if (nodes[squares].op != "SquaredDifference") return kNoNode;
  for (const Edge& input : edges.inputs(squares)) {
    const Edge mean = statistic_of(nodes, edges, input);
    if (mean.node != kNoNode && nodes[mean.node].op == "Mean") return mean.node;
  }
  return kNoNode;
}

bool is_batch_statistic(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  const Edge statistic = statistic_of(nodes, edges, tensor);
  if (statistic.node == kNoNode || statistic.control) return false;
  const Node& node = nodes[statistic.node];
  if (normalizes_by_batch(node)) return statistic.port == 1 || statistic.port == 2;
  if (node.op != "Mean") return false;
  if (mean_of_variance(nodes, edges, statistic.node) != kNoNode) return true;
  std::vector<uint32_t> queue = {statistic.node};
  for (size_t at = 0; at < queue.size() && at < kMaxFollowed; ++at) {
    for (const Consumer& consumer : edges.consumers().of(queue[at])) {
      const std::string_view op = nodes[consumer.node].op;
      if (op == "SquaredDifference" && !consumer.control) return true;
      if (reshapes(op)) queue.push_back(consumer.node);
    }
  }
  return false;
}

std::vector<MovingAverage> find_moving_averages(const std::vector<Node>& nodes,
                                                const Edges& edges) {
  std::vector<MovingAverage> averages;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_update(nodes[i].op) || is_training_step(nodes[i].op)) continue;
    if (const auto average = average_of_update(nodes, edges, i)) averages.push_back(*average);
  }
  return averages;
}

}  // namespace cryo
