#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "graph/node.h"
#include "graph/op_def.h"

namespace cryo {

// The values of the placeholders in a function's body: the caller's attributes, then the defaults
// of the function's signature.
class AttrScope {
 public:
  AttrScope() = default;
  AttrScope(std::vector<Attr> caller, const OpDef* signature);
  std::optional<std::string_view> find(std::string_view name) const;

  // Returns the value, or that of the placeholder if this scope has it.
  std::string_view resolve(std::string_view value) const;

  // Returns true if every placeholder in the value has a value, including those in the attributes
  // of functions that it names.
  bool binds_all(std::string_view value) const;

  const std::vector<Attr>& caller() const { return caller_; }

 private:
  bool binds_all(std::string_view value, int depth) const;

  std::vector<Attr> caller_;  // by name
  const OpDef* signature_ = nullptr;
};

// The attributes of one node, each at the position of its definition: the node's own, else the
// default. Made to be bound to one node after the other.
class NodeAttrs {
 public:
  // `scope`: in a function's body, the values of placeholders; null elsewhere: placeholders are
  // then not replaced. REQUIRES: node, op and scope outlive the binding.
  void bind(const Node& node, const OpDef& op, const AttrScope* scope = nullptr);

  // The attributes that a function is called with, at the places of its signature.
  void bind(const AttrScope& call, const OpDef& signature);

  const OpDef& op() const { return *op_; }

  // Returns the AttrValue at a position of op().attrs; nullopt if the node has none and there is no
  // default (or no such position).
  std::optional<std::string_view> get(int place) const {
    const auto index = static_cast<size_t>(place);
    return index < values_.size() ? values_[index] : std::nullopt;
  }
  std::optional<std::string_view> get(std::string_view name) const {
    return get(op_->attr_index(name));
  }

  // Returns true if the node itself has the attribute.
  bool given(int place) const {
    const auto index = static_cast<size_t>(place);
    return index < given_.size() && given_[index] != 0;
  }

  // Returns the device that the node names.
  std::string_view device() const { return device_; }

  // Attributes that the op does not have, but for those that begin with '_'.
  const std::vector<std::string_view>& unknown() const { return unknown_; }

  // An attribute with '_' in front, as `_class`: nothing that an op defines.
  std::optional<std::string_view> internal(std::string_view name) const;

 private:
  void begin(const OpDef& op);
  void set(const Attr& attr);
  void fill_defaults();

  const OpDef* op_ = nullptr;
  std::string_view device_;
  std::vector<std::optional<std::string_view>> values_;
  std::vector<char> given_;
  std::vector<std::string_view> unknown_;
  std::vector<Attr> internal_;
};

}  // namespace cryo
