#include "graph/node_attrs.h"

#include <algorithm>

#include "base/sort.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Entries of one key as they stand in the node: the last one counts.
bool by_key(const Attr& a, const Attr& b) {
  return a.key != b.key ? a.key < b.key : a.key.data() < b.key.data();
}

}  // namespace

AttrScope::AttrScope(std::vector<Attr> caller, const OpDef* signature)
    : caller_(std::move(caller)), signature_(signature) {
  sort(caller_, by_key);
}

std::optional<std::string_view> AttrScope::find(std::string_view name) const {
  const auto end =
      std::upper_bound(caller_.begin(), caller_.end(), name,
                       [](std::string_view wanted, const Attr& attr) { return wanted < attr.key; });
  if (end != caller_.begin() && std::prev(end)->key == name) return std::prev(end)->value;
  const int place = signature_ ? signature_->attr_index(name) : kNoAttr;
  if (place == kNoAttr) return std::nullopt;
  return signature_->attrs[static_cast<size_t>(place)].default_value;
}

std::string_view AttrScope::resolve(std::string_view value) const {
  const AttrValue attr(value);
  if (attr.kind() != AttrKind::kPlaceholder) return value;
  return find(attr.bytes()).value_or(value);
}

bool AttrScope::binds_all(std::string_view value) const { return binds_all(value, 0); }

bool AttrScope::binds_all(std::string_view value, int depth) const {
  const AttrValue attr(value);
  if (attr.kind() == AttrKind::kPlaceholder) return find(attr.bytes()).has_value();
  bool all = true;
  const auto look_into = [&](std::string_view function) {
    for (WireCursor cursor(function); all && depth < kMaxDepth && cursor.next();) {
      if (cursor.field().number != fields::NameAttrList::kAttr) continue;
      all = binds_all(read_map_entry(cursor.field().bytes).value, depth + 1);
    }
  };
  if (attr.kind() == AttrKind::kFunc) look_into(attr.bytes());
  attr.each_bytes(AttrKind::kFunc, look_into);
  return all;
}

void NodeAttrs::begin(const OpDef& op) {
  op_ = &op;
  device_ = {};
  values_.assign(op.attrs.size(), std::nullopt);
  given_.assign(op.attrs.size(), 0);
  unknown_.clear();
  internal_.clear();
}

void NodeAttrs::set(const Attr& attr) {
  const int place = op_->attr_index(attr.key);
  if (place != kNoAttr) {
    values_[static_cast<size_t>(place)] = attr.value;
    given_[static_cast<size_t>(place)] = 1;
  } else if (attr.key.starts_with('_')) {
    internal_.push_back(attr);
  } else {
    unknown_.push_back(attr.key);
  }
}

void NodeAttrs::fill_defaults() {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i]) values_[i] = op_->attrs[i].default_value;
  }
}

void NodeAttrs::bind(const Node& node, const OpDef& op, const AttrScope* scope) {
  begin(op);
  for (WireCursor cursor(node.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type != WireType::kBytes) continue;
    if (field.number == fields::NodeDef::kDevice) device_ = field.bytes;
    if (field.number != fields::NodeDef::kAttr) continue;
    Attr attr = read_map_entry(field.bytes);
    if (scope) attr.value = scope->resolve(attr.value);
    set(attr);
  }
  fill_defaults();
}

void NodeAttrs::bind(const AttrScope& call, const OpDef& signature) {
  begin(signature);
  for (const Attr& attr : call.caller()) set(attr);
  fill_defaults();
}

std::optional<std::string_view> NodeAttrs::internal(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const Attr& attr : internal_) {
    if (attr.key == name) found = attr.value;
  }
  return found;
}

}  // namespace cryo
