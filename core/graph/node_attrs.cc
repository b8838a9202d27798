#include "graph/node_attrs.h"

#include <algorithm>

namespace cryo {
namespace {

// Field numbers of node_def.proto.
constexpr uint32_t kAttr = 5, kKey = 1, kValue = 2;

bool by_key(const Attr& a, const Attr& b) { return a.key < b.key; }

Attr read_entry(std::string_view entry) {
  Attr attr;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().type != WireType::kBytes) continue;
    if (cursor.field().number == kKey) attr.key = cursor.field().bytes;
    if (cursor.field().number == kValue) attr.value = cursor.field().bytes;
  }
  return attr;
}

}  // namespace

AttrScope::AttrScope(std::vector<Attr> caller, const OpDef* signature)
    : caller_(std::move(caller)), signature_(signature) {
  std::stable_sort(caller_.begin(), caller_.end(), by_key);
}

std::optional<std::string_view> AttrScope::find(std::string_view name) const {
  const auto end = std::upper_bound(caller_.begin(), caller_.end(), Attr{name, {}}, by_key);
  if (end != caller_.begin() && std::prev(end)->key == name) return std::prev(end)->value;
  const int place = signature_ ? signature_->attr_index(name) : kNoAttr;
  if (place == kNoAttr) return std::nullopt;
  return signature_->attrs[static_cast<size_t>(place)].default_value;
}

void NodeAttrs::bind(const Node& node, const OpDef& op, const AttrScope* scope) {
  op_ = &op;
  values_.assign(op.attrs.size(), std::nullopt);
  given_.assign(op.attrs.size(), 0);
  unknown_.clear();
  internal_.clear();
  for (WireCursor cursor(node.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != kAttr || field.type != WireType::kBytes) continue;
    Attr attr = read_entry(field.bytes);
    if (scope) {
      const AttrValue value(attr.value);
      if (value.kind() == AttrKind::kPlaceholder) {
        attr.value = scope->find(value.bytes()).value_or(attr.value);
      }
    }
    const int place = op.attr_index(attr.key);
    if (place != kNoAttr) {
      values_[static_cast<size_t>(place)] = attr.value;
      given_[static_cast<size_t>(place)] = 1;
    } else if (attr.key.starts_with('_')) {
      internal_.push_back(attr);
    } else {
      unknown_.push_back(attr.key);
    }
  }
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i]) values_[i] = op.attrs[i].default_value;
  }
}

std::optional<std::string_view> NodeAttrs::internal(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const Attr& attr : internal_) {
    if (attr.key == name) found = attr.value;
  }
  return found;
}

}  // namespace cryo
