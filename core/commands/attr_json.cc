#include "commands/attr_json.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/attr_value.h"
#include "proto/tensor.pb.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"
#include "wire/fields.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

constexpr size_t kMaxElements = 100;

// Writes a float as TensorFlow prints it: one that is not a number as a text.
void write_real(JsonWriter& json, uint64_t bits) {
  const auto bits32 = static_cast<uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &bits32, sizeof value);
  std::string text;
  print_float(value, text);
  if (std::isfinite(value)) return json.value(std::strtod(text.c_str(), nullptr));
  json.value(text);
}

Shape shape_of(std::string_view message) {
  tensorflow::TensorShapeProto proto;
  if (!proto.ParseFromArray(message.data(), static_cast<int>(message.size()))) return {true, {}};
  const Result<Shape> shape = read_shape(proto);
  return shape ? *shape : Shape{true, {}};
}

std::string type_name(int64_t number) {
  return dtype_name(static_cast<DType>(static_cast<int32_t>(number)));
}

void write_tensor(JsonWriter& json, std::string_view message) {
  int64_t dtype = 0;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_dtype =
        field.number == fields::TensorProto::kDtype && field.type == WireType::kVarint;
    if (is_dtype) dtype = static_cast<int64_t>(field.value);
  }
  json.object("dtype", type_name(dtype), "shape",
              shape_of(last_bytes(message, fields::TensorProto::kTensorShape)));
}

void write_number(JsonWriter& json, AttrKind kind, int64_t number) {
  if (kind == AttrKind::kBool) return json.value(number != 0);
  if (kind == AttrKind::kType) return json.value(type_name(number));
  json.value(number);
}

void write_bytes(JsonWriter& json, AttrKind kind, std::string_view bytes) {
  switch (kind) {
    case AttrKind::kShape:
      return json.value(shape_of(bytes));
    case AttrKind::kTensor:
      return write_tensor(json, bytes);
    case AttrKind::kFunc:
      return json.value(last_bytes(bytes, fields::NameAttrList::kName));
    default:
      return json.value(bytes);
  }
}

bool is_number(AttrKind kind) {
  return kind == AttrKind::kInt || kind == AttrKind::kBool || kind == AttrKind::kType;
}

// Writes the elements of a list of floats, packed or not. `left`: how many more there may be.
void write_floats(JsonWriter& json, const WireField& field, size_t& left) {
  if (field.type == WireType::kFixed32 && left > 0) {
    write_real(json, field.value);
    --left;
  }
  if (field.type != WireType::kBytes) return;
  std::string_view packed = field.bytes;
  for (uint32_t bits = 0; left > 0 && take_fixed32(packed, bits); --left) write_real(json, bits);
}

void write_list(JsonWriter& json, const AttrValue& value, AttrKind kind, std::string_view message) {
  size_t left = kMaxElements;
  json.begin_array();
  if (kind == AttrKind::kFloat) {
    for (WireCursor cursor(last_bytes(message, fields::AttrValue::kList)); cursor.next();) {
      if (cursor.field().number == list_field(kind)) write_floats(json, cursor.field(), left);
    }
  } else if (is_number(kind)) {
    value.each_number(kind, [&](int64_t number) {
      if (left == 0) return;
      write_number(json, kind, number);
      --left;
    });
  } else {
    value.each_bytes(kind, [&](std::string_view bytes) {
      if (left == 0) return;
      write_bytes(json, kind, bytes);
      --left;
    });
  }
  json.end_array();
}

// Writes the field of a scalar float; a later one counts.
void write_float(JsonWriter& json, std::string_view message) {
  std::optional<uint64_t> bits;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_float =
        field.number == static_cast<uint32_t>(AttrKind::kFloat) && field.type == WireType::kFixed32;
    if (is_float) bits = field.value;
  }
  if (!bits) return json.null();
  write_real(json, *bits);
}

void write_scalar(JsonWriter& json, const AttrValue& value, std::string_view message) {
  const AttrKind kind = value.kind();
  if (kind == AttrKind::kNone) return json.null();
  if (kind == AttrKind::kFloat) return write_float(json, message);
  if (is_number(kind)) return write_number(json, kind, value.number());
  write_bytes(json, kind, value.bytes());
}

}  // namespace

void add_attr(std::string_view message, JsonWriter& json) {
  const AttrValue value(message);
  const AttrKind kind = value.is_list() ? value.list_kind() : value.kind();
  json.member("kind", to_text(AttrType{kind, value.is_list()}));
  json.key("value");
  if (value.is_list()) {
    write_list(json, value, kind, message);
  } else {
    write_scalar(json, value, message);
  }
  const uint64_t count = value.count(kind);
  if (count > kMaxElements) json.member("count", count);
}

}  // namespace cryo
