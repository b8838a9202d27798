#include "tensor/number.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/same_bits.h"

namespace cryo {
namespace {

// The small types of numbers with a point:  sign | exponent | fraction
struct SmallFloat {
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool infinities;  // the highest exponent is infinity and NaNs, as IEEE 754 has it
  bool minus_zero;  // else the bits of -0 are the one NaN
};

// nullptr for other types. bfloat16 is the upper half of a float, float8_e5m2 of a half.
const SmallFloat* small_float(DType dtype) {
  static constexpr SmallFloat kHalf{5, 10, 15, true, true};
  static constexpr SmallFloat kBfloat16{8, 7, 127, true, true};
  static constexpr SmallFloat kE5m2{5, 2, 15, true, true};
  static constexpr SmallFloat kE4m3{4, 3, 7, false, true};
  static constexpr SmallFloat kE4m3Fnuz{4, 3, 8, false, false};
  static constexpr SmallFloat kE4m3B11{4, 3, 11, false, false};
  static constexpr SmallFloat kE5m2Fnuz{5, 2, 16, false, false};
  switch (dtype) {
    case DType::kHalf:
      return &kHalf;
    case DType::kBfloat16:
      return &kBfloat16;
    case DType::kFloat8E5m2:
      return &kE5m2;
    case DType::kFloat8E4m3fn:
      return &kE4m3;
    case DType::kFloat8E4m3fnuz:
      return &kE4m3Fnuz;
    case DType::kFloat8E4m3b11fnuz:
      return &kE4m3B11;
    case DType::kFloat8E5m2fnuz:
      return &kE5m2Fnuz;
    default:
      return nullptr;
  }
}

double small_value(const SmallFloat& type, uint64_t bits) {
  const uint64_t most = (uint64_t{1} << type.exponent_bits) - 1;
  const uint64_t hidden = uint64_t{1} << type.fraction_bits;
  const uint64_t exponent = bits >> type.fraction_bits & most;
  const uint64_t fraction = bits & (hidden - 1);
  const bool negative = (bits >> (type.exponent_bits + type.fraction_bits) & 1) != 0;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  if (!type.minus_zero && negative && exponent == 0 && fraction == 0) return kNan;
  if (type.infinities && exponent == most) {
    const double infinity = std::numeric_limits<double>::infinity();
    return fraction != 0 ? kNan : negative ? -infinity : infinity;
  }
  const bool all_ones = exponent == most && fraction == hidden - 1;
  if (!type.infinities && type.minus_zero && all_ones) return kNan;
  const int scale = 1 - type.bias - type.fraction_bits;
  const double value = exponent == 0 ? std::ldexp(static_cast<double>(fraction), scale)
                                     : std::ldexp(static_cast<double>(hidden + fraction),
                                                  scale - 1 + static_cast<int>(exponent));
  return negative ? -value : value;
}

uint64_t load(const char* bytes, size_t width) {
  uint64_t bits = 0;
  for (size_t i = 0; i < width; ++i) {
    bits |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return bits;
}

double float_at(const char* bytes) {
  return same_bits<float>(static_cast<uint32_t>(load(bytes, 4)));
}
double double_at(const char* bytes) { return same_bits<double>(load(bytes, 8)); }

bool is_signed(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kQint8:
    case DType::kQint16:
    case DType::kQint32:
    case DType::kInt4:
    case DType::kInt2:
      return true;
    default:
      return false;
  }
}

bool is_whole(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kUint8:
    case DType::kInt16:
    case DType::kUint16:
    case DType::kInt32:
    case DType::kInt64:
      return true;
    default:
      return false;
  }
}

size_t width_of(DType dtype) { return find_dtype(dtype)->size; }

// To the nearest, halfway to even: the sum that rounds up the fraction carries into the exponent,
// and from the largest number into infinity. REQUIRES: the type has infinities.
uint64_t small_bits(const SmallFloat& type, double value) {
  const int bits = type.exponent_bits + type.fraction_bits;
  const uint64_t sign = std::signbit(value) ? uint64_t{1} << bits : 0;
  const uint64_t infinity = ((uint64_t{1} << type.exponent_bits) - 1) << type.fraction_bits;
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | infinity | (uint64_t{1} << (type.fraction_bits - 1));
  if (std::isinf(size)) return sign | infinity;
  if (size == 0) return sign;
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent - 1, 1 - type.bias);
  // In units of the last place: 2^fraction and more for normal numbers.
  const auto steps =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(size, type.fraction_bits - exponent)));
  const auto power = static_cast<uint64_t>(exponent + type.bias - 1);
  return sign | std::min(infinity, (power << type.fraction_bits) + steps);
}

