#include "picture/groups/group_tree.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sort.h"
#include "base/text.h"
#include "graph/analysis/frames.h"
#include "picture/groups/scope_builder.h"

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

GroupTree::GroupTree(const Scene& scene, const std::vector<NodeRole>& roles, const Folding& folding)
    : scene_(scene), folding_(folding) {
  ScopeBuilder(*this, roles).run();
  for (uint32_t i = 0; i < scene_.size(); ++i) {
    if (folding_.is_folded(i)) group_of_node_[i] = group_of_node_[folding_.host(i)];
  }
  find_ranks(roles);
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

uint32_t GroupTree::add(uint32_t group, GroupKind kind, const Part& part, std::string label) {
  texts_.push_back(std::move(label));
  const auto made = static_cast<uint32_t>(groups_.size());
  groups_.push_back({group, groups_[group].body, kind, groups_[group].role, 0, texts_.back()});
  units_.push_back(part);
  edges_.emplace_back();
  Group& inner = groups_.back();
  bool border = false;
  for (const uint32_t unit : part) {
    set_parent(unit, made);
    inner.rank = std::min(inner.rank, rank(unit));
    inner.nodes += is_node(unit) ? 1 : groups_[group_of_unit(unit)].nodes;
    inner.visible += is_node(unit) ? 1 : groups_[group_of_unit(unit)].visible;
    inner.structure += structure(unit);
    border = border || borders_[unit];
  }
  borders_.push_back(border);
  return made;
}

void GroupTree::gather(uint32_t group, GroupKind kind, const std::vector<Part>& parts) {
  const auto first = static_cast<uint32_t>(groups_.size());
  std::map<std::string, uint32_t> labels;  // names are unique
  for (const Part& part : parts) {
    std::string label = range_label(part);
    const uint32_t before = labels[label]++;
    if (before > 0) label += cat(" (", before + 1, ")");
    add(group, kind, part, std::move(label));
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

std::string GroupTree::label(uint32_t group) const {
  const Group& of = groups_[group];
  return std::string(of.path.substr(std::min<size_t>(of.label_start, of.path.size())));
}

std::string GroupTree::body_name(uint32_t body) const {
  std::string name;
  for (; body != kOutermost; body = scene_.bodies()[body].outer) {
    const SceneBody& of = scene_.bodies()[body];
    const std::string branch = of.branch.empty() ? "" : cat(of.branch, "/");
    name = cat(of.call->name, "/", branch, name);
  }
  return name;
}

std::string GroupTree::name(uint32_t group) const {
  const Group& of = groups_[group];
  const bool made = of.kind == GroupKind::kSection || of.kind == GroupKind::kStack;
  if (made) return cat(of.parent == kRootGroup ? "" : cat(name(of.parent), "/"), of.path);
  if (of.role == NodeRole::kInference) return cat(body_name(of.body), of.path);
  const std::string tray = cat(":", role_name(of.role));
  return of.kind == GroupKind::kTray ? tray : cat(tray, "/", body_name(of.body), of.path);
}

std::string_view GroupTree::short_name(uint32_t node) const {
  uint32_t group = group_of_node_[node];
  const auto is_made = [](GroupKind kind) {
    return kind == GroupKind::kSection || kind == GroupKind::kStack;
  };
  while (is_made(groups_[group].kind)) group = groups_[group].parent;
  const Group& of = groups_[group];
  const std::string_view name = scene_.node(node).name;
  const bool within = of.kind == GroupKind::kScope && name.size() > of.path.size() &&
                      name.starts_with(of.path) && name[of.path.size()] == '/';
  return within ? name.substr(of.path.size() + 1) : name;
}

std::string GroupTree::range_label(const std::vector<uint32_t>& units) const {
  const auto first_part = [&](uint32_t unit) {
    if (!is_node(unit)) return label(group_of_unit(unit));
    const std::string_view name = short_name(unit);
    return std::string(name.substr(0, name.find('/')));
  };
  return cat(first_part(units.front()), " … ", first_part(units.back()));
}

std::string GroupTree::node_name(uint32_t node) const {
  const std::vector<SceneBody>& bodies = scene_.bodies();
  const auto after = std::partition_point(
      bodies.begin(), bodies.end(), [&](const SceneBody& body) { return body.first <= node; });
  auto body = static_cast<uint32_t>(after - bodies.begin()) - 1;
  while (node >= bodies[body].first + bodies[body].count) --body;  // empty ones
  return cat(body_name(body), scene_.node(node).name);
}

}  // namespace cryo
