#include "compat/cut_points.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "graph/analysis/branches.h"
#include "graph/functions/functions_needed.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"

namespace cryo {
namespace {

using TensorPlace = std::pair<uint32_t, uint32_t>;  // node, output

// Bounds for walks over the whole graph or library, which a hostile graph would ask for often.
constexpr int kMaxWalks = 100;
constexpr int kMaxCallers = 1000;

// Returns the nodes with blockers without a fix, and those that need a function which has one.
// Returns nullopt if a blocker is no node's.
std::optional<NodeSet> refused_nodes(const Graph& graph, const TargetVerdict& verdict) {
  NodeSet refused(graph.nodes().size());
  if (verdict.unfixed.size() >= kMaxUnfixed) return std::nullopt;
  for (const uint32_t each : verdict.unfixed) refused[each] = true;
  std::unordered_set<std::string_view> functions;
  for (const Blocker& each : verdict.blockers) {
    if (!each.fix.empty()) continue;
    if (each.node.empty()) return std::nullopt;
    if (!each.function.empty()) {
      functions.insert(each.function);
    } else if (const uint32_t node = graph.index().names().find(each.node); node != kNoNode) {
      refused[node] = true;
    }
  }
  if (functions.empty()) return refused;
  int callers = 0;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (refused[i] || functions_named_by(node).empty()) continue;
    if (++callers > kMaxCallers) return std::nullopt;
    const std::vector<Function> needed = functions_needed({node}, graph);
    refused[i] = std::any_of(needed.begin(), needed.end(),
                             [&](const Function& each) { return functions.contains(each.name); });
  }
  return refused;
}

// A graph that may be cut.
struct WholeGraph {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const OpRegistry& ops;
  const Frames frames;
  const Branches branches;
  std::vector<TensorPlace> outputs = {};
  NodeSet is_output = {};
  NodeSet needed = {};                 // by the outputs
  std::vector<uint64_t> weights = {};  // of each node; in a graph without weights, each counts

  size_t size() const { return nodes.size(); }
};

// Adds a node and all that it needs, up to and without the head, to `found`. Returns the nodes
// that were not yet there.
std::vector<uint32_t> add_sources(const Edges& edges, uint32_t node, const NodeSet& head,
                                  NodeSet& found) {
  std::vector<uint32_t> added;
  const auto add = [&](uint32_t each) {
    if (found[each]) return;
    found[each] = true;
    added.push_back(each);
  };
  add(node);
  size_t at = 0;
  while (at < added.size()) {
    const uint32_t next = added[at++];
    for (const Edge& edge : edges.inputs(next)) {
      if (edge.node != kNoNode && !head[edge.node]) add(edge.node);
    }
  }
  return added;
}

uint64_t weight_of(const Node& node) {
  if (node.op != "Const") return 0;
  const auto count = element_count(output_shape(node, 0));
  return count ? *count : 0;
}

WholeGraph whole_graph(const Graph& graph, const std::vector<std::string>& outputs,
                       const OpRegistry& ops) {
  const Edges& edges = graph.index().edges();
  Frames frames = find_frames(graph.nodes(), edges, edges.consumers());
  Branches branches(graph.nodes(), edges, edges.consumers(), frames);
  WholeGraph whole{graph.nodes(), edges, ops, std::move(frames), std::move(branches)};
  whole.is_output.resize(whole.size());
  std::vector<uint32_t> ends;
  for (const std::string& output : outputs) {
    const TensorName name = parse_tensor_name(output);
    const uint32_t node = graph.index().names().find(name.node);
    if (node == kNoNode) continue;
    whole.outputs.emplace_back(node, name.port);
    whole.is_output[node] = true;
    ends.push_back(node);
  }
  whole.needed = walk_back(edges, ends);
  bool has_weights = false;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    whole.weights.push_back(weight_of(whole.nodes[i]));
    has_weights = has_weights || (whole.needed[i] && whole.weights[i] > 0);
  }
  if (!has_weights) whole.weights.assign(whole.size(), 1);
  return whole;
}

uint64_t weights_among(const WholeGraph& whole, const NodeSet& among) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < whole.size(); ++i) sum += among[i] ? whole.weights[i] : 0;
  return sum;
}

