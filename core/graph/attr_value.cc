#include "graph/attr_value.h"

#include "base/text.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kListPrefix = "list(";

// The wire type under which a field is a member of the oneof; under any other it is an unknown
// field.
WireType wire_type(AttrKind kind) {
  switch (kind) {
    case AttrKind::kInt:
    case AttrKind::kBool:
    case AttrKind::kType:
      return WireType::kVarint;
    case AttrKind::kFloat:
      return WireType::kFixed32;
    default:
      return WireType::kBytes;
  }
}

bool is_scalar(AttrKind kind) { return wire_type(kind) != WireType::kBytes; }

}  // namespace

std::string_view attr_kind_name(AttrKind kind) {
  switch (kind) {
    case AttrKind::kNone:
      return "none";
    case AttrKind::kString:
      return "string";
    case AttrKind::kInt:
      return "int";
    case AttrKind::kFloat:
      return "float";
    case AttrKind::kBool:
      return "bool";
    case AttrKind::kType:
      return "type";
    case AttrKind::kShape:
      return "shape";
    case AttrKind::kTensor:
      return "tensor";
    case AttrKind::kPlaceholder:
      return "placeholder";
    case AttrKind::kFunc:
      return "func";
  }
  return "none";
}

AttrType parse_attr_type(std::string_view text) {
  AttrType type;
  if (text.starts_with(kListPrefix) && text.ends_with(')')) {
    type.list = true;
    text = text.substr(kListPrefix.size(), text.size() - kListPrefix.size() - 1);
  }
  for (const AttrKind kind : kListKinds) {
    if (attr_kind_name(kind) == text) type.kind = kind;
  }
  return type;
}

std::string to_text(AttrType type) {
  return type.list ? cat(kListPrefix, attr_kind_name(type.kind), ")")
                   : std::string(attr_kind_name(type.kind));
}

AttrValue::AttrValue(std::string_view message) {
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number < fields::AttrValue::kList ||
        field.number > static_cast<uint32_t>(AttrKind::kFunc))
      continue;
    const bool list = field.number == fields::AttrValue::kList;
    const AttrKind kind = list ? AttrKind::kNone : static_cast<AttrKind>(field.number);
    if (field.type != (list ? WireType::kBytes : wire_type(kind))) continue;
    list_ = list;
    kind_ = kind;
    number_ = static_cast<int64_t>(field.value);
    bytes_ = field.bytes;
  }
  if (list_ || !is_scalar(kind_)) number_ = 0;
}

// An enum is 32 bits, whatever the varint's length.
DType AttrValue::type() const {
  if (kind_ != AttrKind::kType) return DType::kInvalid;
  return static_cast<DType>(static_cast<int32_t>(number_));
}

uint64_t AttrValue::count(AttrKind kind) const {
  if (!list_) return 0;
  uint64_t count = 0;
  for (WireCursor cursor(bytes_); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != list_field(kind)) continue;
    if (!is_scalar(kind) || field.type != WireType::kBytes) {
      if (field.type == wire_type(kind)) ++count;
      continue;
    }
    if (kind == AttrKind::kFloat) count += field.bytes.size() / 4;
    if (kind == AttrKind::kFloat) continue;
    std::string_view packed = field.bytes;
    for (uint64_t value = 0; take_varint(packed, value);) ++count;
  }
  return count;
}

AttrKind AttrValue::list_kind() const {
  for (const AttrKind kind : kListKinds) {
    if (count(kind) > 0) return kind;
  }
  return AttrKind::kNone;
}

std::vector<int64_t> AttrValue::integers() const {
  std::vector<int64_t> numbers;
  each_number(AttrKind::kInt, [&](int64_t each) { numbers.push_back(each); });
  return numbers;
}

}  // namespace cryo
