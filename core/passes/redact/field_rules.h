#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wire/schema.h"

namespace cryo {

// The treatment of a field of a model's messages.
enum class FieldRule : uint8_t {
  kRemove,    // a text for people, or of unknown use
  kKeep,      // structure, or a word of TensorFlow
  kZero,      // a number that is a value
  kName,      // a name, or several in one text
  kArgument,  // the same, whose order among others counts
  kFunction,  // a name of a function, or of an op
  kAttrText,  // the text of an attribute
  kDevice,
  kSource,  // the tensor that a function returns: "node:output:0"
};

struct FieldRow {
  std::string_view message;  // without "tensorflow."
  std::string_view field;
  FieldRule rule;
};

// The table, by message.
std::span<const FieldRow> field_rows();

// Returns the rule of a field. A text or bytes of which no row says more is removed; a number, and
// a message, is kept.
FieldRule field_rule(const MessageSchema& message, const FieldSchema& field);

}  // namespace cryo
