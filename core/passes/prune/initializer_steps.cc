#include "passes/prune/initializer_steps.h"

#include <algorithm>

#include "graph/pass_through.h"
#include "graph/roles.h"
#include "passes/common/initializers.h"

namespace cryo {
namespace {

bool any_in(std::span<const Edge> inputs, const NodeSet& nodes) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.node != kNoNode && nodes[edge.node]; });
}

bool all_in(std::span<const Edge> inputs, const NodeSet& nodes) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.node != kNoNode && nodes[edge.node]; });
}

// Tables and variables, of whatever op, are nodes without inputs that are not values. A dense table
// has inputs: the keys of empty and of deleted buckets.
bool fills_kept(const Graph& graph, uint32_t step, const NodeSet& kept) {
  const Edges& edges = graph.index().edges();
  for (const Edge& edge : data_inputs(edges, step)) {
    const uint32_t node = skip_identities(graph.nodes(), edges, edge).node;
    if (node == kNoNode || !kept[node]) continue;
    const std::string_view op = graph.nodes()[node].op;
    const bool is_source = edges.inputs(node).empty() && op != "Const" && !is_placeholder(op);
    if (is_source || op.starts_with("MutableDenseHashTable")) return true;
  }
  return false;
}

}  // namespace

InitializerSteps initializer_steps(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  const auto is_group = [&](uint32_t node) { return nodes[node].op == "NoOp"; };
  std::vector<uint32_t> roots;
  for (const std::string& root : initializer_roots(model)) {
    roots.push_back(model.graph.index().names().find(root));
  }
  NodeSet found = walk_back(edges, roots, [&](uint32_t node, auto&) { return is_group(node); });
  InitializerSteps initializers;
  initializers.steps =
      nodes_where(nodes.size(), [&](uint32_t node) { return found[node] && !is_group(node); });
  // A bare graph has no place to name the op that runs them all.
  for (uint32_t i = 0; i < nodes.size() && !initializers.steps.empty(); ++i) {
    const auto inputs = edges.inputs(i);
    if (is_group(i) && !inputs.empty() && all_in(inputs, found)) found[i] = true;
  }
  initializers.groups =
      nodes_where(nodes.size(), [&](uint32_t node) { return found[node] && is_group(node); });
  return initializers;
}

std::vector<uint32_t> missing_steps(const Graph& graph, const InitializerSteps& initializers,
                                    const NodeSet& kept) {
  std::vector<uint32_t> missing = initializers.steps;
  std::erase_if(missing,
                [&](uint32_t step) { return kept[step] || !fills_kept(graph, step, kept); });
  return missing;
}

std::vector<uint32_t> missing_groups(const Graph& graph, const InitializerSteps& initializers,
                                     const NodeSet& kept) {
  NodeSet now = kept;
  std::vector<uint32_t> found;
  for (bool more = true; more;) {  // a group may wait for groups
    more = false;
    for (const uint32_t group : initializers.groups) {
      if (now[group] || !any_in(graph.index().edges().inputs(group), now)) continue;
      now[group] = more = true;
      found.push_back(group);
    }
  }
  return found;
}

}  // namespace cryo
