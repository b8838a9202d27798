#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/node_types.h"

namespace cryo {

// The item that an input inside a function's body names: an argument, an output argument of a node,
// or one tensor of either.
struct BodyItem {
  bool is_arg = false;
  uint32_t owner = 0;  // index of the argument or of the node
  uint32_t port = 0;   // the place of the first tensor among the owner's
  bool is_ref = false;
  std::span<const TypeRun> list = {};
  std::optional<TypeRun> one = {};

  std::span<const TypeRun> types() const { return one ? std::span(&*one, 1) : list; }
};

// The names that a function's body may use:
//
//     a  a:0        an argument, all of it or one of its tensors
//     n:out  n:out:1    the same of an output argument of a node
//     n             a node without outputs
class BodyItems {
 public:
  // False if an argument already has the name.
  bool add_arg(std::string_view name, bool is_ref, const std::vector<TypeRun>& types);
  bool add_node(std::string_view name);
  void add_output(std::string_view name, bool is_ref,
                  const std::vector<TypeRun>& types);  // of the node added last

  std::optional<BodyItem> find(std::string_view text) const;

  // Returns true if the text begins with the name of a node whose op is not known: it may be valid.
  bool is_opaque(std::string_view text) const;

  // Returns the item that "^text" names: the node or argument, or anything of it.
  std::optional<BodyItem> find_control(std::string_view text) const;

  // The node added last is of an op that is not known.
  void make_opaque() {
    if (last_) last_->opaque = true;
  }

  uint64_t size() const { return runs_.size(); }

  // The node that an item is of, where arguments are nodes too and come before the others.
  uint32_t node_of(const BodyItem& item) const {
    return item.is_arg ? item.owner : static_cast<uint32_t>(args_.size()) + item.owner;
  }

 private:
  struct Item {
    std::string_view name;
    bool is_ref;
    size_t begin, end;  // in runs_
    uint32_t port;
  };
  struct NodeItems {
    uint32_t index;
    size_t begin, end;  // in outputs_
    bool opaque = false;
    uint32_t ports = 0;
  };
  Item make_item(std::string_view name, bool is_ref, const std::vector<TypeRun>& types,
                 uint32_t port);
  BodyItem view(bool is_arg, uint32_t owner, const Item& item) const;
  std::optional<BodyItem> find_output(std::string_view node, std::string_view output) const;

  std::vector<TypeRun> runs_;
  std::vector<Item> args_;
  std::vector<Item> outputs_;
  std::unordered_map<std::string_view, uint32_t> arg_names_;
  std::unordered_map<std::string_view, NodeItems> node_names_;
  // Outputs beyond a node's first few, which are compared one by one.
  static constexpr size_t kFew = 16;
  std::map<std::pair<uint32_t, std::string_view>, size_t> further_outputs_;
  NodeItems* last_ = nullptr;  // where add_output() adds; null for a node whose name was taken
  uint32_t nodes_ = 0;
};

}  // namespace cryo
