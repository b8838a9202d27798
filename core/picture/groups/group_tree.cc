#include "picture/groups/group_tree.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sort.h"
#include "base/text.h"
#include "graph/analysis/frames.h"
#include "picture/groups/op_family.h"
#include "picture/groups/scope_builder.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

uint64_t mixed(uint64_t value) {
  value ^= value >> 31;
  value *= 0x9E3779B97F4A7C15ULL;
  value ^= value >> 29;
  value *= 0xBF58476D1CE4E5B9ULL;
  return value ^ value >> 32;
}

// The same on every host, as std::hash is not.
uint64_t hash_text(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char each : text) hash = (hash ^ static_cast<uint8_t>(each)) * 0x100000001B3ULL;
  return mixed(hash);
}

void add_share(const GroupTree::Share& share, Group& group) {
  group.on_ways += share.on_ways;
  group.layers += share.layers;
  group.bytes += share.bytes;
}

// A matrix or a kernel, but no vector.
bool is_matrix(const StoredTensor& tensor) {
  const auto wide = std::count_if(tensor.shape.dims.begin(), tensor.shape.dims.end(),
                                  [](int64_t size) { return size > 1; });
  return wide > 1;
}

// A product with weights, or a choice among them: an embedding.
bool is_layer_op(std::string_view op) {
  return op_family(op) == "layer" || op.find("Gather") != std::string_view::npos;
}

// Sorts edges and adds up those with the same ends.
void merge_edges(std::vector<UnitEdge>& edges) {
  sort(edges, [](const UnitEdge& a, const UnitEdge& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  size_t kept = 0;
  for (const UnitEdge& edge : edges) {
    const bool same =
        kept > 0 && edges[kept - 1].from == edge.from && edges[kept - 1].to == edge.to;
    if (same) edges[kept - 1].count += edge.count;
    if (!same) edges[kept++] = edge;
  }
  edges.resize(kept);
}

}  // namespace

GroupTree::GroupTree(const Scene& scene, const std::vector<NodeRole>& roles, const Folding& folding,
                     const Ways& ways)
    : scene_(scene), folding_(folding), ways_(ways) {
  ScopeBuilder(*this, roles).run();
  for (uint32_t i = 0; i < scene_.size(); ++i) {
    if (folding_.is_folded(i)) group_of_node_[i] = group_of_node_[folding_.host(i)];
  }
  find_ranks(roles);
  find_shares();
  sum_up();
  find_units();
}

// Data-flow order, each node as late as its first consumer allows: inputs first, from each end of
// the graph. Loops are followed once.
void GroupTree::find_ranks(const std::vector<NodeRole>& roles) {
  ranks_.assign(scene_.size(), kNoUnit);
  uint32_t next = 0;
  std::vector<Visit> open;
  for (const bool only_ends : {true, false}) {
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      const bool starts = !only_ends || (roles[i] == NodeRole::kInference && is_end(i, roles));
      if (starts && ranks_[i] == kNoUnit) rank_inputs(i, open, next);
    }
  }
}

// Returns true if no inference node takes a result of the node.
bool GroupTree::is_end(uint32_t node, const std::vector<NodeRole>& roles) const {
  for (const Consumer& consumer : scene_.consumers().of(node)) {
    if (roles[consumer.node] == NodeRole::kInference) return false;
  }
  return true;
}

// Numbers the node after all that it is computed from.
void GroupTree::rank_inputs(uint32_t node, std::vector<Visit>& open, uint32_t& next) {
  constexpr uint32_t kOpen = kNoUnit - 1;
  open.push_back({node, 0});
  ranks_[node] = kOpen;
  while (!open.empty()) {
    const std::span<const Edge> inputs = scene_.edges().inputs(open.back().node);
    if (open.back().input == inputs.size()) {
      ranks_[open.back().node] = next++;
      open.pop_back();
      continue;
    }
    const uint32_t from = inputs[open.back().input++].node;
    if (from == kNoNode || ranks_[from] != kNoUnit) continue;
    if (is_next_iteration(scene_.node(from).op)) continue;
    ranks_[from] = kOpen;
    open.push_back({from, 0});
  }
}