// Returns true if a tensor can be fed and fetched: a plain value outside of loops and branches.
bool can_be_end(const WholeGraph& whole, const TensorPlace& tensor) {
  const auto& [node, port] = tensor;
  const uint32_t around = whole.branches.of(node);
  const uint32_t branch =
      is_exit(whole.nodes[node].op) ? whole.branches.all()[around].outer : around;
  if (branch != kRootBranch || whole.branches.opened({node, port}) != kNoNode) return false;
  const auto type = output_dtype(whole.nodes[node], port, &whole.ops);
  return type && *type != DType::kResource && *type != DType::kVariant;
}

// The refused nodes by the side on which they are cut off.
struct Sides {
  NodeSet head;  // with what they read
  NodeSet tail;  // with what reads them
};

// Makes a blocker the head's, with all before it, as long as that has less than half of the
// weights; else it is the tail's.
Sides split(const WholeGraph& whole, const NodeSet& refused) {
  Sides sides{NodeSet(whole.size()), NodeSet(whole.size())};
  const uint64_t all = weights_among(whole, whole.needed);
  NodeSet before(whole.size());
  uint64_t lost = 0;
  int walks = 0;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (!refused[i] || !whole.needed[i]) continue;
    if (whole.is_output[i] || walks >= kMaxWalks) {
      sides.tail[i] = true;
      continue;
    }
    const std::vector<uint32_t> added = add_sources(whole.edges, i, sides.head, before);
    uint64_t more = 0;
    for (const uint32_t each : added) more += whole.weights[each];
    if (2 * (lost + more) < all) {
      lost += more;
      sides.head[i] = true;
      continue;
    }
    for (const uint32_t each : added) before[each] = false;
    sides.tail[i] = true;
    ++walks;
  }
  return sides;
}

std::vector<uint32_t> members(const NodeSet& nodes) {
  return nodes_where(nodes.size(), [&](uint32_t node) { return nodes[node]; });
}

// Adds the readers of tensors that can be no inputs to the head.
void widen_head(const WholeGraph& whole, Sides& sides) {
  sides.head =
      walk_forward(whole.edges, members(sides.head), [&](uint32_t node, const Consumer& each) {
        return !each.control && whole.needed[each.node] && !whole.is_output[each.node] &&
               !can_be_end(whole, {node, each.port});
      });
  for (uint32_t i = 0; i < whole.size(); ++i) sides.tail[i] = sides.tail[i] && !sides.head[i];
}

// Returns the nodes whose values depend on inputs.
NodeSet varying(const WholeGraph& whole, const NodeSet& head) {
  const auto from = nodes_where(whole.size(), [&](uint32_t node) {
    return is_placeholder(whole.nodes[node].op) || head[node];
  });
  return walk_forward(whole.edges, from);
}

// Returns the nodes that are cut off with the tail: those that need it, and those that compute
// what it reads, up to tensors that can be outputs. `vary`: nodes that depend on inputs.
NodeSet lost_with_tail(const WholeGraph& whole, const Sides& sides, const NodeSet& vary) {
  const auto lost_with = [&](uint32_t node) {
    std::vector<Edge> lost;
    for (const Consumer& each : whole.edges.consumers().of(node)) {
      if (!sides.head[each.node] && whole.needed[each.node]) lost.push_back({each.node});
    }
    for (const Edge& edge : data_inputs(whole.edges, node)) {
      if (!vary[edge.node] || sides.head[edge.node]) continue;
      if (!can_be_end(whole, {edge.node, edge.port})) lost.push_back(edge);
    }
    return lost;
  };
  return walk(whole.size(), members(sides.tail), lost_with, kAnyEdge);
}

// Returns the outputs that do without the tail, and the tensors whose values the tail reads: no
// sizes.
std::vector<TensorPlace> outputs_before(const WholeGraph& whole, const Sides& sides) {
  const NodeSet vary = varying(whole, sides.head);
  const NodeSet lost = lost_with_tail(whole, sides, vary);
  std::vector<TensorPlace> outputs;
  for (const TensorPlace& each : whole.outputs) {
    if (!lost[each.first] && !sides.head[each.first]) outputs.push_back(each);
  }
  std::set<TensorPlace> found(outputs.begin(), outputs.end());
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (!lost[i] || has_fact(whole.nodes[i].op, kAsksShape | kFills)) continue;
    for (const Edge& edge : data_inputs(whole.edges, i)) {
      if (lost[edge.node] || sides.head[edge.node]) continue;
      const std::string_view op = whole.nodes[edge.node].op;
      if (!vary[edge.node] || is_placeholder(op) || has_fact(op, kAsksShape)) continue;
      const TensorPlace tensor(edge.node, edge.port);
      if (found.insert(tensor).second) outputs.push_back(tensor);
    }
  }
  return outputs;
}

