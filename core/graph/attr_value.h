#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/coding.h"
#include "tensor/dtype.h"
#include "wire/cursor.h"

namespace cryo {

// The members of AttrValue's oneof, without `list`. The numbers are those of its fields; in a
// ListValue they are the same, except that func is 9 there, and tensor 8.
enum class AttrKind : uint8_t {
  kNone = 0,
  kString = 2,
  kInt = 3,
  kFloat = 4,
  kBool = 5,
  kType = 6,
  kShape = 7,
  kTensor = 8,
  kPlaceholder = 9,  // in a function's body: the name of the function's own attribute
  kFunc = 10,
};

// "string", "int", ...: as OpDefs name them.
std::string_view attr_kind_name(AttrKind kind);

// The type of an attribute's value in an OpDef: "int", "list(type)".
struct AttrType {
  AttrKind kind = AttrKind::kNone;  // kNone for an unknown type
  bool list = false;
};
AttrType parse_attr_type(std::string_view text);
std::string to_text(AttrType type);

// An AttrValue message: a view of its bytes, read without protobuf.
class AttrValue {
 public:
  explicit AttrValue(std::string_view message);

  // The member that is set; kNone for a list, and where none is.
  AttrKind kind() const { return kind_; }
  bool is_list() const { return list_; }
  bool is_set() const { return list_ || kind_ != AttrKind::kNone; }

  // Returns the value of an int, a bool, a type; 0 for anything else.
  int64_t number() const { return number_; }
  DType type() const;

  // Returns the bytes of a string, or the message of a shape, tensor, func or placeholder; empty
  // for anything else.
  std::string_view bytes() const { return list_ ? std::string_view() : bytes_; }

  // Returns the number of a list's elements of one kind; 0 if it is not a list.
  uint64_t count(AttrKind kind) const;

  // The kind of the first elements that the list holds (a list should hold one kind), kNone if it
  // is empty.
  AttrKind list_kind() const;

  // Returns a list of int; empty for anything else.
  std::vector<int64_t> integers() const;

  // each(int64_t) for lists of int, bool, type.
  template <typename Each>
  void each_number(AttrKind kind, Each each) const;

  // each(std::string_view) for lists of string, shape, tensor, func.
  template <typename Each>
  void each_bytes(AttrKind kind, Each each) const;

 private:
  AttrKind kind_ = AttrKind::kNone;
  bool list_ = false;
  int64_t number_ = 0;
  std::string_view bytes_ = {};
};

// Field number of a kind in a ListValue.
constexpr uint32_t list_field(AttrKind kind) {
  return kind == AttrKind::kFunc ? 9 : static_cast<uint32_t>(kind);
}

// The kinds that a list can hold, in TensorFlow's order.
constexpr AttrKind kListKinds[] = {AttrKind::kString, AttrKind::kInt,  AttrKind::kFloat,
                                   AttrKind::kBool,   AttrKind::kType, AttrKind::kShape,
                                   AttrKind::kTensor, AttrKind::kFunc};

template <typename Each>
void AttrValue::each_number(AttrKind kind, Each each) const {
  if (!list_) return;
  for (WireCursor cursor(bytes_); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != list_field(kind)) continue;
    if (field.type == WireType::kVarint) each(static_cast<int64_t>(field.value));
    if (field.type != WireType::kBytes) continue;
    std::string_view packed = field.bytes;
    for (uint64_t value = 0; take_varint(packed, value);) each(static_cast<int64_t>(value));
  }
}

template <typename Each>
void AttrValue::each_bytes(AttrKind kind, Each each) const {
  if (!list_) return;
  for (WireCursor cursor(bytes_); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == list_field(kind) && field.type == WireType::kBytes) each(field.bytes);
  }
}

}  // namespace cryo
