#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "graph/rewrite/rule.h"
#include "wire/flat_buffer.h"

namespace cryo {

// Operators and their options, of proto/tflite.fbs.

enum class TfliteFieldType : uint8_t {
  kBool,
  kByte,
  kInt,
  kLong,
  kFloat,
  kString,
  kType,
  kInts,
  kLongs,
  kFloats,
  kBools,
  kBytes,
};

struct TfliteField {
  std::string_view name;
  uint16_t id;
  TfliteFieldType type;
  int32_t standard;                         // its default
  std::span<const std::string_view> names;  // of an enumeration's values
};

// Names by code: "ADD", "AVERAGE_POOL_2D".
std::span<const std::string_view> tflite_operator_names();

// The fields of options, by the tag of builtin_options, and of builtin_options_2.
std::span<const std::span<const TfliteField>> tflite_option_tables();
std::span<const std::span<const TfliteField>> tflite_option_tables_2();

// The options of an operator. Without a table all have their defaults.
struct TfliteOptions {
  std::span<const TfliteField> fields = {};
  FlatTable table = {};

  // Returns a field: a number, a list, a text; of an enumeration the name, "SAME".
  std::optional<RewriteValue> value(std::string_view name) const;
};

// Returns the TensorFlow type of a tensor; 4-bit and 2-bit integers as those of 8 bits. kInvalid if
// there is none.
DType dtype_of_tflite(int32_t type);

}  // namespace cryo