// Weights count where they are drawn.
void GroupTree::find_shares() {
  shares_.assign(scene_.size(), {});
  for (uint32_t i = 0; i < scene_.size(); ++i) {
    const uint32_t host = folding_.host(i);
    const bool passes = ways_.passed[host];
    Share& share = shares_[host];
    const Node& node = scene_.node(i);
    if (host == i) share.on_ways = passes ? 1 : 0;
    if (!is_stored(node)) continue;
    const StoredTensor tensor = stored_tensor(node);
    if (host != i && is_matrix(tensor) && is_layer_op(scene_.node(host).op)) share.layers = 1;
    if (passes) share.bytes += tensor.bytes;
  }
}

GroupTree::Share GroupTree::share(uint32_t unit) const {
  if (is_node(unit)) return shares_[unit];
  const Group& of = groups_[group_of_unit(unit)];
  return {of.on_ways, of.layers, of.bytes};
}

// Sums up the nodes, ranks and structure of each group, inner groups first.
void GroupTree::sum_up() {
  hashes_.reserve(scene_.size());
  for (uint32_t i = 0; i < scene_.size(); ++i) {
    hashes_.push_back(hash_text(scene_.node(i).op));
    Group& group = groups_[group_of_node_[i]];
    ++group.nodes;
    if (folding_.is_folded(i)) continue;
    ++group.visible;
    group.rank = std::min(group.rank, ranks_[i]);
    group.structure += hashes_[i];
    add_share(shares_[i], group);
  }
  std::vector<uint32_t> depths(groups_.size(), 0);
  for (const uint32_t group : outer_first()) {
    if (group != kRootGroup) depths[group] = depths[groups_[group].parent] + 1;
  }
  edges_.resize(groups_.size());
  borders_.assign(scene_.size() + groups_.size(), false);
  find_edges(depths);
  std::vector<uint32_t> order = outer_first();
  for (size_t at = order.size(); at-- > 1;) {
    const Group& inner = groups_[order[at]];
    if (inner.visible == 0) continue;
    Group& outer = groups_[inner.parent];
    outer.nodes += inner.nodes;
    outer.visible += inner.visible;
    outer.rank = std::min(outer.rank, inner.rank);
    add_share({inner.on_ways, inner.layers, inner.bytes}, outer);
    outer.structure += mixed(inner.structure + 1);
  }
}

