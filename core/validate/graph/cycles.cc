#include "validate/graph/cycles.h"

#include <algorithm>

#include "base/utf8.h"
#include "graph/analysis/frames.h"

namespace cryo {
namespace {

bool is_merge(std::string_view op) {
  return op == "Merge" || op == "RefMerge" || op == "_XlaMerge";
}

// Nodes placed in an order in which each comes after its inputs.
class TopologicalOrder {
 public:
  TopologicalOrder(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter)
      : nodes_(nodes), edges_(edges), consumers_(edges.consumers()), pending_(nodes.size()) {
    for (uint32_t i = 0; i < nodes.size(); ++i) pending_[i] = inputs_to_wait_for(i, reporter);
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (pending_[i] == 0) ready_.push_back(i);
    }
    while (!ready_.empty()) place();
  }

  size_t left() const { return nodes_.size() - order_.size(); }
  std::vector<uint32_t> take_order() { return std::move(order_); }
  bool waits(uint32_t node) const { return pending_[node] != 0; }
  bool closes_loop(uint32_t from, uint32_t to) const {
    return is_merge(nodes_[to].op) && is_next_iteration(nodes_[from].op);
  }

 private:
  // A Merge of a loop waits for one data input only; with more from outside the importer crashes.
  uint32_t inputs_to_wait_for(uint32_t node, const Reporter& reporter) {
    uint32_t controls = 0;
    uint32_t data = 0;
    uint32_t back = 0;
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node == kNoNode) continue;
      ++(edge.control ? controls : !closes_loop(edge.node, node) ? data : back);
    }
    if (back == 0) return controls + data;
    if (data > 1) {
      reporter.error(
          "merge-inputs", {.node = nodes_[node].name}, "Merge ", quoted(nodes_[node].name),
          " closes a loop and has ", data,
          " inputs from outside of it; one is legal, and more crash TensorFlow's importer");
      return controls + data;
    }
    return controls + 1;
  }

  void place() {
    const uint32_t node = ready_.back();
    ready_.pop_back();
    order_.push_back(node);
    const bool goes_back = is_next_iteration(nodes_[node].op);
    for (const Consumer& consumer : consumers_.of(node)) {
      if (goes_back && closes_loop(node, consumer.node)) continue;
      if (--pending_[consumer.node] == 0) {
        ready_.push_back(consumer.node);
      }
    }
  }

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::vector<uint32_t> pending_;
  std::vector<uint32_t> ready_;
  std::vector<uint32_t> order_;
};

// Walks back along inputs that were never placed. Such a walk cannot end, so it reaches a node it
// has visited: from there on it is a cycle. Each node is walked over once, whatever the number of
// cycles.
class CycleFinder {
 public:
  CycleFinder(const TopologicalOrder& sorted, const std::vector<Node>& nodes, const Edges& edges)
      : placing_(sorted), edges_(edges), walk_of_(nodes.size(), 0) {}

  // The nodes of a cycle at or above this one, each fed by the next; empty if it was found before.
  std::vector<uint32_t> find(uint32_t start) {
    if (!placing_.waits(start) || walk_of_[start] != 0) return {};
    ++walk_;
    std::vector<uint32_t> path;
    uint32_t node = start;
    while (node != kNoNode && walk_of_[node] == 0) {
      walk_of_[node] = walk_;
      path.push_back(node);
      node = unplaced_input(node);
    }
    if (node == kNoNode || walk_of_[node] != walk_) return {};
    path.erase(path.begin(), std::find(path.begin(), path.end(), node));
    return path;
  }

 private:
  // The back edge of a loop is seldom why a node waits, so it comes last.
  uint32_t unplaced_input(uint32_t node) const {
    uint32_t found = kNoNode;
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node == kNoNode || !placing_.waits(edge.node)) continue;
      if (!placing_.closes_loop(edge.node, node)) return edge.node;
      found = edge.node;
    }
    return found;
  }

  const TopologicalOrder& placing_;
  const Edges& edges_;
  std::vector<uint32_t> walk_of_;
  uint32_t walk_ = 0;
};

// "a -> b -> a", in the direction of the data, from the node that comes first in the graph.
std::string shown(std::vector<uint32_t> cycle, const std::vector<Node>& nodes) {
  constexpr size_t kMax = 12;
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(cycle.size(), kMax); ++i) {
    names.push_back(printable(nodes[cycle[i]].name, 100));
  }
  names.push_back(cycle.size() > kMax ? cat("... (", cycle.size() - kMax, " more)") : names[0]);
  return join(names, " -> ");
}

}  // namespace

std::vector<uint32_t> check_cycles(const std::vector<Node>& nodes, const Edges& edges,
                                   const Reporter& reporter) {
  TopologicalOrder sorted(nodes, edges, reporter);
  if (sorted.left() == 0) return sorted.take_order();
  CycleFinder finder(sorted, nodes, edges);
  bool reported = false;
  const auto report = [&](uint32_t node, std::string_view which) {
    reporter.error("cycle", {.node = nodes[node].name}, sorted.left(), " nodes in a cycle", which);
    reported = true;
  };
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const std::vector<uint32_t> cycle = finder.find(i);
    if (cycle.empty()) continue;
    const uint32_t first = *std::min_element(cycle.begin(), cycle.end());
    report(first, cat(" or fed by one: ", shown(cycle, nodes)));
  }
  for (uint32_t i = 0; i < nodes.size() && !reported; ++i) {
    if (sorted.waits(i)) report(i, "");
  }
  return sorted.take_order();
}

}  // namespace cryo
