#include "wire/schema.h"

#include <algorithm>
#include <cassert>

namespace cryo {

const EnumValueSchema* EnumSchema::find(int32_t number) const {
  for (const EnumValueSchema& value : values) {
    if (value.number == number) return &value;
  }
  return nullptr;
}

const EnumValueSchema* EnumSchema::find(std::string_view value_name) const {
  for (const EnumValueSchema& value : values) {
    if (value.name == value_name) return &value;
  }
  return nullptr;
}

const FieldSchema* MessageSchema::find(uint32_t number) const {
  // Most messages number their fields 1, 2, 3, ...: then a number is a place. Number 0 wraps and is
  // past every end.
  const size_t place = size_t{number} - 1;
  if (place < fields.size() && fields[place].number == number) return &fields[place];
  const auto found = std::lower_bound(
      fields.begin(), fields.end(), number,
      [](const FieldSchema& field, uint32_t wanted) { return field.number < wanted; });
  return found != fields.end() && found->number == number ? &*found : nullptr;
}

const FieldSchema* MessageSchema::find(std::string_view field_name) const {
  for (const FieldSchema& field : fields) {
    if (field.name == field_name) return &field;
  }
  return nullptr;
}

WireType wire_type_of(FieldType type) {
  switch (type) {
    case FieldType::kDouble:
    case FieldType::kFixed64:
      return WireType::kFixed64;
    case FieldType::kFloat:
    case FieldType::kFixed32:
      return WireType::kFixed32;
    case FieldType::kString:
    case FieldType::kMessage:
    case FieldType::kBytes:
      return WireType::kBytes;
    default:
      return WireType::kVarint;
  }
}

bool fits_wire(const FieldSchema& field, WireType type) {
  return type == wire_type_of(field.type) || (field.repeated && type == WireType::kBytes);
}

uint64_t held_number(FieldType type, uint64_t value) {
  if (type == FieldType::kInt32 || type == FieldType::kEnum) {
    return static_cast<uint64_t>(int64_t{static_cast<int32_t>(value)});
  }
  if (type == FieldType::kUint32) return static_cast<uint32_t>(value);
  if (type == FieldType::kBool) return value != 0 ? 1 : 0;
  return value;
}

bool holds_default(const WireField& wire, FieldType type) {
  return wire.bytes.empty() && held_number(type, wire.value) == 0;
}

const MessageSchema* find_message_schema(std::string_view full_name) {
  const std::span<const MessageSchema> all = message_schemas();
  const auto found = std::lower_bound(
      all.begin(), all.end(), full_name,
      [](const MessageSchema& message, std::string_view wanted) { return message.name < wanted; });
  return found != all.end() && found->name == full_name ? &*found : nullptr;
}

const MessageSchema& message_schema(std::string_view full_name) {
  const MessageSchema* found = find_message_schema(full_name);
  assert(found != nullptr);
  return *found;
}

}  // namespace cryo
