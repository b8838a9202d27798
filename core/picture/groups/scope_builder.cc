#include "picture/groups/scope_builder.h"

#include <algorithm>

#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "picture/groups/call_names.h"

namespace cryo {
namespace {

std::string_view scope_of(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

// Returns true for a call whose name says nothing.
bool is_unnamed(const Node& call) {
  return is_call(call.op) && is_name_of_call(call.name.substr(call.name.rfind('/') + 1));
}

}  // namespace

void ScopeBuilder::run() {
  const std::vector<SceneBody>& bodies = tree_.scene_.bodies();
  tree_.groups_.push_back({.kind = GroupKind::kRoot});
  tree_.group_of_node_.assign(tree_.scene_.size(), kRootGroup);
  base_of_body_.assign(bodies.size(), kRootGroup);
  for (uint32_t body = 0; body < bodies.size(); ++body) add_body(body);
  join_single_units();
}

void ScopeBuilder::add_body(uint32_t body) {
  const SceneBody& of = tree_.scene_.bodies()[body];
  for (Scopes& scopes : scopes_) scopes.clear();
  bases_.fill(kNoUnit);
  std::string_view last;
  uint32_t group = kNoUnit;
  NodeRole role = NodeRole::kInference;
  for (uint32_t i = of.first; i < of.first + of.count; ++i) {
    const std::string_view name = tree_.scene_.node(i).name;
    const std::string_view within = scope_of(name);
    if (group == kNoUnit || within != last || roles_[i] != role) {
      group = scope(body, roles_[i], within);
      last = within;
      role = roles_[i];
    }
    tree_.group_of_node_[i] = group;
  }
  add_calls(body);
  // A node that has the name of a scope belongs to it.
  for (uint32_t i = of.first; i < of.first + of.count; ++i) {
    const Scopes& scopes = scopes_[static_cast<size_t>(roles_[i])];
    const auto found = scopes.find(tree_.scene_.node(i).name);
    if (found != scopes.end()) tree_.group_of_node_[i] = found->second;
  }
  move_pins(body);
}

void ScopeBuilder::move_pins(uint32_t body) {
  const SceneBody& of = tree_.scene_.bodies()[body];
  for (uint32_t i = of.first; i < of.first + of.count; ++i) {
    if (tree_.ways_.pins[i]) tree_.group_of_node_[i] = kRootGroup;
  }
}

NodeRole ScopeBuilder::role_of(const SceneBody& body) const {
  return body.count == 0 ? NodeRole::kInference : roles_[body.first];
}

// The calls of a body come one after the other.
void ScopeBuilder::add_calls(uint32_t body) {
  const std::vector<SceneBody>& bodies = tree_.scene_.bodies();
  const auto in_body = [&](uint32_t at) { return at < bodies.size() && bodies[at].outer == body; };
  uint32_t unnamed = 0;
  for (uint32_t at = next_call_; in_body(at); ++at) {
    const bool counts = is_unnamed(*bodies[at].call) && role_of(bodies[at]) == NodeRole::kInference;
    unnamed += counts ? 1U : 0U;
  }
  for (; in_body(next_call_); ++next_call_)
    base_of_body_[next_call_] = group_of_call(body, bodies[next_call_], unnamed == 1);
}

uint32_t ScopeBuilder::group_of_call(uint32_t body, const SceneBody& of, bool only) {
  const NodeRole role = role_of(of);
  const std::string_view name = of.call->name;
  const bool unnamed = is_unnamed(*of.call);
  if (unnamed && only) return scope(body, role, scope_of(name));
  const uint32_t group = scope(body, role, name);
  if (unnamed) tree_.groups_[group].title = function_title(of.function);
  if (of.branch.empty()) return group;
  tree_.texts_.push_back(cat(name, "/", of.branch));
  return add({.parent = group,
              .body = body,
              .role = role,
              .label_start = static_cast<uint32_t>(name.size() + 1),
              .path = tree_.texts_.back()});
}

uint32_t ScopeBuilder::add(const Group& group) {
  tree_.groups_.push_back(group);
  return static_cast<uint32_t>(tree_.groups_.size() - 1);
}

// The group of what has no scope.
uint32_t ScopeBuilder::base(uint32_t body, NodeRole role) {
  uint32_t& base = bases_[static_cast<size_t>(role)];
  if (base != kNoUnit) return base;
  base = base_of_body_[body];
  if (body != kOutermost || role == NodeRole::kInference) return base;
  base = add({.kind = GroupKind::kTray, .role = role, .path = role_title(role), .is_aside = true});
  return base;
}

// The group of a scope, made together with those around it.
uint32_t ScopeBuilder::scope(uint32_t body, NodeRole role, std::string_view path) {
  Scopes& scopes = scopes_[static_cast<size_t>(role)];
  uint32_t group = base(body, role);
  size_t end = path.size();
  while (end > 0) {
    const auto found = scopes.find(path.substr(0, end));
    if (found != scopes.end()) {
      group = found->second;
      break;
    }
    const size_t slash = path.rfind('/', end - 1);
    end = slash == std::string_view::npos ? 0 : slash;
  }
  size_t start = end == 0 ? 0 : end + 1;
  for (; end < path.size(); start = end + 1) {
    end = std::min(path.find('/', start), path.size());
    const std::string_view made = path.substr(0, end);
    if (is_name_of_call(path.substr(start, end - start)) && end < path.size()) {
      scopes.emplace(made, group);
      continue;
    }
    group = add({.parent = group,
                 .body = body,
                 .role = role,
                 .label_start = static_cast<uint32_t>(start),
                 .path = made});
    scopes.emplace(made, group);
  }
  return group;
}

// From the innermost groups outwards.
void ScopeBuilder::join_single_units() {
  std::vector<Content> contents(tree_.groups_.size());
  for (uint32_t i = 0; i < tree_.scene_.size(); ++i) {
    if (!tree_.folding_.is_folded(i)) add(contents[tree_.group_of_node_[i]], i);
  }
  for (auto group = static_cast<uint32_t>(tree_.groups_.size()); group-- > 1;) {
    const Content& content = contents[group];
    if (content.groups + content.nodes == 0) continue;
    Content& outer = contents[tree_.groups_[group].parent];
    const bool single = content.groups + content.nodes == 1;
    if (tree_.groups_[group].kind == GroupKind::kTray || !(single || is_wrapper(content))) {
      add(outer, tree_.unit_of_group(group));
      continue;
    }
    if (content.groups == 1) {
      if (single) join_label(group, tree_.group_of_unit(content.group));
      move_out(group, content.group, outer);
    }
    for (uint32_t i = 0; i < content.nodes; ++i) move_out(group, content.few[i], outer);
  }
}

void ScopeBuilder::add(Content& content, uint32_t unit) const {
  if (!tree_.is_node(unit)) {
    ++content.groups;
    content.group = unit;
    return;
  }
  if (content.nodes < content.few.size()) content.few[content.nodes] = unit;
  ++content.nodes;
  content.identities += tree_.scene_.node(unit).op == "Identity" ? 1U : 0U;
}

// Returns true if a group has one group and a few nodes that only pass on its results, such as the
// call of a function around the model itself.
bool ScopeBuilder::is_wrapper(const Content& content) {
  return content.groups == 1 && content.nodes == content.identities &&
         content.nodes <= content.few.size();
}

// Puts a unit of a group next to the group.
void ScopeBuilder::move_out(uint32_t group, uint32_t unit, Content& outer) {
  tree_.set_parent(unit, tree_.groups_[group].parent);
  add(outer, unit);
}

void ScopeBuilder::join_label(uint32_t outer_group, uint32_t inner_group) {
  const Group& outer = tree_.groups_[outer_group];
  Group& inner = tree_.groups_[inner_group];
  if (inner.body == outer.body && inner.path.starts_with(outer.path)) {
    inner.label_start = outer.label_start;
  }
}

}  // namespace cryo
