#include <algorithm>

#include "base/text.h"
#include "picture/groups/call_names.h"
#include "picture/groups/group_tree.h"

// The labels and names of a tree's groups and nodes.

namespace cryo {
namespace {

// Returns true for groups that no scope or call has made.
bool is_made(GroupKind kind) {
  return kind == GroupKind::kSection || kind == GroupKind::kStack || kind == GroupKind::kAside;
}

}  // namespace

std::string GroupTree::label(uint32_t group) const {
  const Group& of = groups_[group];
  if (!of.title.empty()) return std::string(of.title);
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
  if (is_made(of.kind))
    return cat(of.parent == kRootGroup ? "" : cat(name(of.parent), "/"), of.path);
  if (of.role == NodeRole::kInference) return cat(body_name(of.body), of.path);
  const std::string tray = cat(":", role_name(of.role));
  return of.kind == GroupKind::kTray ? tray : cat(tray, "/", body_name(of.body), of.path);
}

std::string_view GroupTree::short_name(uint32_t node) const {
  uint32_t group = group_of_node_[node];
  while (is_made(groups_[group].kind)) group = groups_[group].parent;
  const Group& of = groups_[group];
  const std::string_view name = scene_.node(node).name;
  const bool within = of.kind == GroupKind::kScope && name.size() > of.path.size() &&
                      name.starts_with(of.path) && name[of.path.size()] == '/';
  return without_calls(within ? name.substr(of.path.size() + 1) : name);
}

std::string GroupTree::unit_label(uint32_t unit) const {
  if (!is_node(unit)) return label(group_of_unit(unit));
  const std::string_view name = short_name(unit);
  return std::string(name.substr(0, name.find('/')));
}

// Returns the part of the unit's name that follows the name of the group around it.
std::string GroupTree::unit_path(uint32_t unit) const {
  if (is_node(unit)) return std::string(short_name(unit));
  const Group& of = groups_[group_of_unit(unit)];
  return std::string(of.path.substr(std::min<size_t>(of.label_start, of.path.size())));
}

uint32_t GroupTree::first_named(uint32_t unit) const {
  while (!is_node(unit) && !groups_[group_of_unit(unit)].is_named)
    unit = units_[group_of_unit(unit)].front();
  return unit;
}

uint32_t GroupTree::last_named(uint32_t unit) const {
  while (!is_node(unit) && !groups_[group_of_unit(unit)].is_named)
    unit = units_[group_of_unit(unit)].back();
  return unit;
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