// Returns the tensors of the head that the kept nodes read.
std::vector<TensorPlace> inputs_after(const WholeGraph& whole, const NodeSet& head,
                                      const NodeSet& kept) {
  std::vector<TensorPlace> inputs;
  std::set<TensorPlace> found;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (!kept[i]) continue;
    for (const Edge& edge : data_inputs(whole.edges, i)) {
      if (!head[edge.node]) continue;
      if (found.emplace(edge.node, edge.port).second) inputs.emplace_back(edge.node, edge.port);
    }
  }
  return inputs;
}

std::string name_of(const WholeGraph& whole, const TensorPlace& tensor) {
  const std::string_view node = whole.nodes[tensor.first].name;
  return tensor.second == 0 ? std::string(node) : cat(node, ":", tensor.second);
}

// Counts the layers, or nodes, that the kept part is without.
void count_layers(const WholeGraph& whole, const Sides& sides, const NodeSet& kept,
                  CutPoints& points) {
  const auto is_counted = [&](uint32_t i) {
    const Node& node = whole.nodes[i];
    return whole.needed[i] && (points.counts_nodes ? node.op != "Const" : is_layer(node.op));
  };
  points.counts_nodes = false;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (is_counted(i)) ++points.layers;
  }
  points.counts_nodes = points.layers == 0;
  const NodeSet before = walk_back(whole.edges, members(sides.head));
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (!is_counted(i)) continue;
    if (points.counts_nodes) ++points.layers;
    if (!kept[i]) ++(before[i] ? points.first : points.last);
  }
}

std::optional<CutPoints> cut(const WholeGraph& whole, const NodeSet& refused) {
  Sides sides = split(whole, refused);
  widen_head(whole, sides);
  const std::vector<TensorPlace> outputs = outputs_before(whole, sides);
  if (outputs.empty()) return std::nullopt;
  std::vector<uint32_t> ends;
  for (const TensorPlace& each : outputs) ends.push_back(each.first);
  const NodeSet kept = walk_back(
      whole.edges, ends, [&](uint32_t, const Edge& edge) { return !sides.head[edge.node]; });
  const std::vector<TensorPlace> inputs = inputs_after(whole, sides.head, kept);
  const bool can_begin = std::all_of(inputs.begin(), inputs.end(), [&](const TensorPlace& each) {
    return can_be_end(whole, each);
  });
  if (!can_begin || inputs.size() > kMaxEnds || outputs.size() > kMaxEnds) return std::nullopt;
  if (2 * weights_among(whole, kept) < weights_among(whole, whole.needed)) return std::nullopt;
  CutPoints points;
  for (const TensorPlace& each : inputs) points.inputs.push_back(name_of(whole, each));
  count_layers(whole, sides, kept, points);
  if (outputs == whole.outputs) return points;
  for (const TensorPlace& each : outputs) points.outputs.push_back(name_of(whole, each));
  return points;
}

}  // namespace

std::string CutPoints::remainder() const {
  const std::string all = plural(layers, counts_nodes ? "node" : "layer");
  if (first == 0 && last == 0) return cat(layers == 1 ? "with its " : "with all ", all);
  const auto some = [](std::string_view side, size_t count) {
    return count == 1 ? std::string(side) : cat(side, " ", count);
  };
  std::vector<std::string> lost;
  if (first > 0) lost.push_back(some("the first", first));
  if (last > 0) lost.push_back(some("the last", last));
  return cat("without ", join(lost, " and "), " of ", all);
}

std::optional<CutPoints> find_cut_points(const Graph& graph, const TargetVerdict& verdict,
                                         const std::vector<std::string>& outputs,
                                         const OpRegistry& ops) {
  const auto refused = refused_nodes(graph, verdict);
  if (!refused) return std::nullopt;
  auto points = cut(whole_graph(graph, outputs, ops), *refused);
  if (points && points->inputs.empty() && points->outputs.empty()) return std::nullopt;
  return points;
}

}  // namespace cryo
