#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "picture/groups/folding.h"
#include "picture/groups/node_roles.h"
#include "picture/groups/scene.h"
#include "picture/groups/ways.h"

namespace cryo {

constexpr uint32_t kRootGroup = 0;
constexpr uint32_t kNoUnit = 0xFFFFFFFF;

enum class GroupKind : uint8_t {
  kRoot,
  kTray,     // the nodes of one role
  kScope,    // a name scope, or a call of a function
  kSection,  // units that belong together by structure or by their names
  kStack,    // repeats: units that are alike
  kAside,    // units that are off the ways from inputs to outputs
};

struct Group {
  uint32_t parent = kRootGroup;
  uint32_t body = kOutermost;
  GroupKind kind = GroupKind::kScope;
  NodeRole role = NodeRole::kInference;
  uint32_t label_start = 0;     // the label is the path from here
  std::string_view path = {};   // in its body: "conv1/bn"
  std::string_view title = {};  // the label, where the path says nothing
  uint32_t nodes = 0;           // in it, folded ones included
  uint32_t visible = 0;         // in it, without folded ones
  uint32_t rank = kNoUnit;      // the first of its nodes in data-flow order
  bool is_stack = false;        // its units are alike
  bool is_aside = false;        // drawn at the side, its edges as stubs
  bool is_named = true;         // its label is a name of the graph, or of a run of such names
  uint32_t on_ways = 0;         // visible nodes in it that are on a way from an input to an output
  uint32_t layers = 0;          // nodes that take a matrix or a kernel
  uint64_t bytes = 0;           // of the weights of nodes on ways
  uint64_t structure = 0;       // equal for groups of equal ops, connected equally
};

// Edges between two units of one group: `count` inputs.
struct UnitEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t count = 0;
};

// The groups of a scene, nested. A unit is a node or a group: numbers below the count of nodes are
// nodes, the others groups. Groups of one unit are joined with it:
//
//     a/b/x, a/b/y, c/z, c/w (folded into c/z)      --->      a/b { x  y }   z
class GroupTree {
 public:
  // The name scopes. REQUIRES: the arguments outlive it.
  GroupTree(const Scene& scene, const std::vector<NodeRole>& roles, const Folding& folding,
            const Ways& ways);

  const Scene& scene() const { return scene_; }
  const Folding& folding() const { return folding_; }
  const Ways& ways() const { return ways_; }
  const std::vector<Group>& groups() const { return groups_; }
  Group& group(uint32_t group) { return groups_[group]; }

  // The units of a group in data-flow order, and the edges between them by from and to.
  const std::vector<uint32_t>& units(uint32_t group) const { return units_[group]; }
  const std::vector<UnitEdge>& edges(uint32_t group) const { return edges_[group]; }

  bool is_node(uint32_t unit) const { return unit < scene_.size(); }
  uint32_t group_of_unit(uint32_t unit) const {
    return unit - static_cast<uint32_t>(scene_.size());
  }
  uint32_t unit_of_group(uint32_t group) const {
    return group + static_cast<uint32_t>(scene_.size());
  }
  uint32_t rank(uint32_t unit) const {
    return is_node(unit) ? ranks_[unit] : groups_[group_of_unit(unit)].rank;
  }
  uint32_t parent(uint32_t unit) const {
    return is_node(unit) ? group_of_node_[unit] : groups_[group_of_unit(unit)].parent;
  }
  uint32_t group_of_node(uint32_t node) const { return group_of_node_[node]; }

  std::string label(uint32_t group) const;
  // Unique: "call/conv1/bn"; that of a tray is ":training", and its groups begin with it.
  std::string name(uint32_t group) const;
  std::string node_name(uint32_t node) const;  // with the calls that lead to it

  // The node's name without that of the scope whose group it is in.
  std::string_view short_name(uint32_t node) const;

  // The label of a group; of a node its name within the scope around it, up to the first slash.
  std::string unit_label(uint32_t unit) const;

  // The first or the last unit within groups whose label is not a name: what names a run.
  uint32_t first_named(uint32_t unit) const;
  uint32_t last_named(uint32_t unit) const;

  // The repeats of a stack, without nodes between groups.
  uint32_t repeats(uint32_t group) const;

  // Returns true if an edge with one end in the unit has the other end outside the unit's group.
  bool is_border(uint32_t unit) const { return borders_[unit]; }

  // Returns true for what is drawn at the side: its edges are stubs.
  bool is_aside(uint32_t unit) const {
    return !is_node(unit) && groups_[group_of_unit(unit)].is_aside;
  }

  // A unit's part of the ways from inputs to outputs, and of the layers.
  struct Share {
    uint32_t on_ways = 0;
    uint32_t layers = 0;
    uint64_t bytes = 0;
  };
  Share share(uint32_t unit) const;

  // Equal for nodes of one op and for groups of equal structure.
  uint64_t structure(uint32_t unit) const;

  // Units of a group that get a group of their own.
  struct Part {
    std::vector<uint32_t> units = {};
    std::string label = {};
    bool is_named = true;
  };
  // Puts the units of each part into a new group within the group. A group all of whose units are
  // one stack becomes that stack. REQUIRES: no part is empty, no unit is in two; a part with all
  // units is the only one.
  void gather(uint32_t group, GroupKind kind, const std::vector<Part>& parts);

  // All groups, each after its parent.
  std::vector<uint32_t> outer_first() const;

 private:
  friend class ScopeBuilder;
  struct Visit {
    uint32_t node;
    size_t input;
  };
  void find_ranks(const std::vector<NodeRole>& roles);
  bool is_end(uint32_t node, const std::vector<NodeRole>& roles) const;
  void rank_inputs(uint32_t node, std::vector<Visit>& open, uint32_t& next);
  void find_units();
  void find_edges(const std::vector<uint32_t>& depths);
  uint32_t leave(uint32_t unit);
  void find_shares();
  void sum_up();
  void set_parent(uint32_t unit, uint32_t group);
  void add(uint32_t group, GroupKind kind, const Part& part, std::string path);
  std::string unit_path(uint32_t unit) const;
  void replace_units(uint32_t group, uint32_t first);
  void split_edges(uint32_t group, uint32_t first);
  std::string body_name(uint32_t body) const;

  const Scene& scene_;
  const Folding& folding_;
  const Ways& ways_;
  std::vector<Group> groups_;
  std::vector<uint32_t> group_of_node_;
  std::vector<uint32_t> ranks_;   // by node
  std::vector<uint64_t> hashes_;  // of ops, by node
  std::vector<Share> shares_;     // by node
  std::vector<std::vector<uint32_t>> units_;
  std::vector<std::vector<UnitEdge>> edges_;
  std::vector<bool> borders_;  // by unit
  std::list<std::string> texts_;
};

}  // namespace cryo