// Groups that have units, each after its parent.
std::vector<uint32_t> GroupTree::outer_first() const {
  std::vector<uint32_t> starts(groups_.size() + 1, 0);
  for (uint32_t group = 1; group < groups_.size(); ++group) ++starts[groups_[group].parent + 1];
  for (size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<uint32_t> inner(groups_.size());
  std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
  for (uint32_t group = 1; group < groups_.size(); ++group)
    inner[next[groups_[group].parent]++] = group;
  std::vector<uint32_t> order = {kRootGroup};
  for (size_t at = 0; at < order.size(); ++at) {
    for (uint32_t i = starts[order[at]]; i < starts[order[at] + 1]; ++i) order.push_back(inner[i]);
  }
  return order;
}

// The unit around a unit, which an edge leaves.
uint32_t GroupTree::leave(uint32_t unit) {
  borders_[unit] = true;
  return unit_of_group(parent(unit));
}

// Puts each edge where its ends part.
void GroupTree::find_edges(const std::vector<uint32_t>& depths) {
  for (uint32_t to = 0; to < scene_.size(); ++to) {
    if (folding_.is_folded(to)) continue;
    for (const Edge& edge : scene_.edges().inputs(to)) {
      if (edge.node == kNoNode || edge.node == to || folding_.is_folded(edge.node)) continue;
      uint32_t a = edge.node;
      uint32_t b = to;
      while (parent(a) != parent(b)) {
        const bool a_is_deeper = depths[parent(a)] >= depths[parent(b)];
        const bool b_is_deeper = depths[parent(b)] >= depths[parent(a)];
        if (a_is_deeper) a = leave(a);
        if (b_is_deeper) b = leave(b);
      }
      const uint32_t group = parent(a);
      edges_[group].push_back({a, b, 1});
      groups_[group].structure += mixed(hashes_[edge.node] + 3 * hashes_[to]);
    }
  }
  for (auto& edges : edges_) merge_edges(edges);
}

void GroupTree::find_units() {
  units_.assign(groups_.size(), {});
  for (uint32_t i = 0; i < scene_.size(); ++i) {
    if (!folding_.is_folded(i)) units_[group_of_node_[i]].push_back(i);
  }
  for (uint32_t group = 1; group < groups_.size(); ++group) {
    if (groups_[group].visible > 0) units_[groups_[group].parent].push_back(unit_of_group(group));
  }
  for (auto& units : units_) {
    sort(units,
         [&](uint32_t a, uint32_t b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
  }
}

void GroupTree::set_parent(uint32_t unit, uint32_t group) {
  (is_node(unit) ? group_of_node_[unit] : groups_[group_of_unit(unit)].parent) = group;
}

uint64_t GroupTree::structure(uint32_t unit) const {
  return is_node(unit) ? hashes_[unit] : mixed(groups_[group_of_unit(unit)].structure + 1);
}

void GroupTree::add(uint32_t group, GroupKind kind, const Part& part, std::string path) {
  texts_.push_back(part.label);
  const std::string_view title = texts_.back();
  texts_.push_back(std::move(path));
  const auto made = static_cast<uint32_t>(groups_.size());
  groups_.push_back({.parent = group,
                     .body = groups_[group].body,
                     .kind = kind,
                     .role = groups_[group].role,
                     .path = texts_.back(),
                     .title = title,
                     .is_stack = kind == GroupKind::kStack,
                     .is_aside = kind == GroupKind::kAside,
                     .is_named = part.is_named});
  units_.push_back(part.units);
  edges_.emplace_back();
  Group& inner = groups_.back();
  bool border = false;
  for (const uint32_t unit : part.units) {
    set_parent(unit, made);
    inner.rank = std::min(inner.rank, rank(unit));
    inner.nodes += is_node(unit) ? 1 : groups_[group_of_unit(unit)].nodes;
    inner.visible += is_node(unit) ? 1 : groups_[group_of_unit(unit)].visible;
    inner.structure += structure(unit);
    add_share(share(unit), inner);
    border = border || borders_[unit];
  }
  borders_.push_back(border);
}

void GroupTree::gather(uint32_t group, GroupKind kind, const std::vector<Part>& parts) {
  const bool whole = parts.size() == 1 && parts.front().units.size() == units_[group].size();
  if (whole) {
    const bool can_be_stack = group != kRootGroup && !groups_[group].is_aside;
    if (can_be_stack && kind == GroupKind::kStack) groups_[group].is_stack = true;
    return;
  }
  const auto first = static_cast<uint32_t>(groups_.size());
  std::map<std::string, uint32_t> paths;  // names are unique
  for (const uint32_t unit : units_[group]) ++paths[unit_path(unit)];
  for (const Part& part : parts) {
    std::string path = part.label;
    const uint32_t before = paths[path]++;
    if (before > 0) path += cat(" (", before + 1, ")");
    add(group, kind, part, std::move(path));
  }
  replace_units(group, first);
  split_edges(group, first);
}

// Each new group takes the place of its first unit.
void GroupTree::replace_units(uint32_t group, uint32_t first) {
  std::vector<uint32_t> kept;
  std::vector<bool> placed(groups_.size() - first, false);
  for (const uint32_t unit : units_[group]) {
    const uint32_t made = parent(unit);
    if (made == group) kept.push_back(unit);
    if (made == group || placed[made - first]) continue;
    placed[made - first] = true;
    kept.push_back(unit_of_group(made));
  }
  units_[group] = std::move(kept);
}

// Moves the edges within a new group there; those across its border have it as an end.
void GroupTree::split_edges(uint32_t group, uint32_t first) {
  std::vector<UnitEdge> kept;
  for (UnitEdge edge : edges_[group]) {
    const uint32_t from = parent(edge.from);
    const uint32_t to = parent(edge.to);
    if (from == to && from >= first) {
      groups_[from].structure += mixed(structure(edge.from) + 3 * structure(edge.to));
      edges_[from].push_back(edge);
      continue;
    }
    if (from >= first) {
      borders_[edge.from] = true;
      edge.from = unit_of_group(from);
    }
    if (to >= first) {
      borders_[edge.to] = true;
      edge.to = unit_of_group(to);
    }
    kept.push_back(edge);
  }
  edges_[group] = std::move(kept);
  merge_edges(edges_[group]);
}

uint32_t GroupTree::repeats(uint32_t group) const {
  const std::vector<uint32_t>& units = units_[group];
  const bool of_nodes = is_node(units.front());
  return static_cast<uint32_t>(std::count_if(
      units.begin(), units.end(), [&](uint32_t unit) { return is_node(unit) == of_nodes; }));
}

}  // namespace cryo
