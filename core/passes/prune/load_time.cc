#include "passes/prune/load_time.h"

#include <algorithm>

#include "graph/roles.h"
#include "passes/common/initializers.h"

namespace cryo {

LoadTime::LoadTime(const Model& model, const NodeNames& names, const Edges& edges)
    : nodes_(model.graph.nodes()), edges_(edges), seen_(nodes_.size(), false) {
  for (const std::string& root : initializer_roots(model)) add(names.find(root));
  // A bare graph has no place to name the op that runs them all.
  for (uint32_t i = 0; i < nodes_.size() && !steps_.empty(); ++i) {
    if (!seen_[i] && is_group(i)) add(i);
  }
}

void LoadTime::add(uint32_t root) {
  std::vector<uint32_t> queue = {root};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (node == kNoNode || seen_[node]) continue;
    seen_[node] = true;
    const bool group = nodes_[node].op == "NoOp";
    (group ? groups_ : steps_).push_back(node);
    if (!group) continue;
    for (const Edge& edge : edges_.inputs(node)) queue.push_back(edge.node);
  }
}

bool LoadTime::is_group(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  return nodes_[node].op == "NoOp" && !inputs.empty() &&
         std::all_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.node != kNoNode && seen_[edge.node]; });
}

// Returns the source of a handle, before any Identity.
uint32_t LoadTime::source(const Edge& edge) const {
  uint32_t node = edge.control ? kNoNode : edge.node;
  for (size_t step = 0; step < nodes_.size() && node != kNoNode; ++step) {
    const auto inputs = edges_.inputs(node);
    if (nodes_[node].op != "Identity" || inputs.empty()) return node;
    node = inputs[0].node;
  }
  return kNoNode;
}

// Tables and variables, of whatever op, are nodes without inputs that are not values. A dense table
// has inputs: the keys of empty and of deleted buckets.
bool LoadTime::serves(uint32_t step, const std::vector<bool>& kept) const {
  const auto inputs = edges_.inputs(step);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
    const uint32_t node = source(edge);
    if (node == kNoNode || !kept[node]) return false;
    const std::string_view op = nodes_[node].op;
    return op.starts_with("MutableDenseHashTable") ||
           (edges_.inputs(node).empty() && op != "Const" && !is_placeholder(op));
  });
}

bool LoadTime::waits_for_any(uint32_t group, const std::vector<bool>& kept) const {
  const auto inputs = edges_.inputs(group);
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const Edge& edge) { return edge.node != kNoNode && kept[edge.node]; });
}

std::vector<uint32_t> LoadTime::missing(const std::vector<bool>& kept) const {
  std::vector<uint32_t> found;
  for (const uint32_t step : steps_) {
    if (!kept[step] && serves(step, kept)) found.push_back(step);
  }
  return found;
}

std::vector<uint32_t> LoadTime::groups(const std::vector<bool>& kept) const {
  std::vector<bool> now = kept;
  std::vector<uint32_t> found;
  for (bool more = true; more;) {  // a group may wait for groups
    more = false;
    for (const uint32_t group : groups_) {
      if (now[group] || !waits_for_any(group, now)) continue;
      now[group] = more = true;
      found.push_back(group);
    }
  }
  return found;
}

}  // namespace cryo
