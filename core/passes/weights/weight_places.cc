#include "passes/weights/weight_places.h"

#include <unordered_set>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/roles.h"
#include "passes/weights/weight_uses.h"

namespace cryo {
namespace {

// A weight's way ends after so many nodes.
constexpr int kMaxStepsToPlace = 8;

class PlaceFinder {
 public:
  explicit PlaceFinder(const Graph& graph)
      : nodes_(graph.nodes()), consumers_(graph.index().consumers()), uses_(graph) {}

  std::string of(uint32_t start);

 private:
  bool counts(const Node& node) const {
    return !is_side_effect(node.op) && !in_gradients(node.name);
  }

  WeightUse use_of(const Node& node, uint32_t input);

  const std::vector<Node>& nodes_;
  const Consumers& consumers_;
  WeightUses uses_;
};

// A gather from a variable's handle becomes a gather from a constant, with another name.
WeightUse PlaceFinder::use_of(const Node& node, uint32_t input) {
  if (node.op == "ResourceGather") return {WeightUse::kWeight, "GatherV2", node.name, input};
  if (node.op == "ResourceGatherNd") return {WeightUse::kWeight, "GatherNd", node.name, input};
  return uses_.of(node, input);
}

std::string PlaceFinder::of(uint32_t start) {
  std::vector<uint32_t> level = {start};
  std::unordered_set<uint32_t> seen;
  std::string operand;
  int looked_at = 0;
  for (int step = 0; step < kMaxStepsToPlace && !level.empty(); ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t at : level) {
      for (const Consumer& consumer : consumers_.of(at)) {
        const Node& node = nodes_[consumer.node];
        if (consumer.control || !counts(node)) continue;
        if (++looked_at > kMaxConsumers) return operand;
        const WeightUse use = use_of(node, consumer.input);
        const std::string place = cat("input ", use.input, " of ", use.op);
        if (use.kind == WeightUse::kWeight || use.kind == WeightUse::kStatistics) return place;
        if (use.kind == WeightUse::kOperand && operand.empty()) operand = place;
        const bool goes_on = use.kind == WeightUse::kHandedOn || is_pass_through(node.op) ||
                             node.op == "ReadVariableOp";
        if (goes_on && seen.insert(consumer.node).second) next.push_back(consumer.node);
      }
    }
    level = std::move(next);
  }
  return operand;
}

}  // namespace

std::vector<std::string> weight_places(const Graph& graph,
                                       const std::vector<NamedWeight>& weights) {
  PlaceFinder finder(graph);
  std::vector<std::string> places;
  for (const NamedWeight& weight : weights) {
    places.push_back(weight.node == kNoNode ? std::string() : finder.of(weight.node));
  }
  return places;
}

}  // namespace cryo
