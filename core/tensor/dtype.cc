#include "tensor/dtype.h"

#include <array>

#include "base/text.h"

namespace cryo {
namespace {

struct Row {
  std::string_view ref_name;  // without its last four letters, the base's name
  uint32_t size;
  uint32_t field;
};

// Row i is of the type numbered i + 1.
constexpr std::array<Row, 32> kRows = {{
    {"float32_ref", 4, 5},
    {"float64_ref", 8, 6},
    {"int32_ref", 4, 7},
    {"uint8_ref", 1, 7},
    {"int16_ref", 2, 7},
    {"int8_ref", 1, 7},
    {"string_ref", 0, 8},
    {"complex64_ref", 8, 9},
    {"int64_ref", 8, 10},
    {"bool_ref", 1, 11},
    {"qint8_ref", 1, 7},
    {"quint8_ref", 1, 7},
    {"qint32_ref", 4, 7},
    {"bfloat16_ref", 2, 13},
    {"qint16_ref", 2, 7},
    {"quint16_ref", 2, 7},
    {"uint16_ref", 2, 7},
    {"complex128_ref", 16, 12},
    {"float16_ref", 2, 13},
    {"resource_ref", 0, 14},
    {"variant_ref", 0, 15},
    {"uint32_ref", 4, 16},
    {"uint64_ref", 8, 17},
    {"float8_e5m2_ref", 1, 18},
    {"float8_e4m3fn_ref", 1, 18},
    {"float8_e4m3fnuz_ref", 1, 18},
    {"float8_e4m3b11fnuz_ref", 1, 18},
    {"float8_e5m2fnuz_ref", 1, 18},
    // Small integers take a byte each wherever they are stored.
    {"int4_ref", 1, 7},
    {"uint4_ref", 1, 7},
    {"int2_ref", 1, 7},
    {"uint2_ref", 1, 7},
}};

using Table = std::array<DTypeInfo, 2 * kRows.size()>;

// All base types, then all ref types.
constexpr Table make_table() {
  Table table = {};
  for (size_t i = 0; i < kRows.size(); ++i) {
    const Row& row = kRows[i];
    const auto dtype = static_cast<DType>(i + 1);
    const std::string_view name = row.ref_name.substr(0, row.ref_name.size() - 4);
    table[i] = {dtype, name, row.size, row.field};
    table[kRows.size() + i] = {make_ref(dtype), row.ref_name, row.size, row.field};
  }
  return table;
}

constexpr Table kTable = make_table();

}  // namespace

const DTypeInfo* find_dtype(int number) {
  const bool ref = number > kRefOffset;
  const int base_number = ref ? number - kRefOffset : number;
  if (base_number <= 0) return nullptr;
  const auto place = static_cast<size_t>(base_number) - 1;
  if (place >= kRows.size()) return nullptr;
  return &kTable[ref ? place + kRows.size() : place];
}

const DTypeInfo* find_dtype(DType dtype) { return find_dtype(static_cast<int>(dtype)); }

const DTypeInfo* find_dtype(std::string_view name) {
  for (const DTypeInfo& info : kTable) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

std::string dtype_name(DType dtype) {
  if (const DTypeInfo* info = find_dtype(dtype)) return std::string(info->name);
  return dtype == DType::kInvalid ? "invalid" : cat("unknown type ", static_cast<int>(dtype));
}

}  // namespace cryo
