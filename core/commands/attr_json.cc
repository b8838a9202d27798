#include "commands/attr_json.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/attr_value.h"
#include "proto/tensor.pb.h"
#include "wire/fields.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

constexpr size_t kMaxElements = 100;

// Returns a number as JSON; a string if it exceeds JavaScript's exact numbers.
Json whole(int64_t number) {
  constexpr int64_t kMax = int64_t{1} << 53;
  if (number > kMax || number < -kMax) return cat(number);
  return number;
}

Json real(uint64_t bits) {
  const auto bits32 = static_cast<uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &bits32, sizeof value);
  std::string text;
  print_float(value, text);
  return std::isfinite(value) ? Json(std::strtod(text.c_str(), nullptr)) : Json(text);
}

Json shape_json(std::string_view message) {
  tensorflow::TensorShapeProto proto;
  if (!proto.ParseFromArray(message.data(), static_cast<int>(message.size()))) return nullptr;
  const Result<Shape> shape = read_shape(proto);
  return shape ? to_json(*shape) : Json(nullptr);
}

Json type_json(int64_t number) {
  return dtype_name(static_cast<DType>(static_cast<int32_t>(number)));
}

Json tensor_json(std::string_view message) {
  int64_t dtype = 0;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_dtype =
        field.number == fields::TensorProto::kDtype && field.type == WireType::kVarint;
    if (is_dtype) dtype = static_cast<int64_t>(field.value);
  }
  return {{"dtype", type_json(dtype)},
          {"shape", shape_json(last_bytes(message, fields::TensorProto::kTensorShape))}};
}

Json of_number(AttrKind kind, int64_t number) {
  if (kind == AttrKind::kBool) return number != 0;
  return kind == AttrKind::kType ? type_json(number) : whole(number);
}

Json of_bytes(AttrKind kind, std::string_view bytes) {
  switch (kind) {
    case AttrKind::kShape:
      return shape_json(bytes);
    case AttrKind::kTensor:
      return tensor_json(bytes);
    case AttrKind::kFunc:
      return last_bytes(bytes, fields::NameAttrList::kName);
    default:
      return bytes;
  }
}

bool is_number(AttrKind kind) {
  return kind == AttrKind::kInt || kind == AttrKind::kBool || kind == AttrKind::kType;
}

void add(Json element, Json& list) {
  if (list.size() < kMaxElements) list.push_back(std::move(element));
}

void add_floats(const WireField& field, Json& list) {
  if (field.type == WireType::kFixed32) add(real(field.value), list);
  if (field.type != WireType::kBytes) return;
  std::string_view packed = field.bytes;
  for (uint32_t bits = 0; take_fixed32(packed, bits) && list.size() < kMaxElements;) {
    add(real(bits), list);
  }
}

Json list_json(const AttrValue& value, AttrKind kind, std::string_view message) {
  Json list = Json::array();
  if (kind == AttrKind::kFloat) {
    for (WireCursor cursor(last_bytes(message, fields::AttrValue::kList)); cursor.next();) {
      if (cursor.field().number == list_field(kind)) add_floats(cursor.field(), list);
    }
  } else if (is_number(kind)) {
    value.each_number(kind, [&](int64_t number) { add(of_number(kind, number), list); });
  } else {
    value.each_bytes(kind, [&](std::string_view bytes) { add(of_bytes(kind, bytes), list); });
  }
  return list;
}

// The field of a scalar float; a later one counts.
Json float_json(std::string_view message) {
  Json value = nullptr;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_float =
        field.number == static_cast<uint32_t>(AttrKind::kFloat) && field.type == WireType::kFixed32;
    if (is_float) value = real(field.value);
  }
  return value;
}

Json scalar_json(const AttrValue& value, std::string_view message) {
  const AttrKind kind = value.kind();
  if (kind == AttrKind::kNone) return nullptr;
  if (kind == AttrKind::kFloat) return float_json(message);
  return is_number(kind) ? of_number(kind, value.number()) : of_bytes(kind, value.bytes());
}

}  // namespace

Json attr_json(std::string_view message) {
  const AttrValue value(message);
  const AttrKind kind = value.is_list() ? value.list_kind() : value.kind();
  Json json = {{"kind", to_text(AttrType{kind, value.is_list()})}};
  json["value"] = value.is_list() ? list_json(value, kind, message) : scalar_json(value, message);
  const uint64_t count = value.count(kind);
  if (count > kMaxElements) json["count"] = count;
  return json;
}

}  // namespace cryo
