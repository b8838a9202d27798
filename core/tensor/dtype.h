#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// tensorflow::DataType. An open enum: a file may hold any number, and DType(number) keeps it. A ref
// type (TF1: the output of a ref variable, never of a value) is its base type + kRefOffset.
enum class DType : int {
  kInvalid = 0,
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kComplex64 = 8,
  kInt64 = 9,
  kBool = 10,
  kQint8 = 11,
  kQuint8 = 12,
  kQint32 = 13,
  kBfloat16 = 14,
  kQint16 = 15,
  kQuint16 = 16,
  kUint16 = 17,
  kComplex128 = 18,
  kHalf = 19,
  kResource = 20,
  kVariant = 21,
  kUint32 = 22,
  kUint64 = 23,
  kFloat8E5m2 = 24,
  kFloat8E4m3fn = 25,
  kFloat8E4m3fnuz = 26,
  kFloat8E4m3b11fnuz = 27,
  kFloat8E5m2fnuz = 28,
  kInt4 = 29,
  kUint4 = 30,
  kInt2 = 31,
  kUint2 = 32,
};

constexpr int kRefOffset = 100;

struct DTypeInfo {
  DType dtype;
  std::string_view name;  // as Python prints it: "float32", "bfloat16", "float32_ref"
  uint32_t size;   // bytes an element, in memory, tensor_content and checkpoints; 0: not fixed
  uint32_t field;  // number of its typed list in TensorProto; a ref's is its base's
};

// nullptr for kInvalid and for numbers and names that TensorFlow does not have.
const DTypeInfo* find_dtype(int number);
const DTypeInfo* find_dtype(DType dtype);
const DTypeInfo* find_dtype(std::string_view name);

// The name, for messages: "float32", "invalid", "unknown type 77".
std::string dtype_name(DType dtype);

constexpr bool is_16_bit(DType dtype) { return dtype == DType::kHalf || dtype == DType::kBfloat16; }
// A floating-point number that is neither complex nor of 8 bits or fewer.
constexpr bool is_floating(DType dtype) {
  return is_16_bit(dtype) || dtype == DType::kFloat || dtype == DType::kDouble;
}
constexpr bool is_ref(DType dtype) { return static_cast<int>(dtype) > kRefOffset; }
constexpr DType base(DType dtype) {
  return is_ref(dtype) ? static_cast<DType>(static_cast<int>(dtype) - kRefOffset) : dtype;
}
constexpr DType make_ref(DType dtype) {
  return is_ref(dtype) ? dtype : static_cast<DType>(static_cast<int>(dtype) + kRefOffset);
}

}  // namespace cryo
