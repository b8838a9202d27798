#pragma once

#include "wire/cursor.h"
#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Returns the schema of a nested message; nullptr if the field is anything else.
inline const MessageSchema* nested_schema(const FieldSchema* field, WireType type) {
  const bool nested = field != nullptr && field->message != nullptr && type == WireType::kBytes;
  return nested ? field->message : nullptr;
}

// Returns true if the field is the handle of a payload.
inline bool is_handle(const WireField& field) {
  return field.number == kPayloadField && field.type == WireType::kVarint;
}

// Returns false if a message has no handle: the encoded tag of one is not in it.
inline bool holds_handles(std::string_view message) {
  constexpr std::string_view kHandleTag = "\xF8\x7F";
  return message.find(kHandleTag) != std::string_view::npos;
}

}  // namespace cryo
