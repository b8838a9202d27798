#include "formats/tflite/tflite_options.h"

#include <algorithm>
#include <array>

#include "base/same_bits.h"

namespace cryo {
namespace {

using Type = TfliteFieldType;

RewriteValue whole_number(AttrKind kind, int64_t number) {
  return {.kind = kind, .numbers = {number}};
}

RewriteValue number_of(const TfliteField& field, const FlatTable& table) {
  const auto standard = static_cast<uint64_t>(int64_t{field.standard});
  if (field.type == Type::kFloat) {
    const auto bits = static_cast<uint32_t>(table.number(field.id, 4));
    return {.kind = AttrKind::kFloat, .reals = {double{same_bits<float>(bits)}}};
  }
  if (field.type == Type::kLong) {
    return whole_number(AttrKind::kInt, static_cast<int64_t>(table.number(field.id, 8, standard)));
  }
  if (field.type == Type::kInt && field.names.empty()) {
    return whole_number(AttrKind::kInt, table.int32(field.id, field.standard));
  }
  const uint64_t value = table.number(field.id, field.type == Type::kInt ? 4 : 1, standard);
  if (field.type == Type::kBool) return whole_number(AttrKind::kBool, value != 0 ? 1 : 0);
  if (field.type == Type::kType) {
    const DType dtype = dtype_of_tflite(static_cast<int32_t>(value));
    return whole_number(AttrKind::kType, static_cast<int64_t>(dtype));
  }
  if (value < field.names.size()) {
    return {.kind = AttrKind::kString,
            .texts = {std::string(field.names[static_cast<size_t>(value)])}};
  }
  return whole_number(AttrKind::kInt, static_cast<int64_t>(value));
}

template <typename Number>
RewriteValue whole_numbers(const std::vector<Number>& numbers) {
  return {.kind = AttrKind::kInt, .list = true, .numbers = {numbers.begin(), numbers.end()}};
}

}  // namespace

std::optional<RewriteValue> TfliteOptions::value(std::string_view name) const {
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&](const TfliteField& each) { return each.name == name; });
  if (field == fields.end()) return std::nullopt;
  switch (field->type) {
    case Type::kInts:
      return whole_numbers(table.ints(field->id));
    case Type::kLongs:
      return whole_numbers(table.longs(field->id));
    case Type::kFloats: {
      const std::vector<float> reals = table.floats(field->id);
      return RewriteValue{
          .kind = AttrKind::kFloat, .list = true, .reals = {reals.begin(), reals.end()}};
    }
    case Type::kString:
      return RewriteValue{.kind = AttrKind::kString, .texts = {table.text(field->id)}};
    case Type::kBools:
    case Type::kBytes:
      return std::nullopt;
    default:
      return number_of(*field, table);
  }
}

DType dtype_of_tflite(int32_t type) {
  constexpr std::array kTypes = {
      DType::kFloat,  DType::kHalf,         DType::kInt32,     DType::kUint8,     DType::kInt64,
      DType::kString, DType::kBool,         DType::kInt16,     DType::kComplex64, DType::kInt8,
      DType::kDouble, DType::kComplex128,   DType::kUint64,    DType::kResource,  DType::kVariant,
      DType::kUint32, DType::kUint16,       DType::kInt8,      DType::kBfloat16,  DType::kInt8,
      DType::kUint8,  DType::kFloat8E4m3fn, DType::kFloat8E5m2};
  const auto place = static_cast<size_t>(type);
  return type >= 0 && place < kTypes.size() ? kTypes[place] : DType::kInvalid;
}

}  // namespace cryo
