#pragma once

#include "wire/cursor.h"
#include "wire/schema.h"

namespace cryo {

// Returns the schema of a nested message; nullptr if the field is anything else.
inline const MessageSchema* nested_schema(const FieldSchema* field, WireType type) {
  const bool nested = field != nullptr && field->message != nullptr && type == WireType::kBytes;
  return nested ? field->message : nullptr;
}

}  // namespace cryo