// Inside the type; NaN is 0.
uint64_t whole_bits(double value, DType dtype) {
  const int bits = static_cast<int>(8 * width_of(dtype)) - (is_signed(dtype) ? 1 : 0);
  const double most = std::ldexp(1, bits) - (bits > 53 ? 1024 : 1);
  const double least = is_signed(dtype) ? -std::ldexp(1, bits) : 0;
  const double whole = std::floor(value + 0.5);
  if (!(whole > least)) return static_cast<uint64_t>(static_cast<int64_t>(whole < 0 ? least : 0));
  return static_cast<uint64_t>(static_cast<int64_t>(std::min(whole, most)));
}

// Small signed integers are kept in a byte, extended by their sign.
Number whole_at(DType dtype, const char* bytes, size_t width) {
  Number number;
  number.whole = true;
  const uint64_t bits = load(bytes, width);
  const auto unused = static_cast<int>(64 - 8 * width);
  const int64_t extended = static_cast<int64_t>(bits << unused) >> unused;
  number.negative = is_signed(dtype) && extended < 0;
  number.magnitude = number.negative ? uint64_t{0} - static_cast<uint64_t>(extended) : bits;
  return number;
}

}  // namespace

Number number_at(DType dtype, const char* bytes) {
  const DTypeInfo* info = find_dtype(dtype);
  assert(info != nullptr && info->size > 0);
  const SmallFloat* small = small_float(dtype);
  Number number;
  if (small != nullptr) {
    number.real = small_value(*small, load(bytes, info->size));
  } else if (dtype == DType::kFloat || dtype == DType::kComplex64) {
    number.real = float_at(bytes);
    if (dtype == DType::kComplex64) number.imaginary = float_at(bytes + 4);
  } else if (dtype == DType::kDouble || dtype == DType::kComplex128) {
    number.real = double_at(bytes);
    if (dtype == DType::kComplex128) number.imaginary = double_at(bytes + 8);
  } else {
    number = whole_at(dtype, bytes, info->size);
  }
  return number;
}

DType part_dtype(DType dtype) {
  if (dtype == DType::kComplex64) return DType::kFloat;
  return dtype == DType::kComplex128 ? DType::kDouble : dtype;
}

bool is_number(DType dtype) { return is_floating(dtype) || is_whole(dtype); }

double as_double(DType dtype, const char* bytes) {
  if (dtype == DType::kFloat) return float_at(bytes);
  const Number number = number_at(dtype, bytes);
  if (!number.whole) return number.real;
  const auto size = static_cast<double>(number.magnitude);
  return number.negative ? -size : size;
}

void put_number(double value, DType dtype, char* bytes) {
  uint64_t bits = 0;
  if (dtype == DType::kFloat) {
    bits = same_bits<uint32_t>(static_cast<float>(value));
  } else if (dtype == DType::kDouble) {
    bits = same_bits<uint64_t>(value);
  } else if (const SmallFloat* small = small_float(dtype)) {
    bits = small_bits(*small, value);
  } else {
    bits = whole_bits(value, dtype);
  }
  for (size_t i = 0; i < width_of(dtype); ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
}

double rounded(double value, DType dtype) {
  char bytes[8];
  put_number(value, dtype, bytes);
  return as_double(dtype, bytes);
}

bool is_nan(const Number& number) {
  return !number.whole && (std::isnan(number.real) || std::isnan(number.imaginary));
}

double size_of(const Number& number) {
  if (number.whole) return static_cast<double>(number.magnitude);
  return std::hypot(number.real, number.imaginary);
}

double distance(const Number& a, const Number& b) {
  if (!a.whole) return std::hypot(a.real - b.real, a.imaginary - b.imaginary);
  if (a.negative != b.negative) {
    return static_cast<double>(a.magnitude) + static_cast<double>(b.magnitude);
  }
  const bool more = a.magnitude > b.magnitude;
  return static_cast<double>(more ? a.magnitude - b.magnitude : b.magnitude - a.magnitude);
}

}  // namespace cryo
