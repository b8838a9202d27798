#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "wire/cursor.h"

namespace cryo {

// What proto/*.proto says, as data: protobuf-lite has no reflection, and this table is all the
// reflection we need. It drives elision, recognition by content, the text format and the JSON form.
// Generated (scripts/schema_table.py) from protoc's descriptor set, so it cannot disagree with the
// generated classes.

// Numbers of google.protobuf.FieldDescriptorProto.Type.
enum class FieldType : uint8_t {
  kDouble = 1,
  kFloat = 2,
  kInt64 = 3,
  kUint64 = 4,
  kInt32 = 5,
  kFixed64 = 6,
  kFixed32 = 7,
  kBool = 8,
  kString = 9,
  kMessage = 11,
  kBytes = 12,
  kUint32 = 13,
  kEnum = 14,
  kSint64 = 18,
};

struct MessageSchema;

struct EnumValueSchema {
  std::string_view name;
  int32_t number;
};

struct EnumSchema {
  std::string_view name;                    // "tensorflow.DataType"
  std::span<const EnumValueSchema> values;  // as declared

  // nullptr where the enum has no such value (enums are open: a file may still hold that number).
  const EnumValueSchema* find(int32_t number) const;
  const EnumValueSchema* find(std::string_view value_name) const;
};

struct FieldSchema {
  std::string_view name;  // as in the .proto: "tensor_content"
  uint32_t number;
  FieldType type;
  bool repeated;  // numbers are written packed
  bool map;       // `message` is its entry {key = 1, value = 2}; implies repeated
  bool presence;  // written even if it holds the default; never so for repeated fields
  int8_t oneof;   // index of its oneof in the message, -1 for none
  const MessageSchema* message;   // for kMessage
  const EnumSchema* enumeration;  // for kEnum
};

struct MessageSchema {
  std::string_view name;                // "tensorflow.TensorProto"
  std::span<const FieldSchema> fields;  // by ascending number

  // nullptr where the message has no such field.
  const FieldSchema* find(uint32_t number) const;
  const FieldSchema* find(std::string_view field_name) const;
};

// How one value of the type lies on the wire.
WireType wire_type_of(FieldType type);

// A field of another wire type is an unknown one. A repeated number may be packed or not.
bool fits_wire(const FieldSchema& field, WireType type);

// A number as the type holds it: 32 bits are sign-extended, as all writers do.
uint64_t held_number(FieldType type, uint64_t value);

// Whether a value, as the type holds it, is what a reader takes where there is none.
bool holds_default(const WireField& wire, FieldType type);

// REQUIRES: proto/ declares it. message_schema("tensorflow.GraphDef").
const MessageSchema& message_schema(std::string_view full_name);

// nullptr where proto/ does not declare it: for names that come from a file.
const MessageSchema* find_message_schema(std::string_view full_name);

// Every message, by name.
std::span<const MessageSchema> message_schemas();

}  // namespace cryo
