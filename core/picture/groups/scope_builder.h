#pragma once

#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "picture/groups/group_tree.h"

namespace cryo {

// Makes the groups of a tree from the names of nodes, a tree of scopes for each role. A call whose
// name says nothing (PartitionedCall_3) has the name of its function; it has no group if it is the
// only one in its body. Nor has a scope with such a name. Inputs and outputs of the graph are in no
// scope.
class ScopeBuilder {
 public:
  ScopeBuilder(GroupTree& tree, const std::vector<NodeRole>& roles) : tree_(tree), roles_(roles) {}
  void run();

 private:
  // The units of a group, counted; the nodes while they are few.
  struct Content {
    uint32_t groups = 0;
    uint32_t nodes = 0;
    uint32_t identities = 0;
    uint32_t group = kNoUnit;
    std::array<uint32_t, 2> few = {};
  };
  using Scopes = std::unordered_map<std::string_view, uint32_t>;
  void add_body(uint32_t body);
  void add_calls(uint32_t body);
  void move_pins(uint32_t body);
  NodeRole role_of(const SceneBody& body) const;
  uint32_t group_of_call(uint32_t body, const SceneBody& of, bool only);
  uint32_t base(uint32_t body, NodeRole role);
  uint32_t scope(uint32_t body, NodeRole role, std::string_view path);
  uint32_t add(const Group& group);
  void join_single_units();
  void add(Content& content, uint32_t unit) const;
  static bool is_wrapper(const Content& content);
  void move_out(uint32_t group, uint32_t unit, Content& outer);
  void join_label(uint32_t outer_group, uint32_t inner_group);

  GroupTree& tree_;
  const std::vector<NodeRole>& roles_;
  std::array<Scopes, kRoleCount> scopes_;
  std::array<uint32_t, kRoleCount> bases_ = {};
  std::vector<uint32_t> base_of_body_;
  uint32_t next_call_ = 1;
};

}  // namespace cryo
