#include "tensor/views/converted_source.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/same_bits.h"
#include "bytes/joined_source.h"

namespace cryo {
namespace {

// Complex numbers are pairs of their parts.
DType part_of(DType dtype) {
  if (dtype == DType::kComplex64) return DType::kFloat;
  return dtype == DType::kComplex128 ? DType::kDouble : dtype;
}

bool is_complex(DType dtype) { return part_of(dtype) != dtype; }

// Returns the value bits of a whole number's type; 0 for other types.
int integer_bits(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kUint8:
      return 8;
    case DType::kInt16:
    case DType::kUint16:
      return 16;
    case DType::kInt32:
      return 32;
    case DType::kInt64:
      return 64;
    default:
      return 0;
  }
}

bool is_unsigned(DType dtype) { return dtype == DType::kUint8 || dtype == DType::kUint16; }

bool is_real(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 || dtype == DType::kFloat ||
         dtype == DType::kDouble;
}

size_t width_of(DType dtype) { return find_dtype(dtype)->size; }

// 1 sign, 5 exponent, 10 fraction:  (-1)^s * 1.f * 2^(e - 15)
double half_value(uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 10) & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  double value = 0;
  if (exponent == 31) {
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else {
    value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

// A float of 16 bits: its fraction's bits and its exponent's bias.
struct SmallFloat {
  int fraction;
  int bias;
};
constexpr SmallFloat kHalfFloat = {10, 15};
constexpr SmallFloat kBrainFloat = {7, 127};

// To the nearest, halfway to even: the sum that rounds up the fraction carries into the exponent,
// and from the largest number into infinity.
uint64_t small_bits(double value, const SmallFloat& type) {
  const uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const uint64_t infinity = (2 * static_cast<uint64_t>(type.bias) + 1) << type.fraction;
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | infinity | (uint64_t{1} << (type.fraction - 1));
  if (std::isinf(size)) return sign | infinity;
  if (size == 0) return sign;
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::max(exponent - 1, 1 - type.bias);
  // In units of the last place: 2^fraction and more for normal numbers.
  const auto steps =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(size, type.fraction - exponent)));
  const auto power = static_cast<uint64_t>(exponent + type.bias - 1);
  return sign | std::min(infinity, (power << type.fraction) + steps);
}

double load(const char* bytes, DType dtype) {
  uint64_t bits = 0;
  const size_t width = width_of(dtype);
  for (size_t i = 0; i < width; ++i) {
    bits |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  if (dtype == DType::kHalf) return half_value(bits);
  if (dtype == DType::kBfloat16) return same_bits<float>(static_cast<uint32_t>(bits << 16));
  if (dtype == DType::kFloat) return same_bits<float>(static_cast<uint32_t>(bits));
  if (dtype == DType::kDouble) return same_bits<double>(bits);
  if (is_unsigned(dtype)) return static_cast<double>(bits);
  const int unused = 64 - integer_bits(dtype);
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

// Inside the type; NaN is 0.
uint64_t integer_value(double value, DType dtype) {
  const int bits = integer_bits(dtype) - (is_unsigned(dtype) ? 0 : 1);
  const double most = std::ldexp(1, bits) - (bits > 53 ? 1024 : 1);
  const double least = is_unsigned(dtype) ? 0 : -std::ldexp(1, bits);
  const double whole = std::floor(value + 0.5);
  if (!(whole > least)) return static_cast<uint64_t>(static_cast<int64_t>(whole < 0 ? least : 0));
  return static_cast<uint64_t>(static_cast<int64_t>(std::min(whole, most)));
}

void store(double value, DType dtype, char* bytes) {
  uint64_t bits = 0;
  if (dtype == DType::kHalf) {
    bits = small_bits(value, kHalfFloat);
  } else if (dtype == DType::kBfloat16) {
    bits = small_bits(value, kBrainFloat);
  } else if (dtype == DType::kFloat) {
    bits = same_bits<uint32_t>(static_cast<float>(value));
  } else if (dtype == DType::kDouble) {
    bits = same_bits<uint64_t>(value);
  } else {
    bits = integer_value(value, dtype);
  }
  for (size_t i = 0; i < width_of(dtype); ++i) bytes[i] = static_cast<char>(bits >> (8 * i));
}

// Returns the value rounded to `dtype`.
double rounded(double value, DType dtype) {
  char bytes[8];
  store(value, dtype, bytes);
  return load(bytes, dtype);
}

// Returns true if a double holds the element exactly. Not all 64-bit integers fit.
bool is_whole_double(const char* bytes, DType dtype) {
  if (integer_bits(dtype) != 64) return true;
  char again[8];
  store(load(bytes, dtype), dtype, again);
  return std::memcmp(bytes, again, sizeof again) == 0;
}

ElementConversion of_parts(const ElementConversion& conversion) {
  return {part_of(conversion.from), conversion.scale, conversion.min, part_of(conversion.via),
          part_of(conversion.to)};
}

double convert(const char* bytes, const ElementConversion& parts) {
  const double stored = load(bytes, parts.from);
  // Adding 0 would take the sign of -0.
  const bool affine = parts.scale != 1 || parts.min != 0;
  return rounded(affine ? stored * parts.scale + parts.min : stored, parts.via);
}

class ConvertedSource final : public ByteSource {
 public:
  ConvertedSource(Slice stored, const ElementConversion& conversion)
      : stored_(std::move(stored)),
        parts_(of_parts(conversion)),
        from_(width_of(parts_.from)),
        to_(width_of(parts_.to)) {}
  const std::string& name() const override { return stored_.source->name(); }
  uint64_t size() const override { return stored_.size / from_ * to_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice stored_;
  ElementConversion parts_;
  size_t from_;  // bytes of an element
  size_t to_;
};

Status ConvertedSource::read(uint64_t offset, std::span<char> out) const {
  constexpr size_t kElements = 1024;
  char buffer[kElements * 8];
  uint64_t index = offset / to_;
  auto within = static_cast<size_t>(offset % to_);
  while (!out.empty()) {
    const size_t wanted = (within + out.size() + to_ - 1) / to_;
    const size_t count = std::min(wanted, kElements);
    CHECK_OK(read_exactly(*stored_.source, stored_.offset + index * from_,
                          std::span<char>(buffer, count * from_)));
    for (size_t i = 0; i < count; ++i) {
      char element[8];
      store(convert(buffer + i * from_, parts_), parts_.to, element);
      const size_t step = std::min(to_ - within, out.size());
      std::memcpy(out.data(), element + within, step);
      out = out.subspan(step);
      within = 0;
    }
    index += count;
  }
  return Unit{};
}

}  // namespace

bool is_convertible(const ElementConversion& conversion) {
  const bool complex = is_complex(conversion.from);
  for (const DType dtype : {conversion.from, conversion.via, conversion.to}) {
    if (is_complex(dtype) != complex) return false;
    if (!is_real(part_of(dtype)) && integer_bits(dtype) == 0) return false;
  }
  return true;
}

Slice converted(const Splice& stored, const ElementConversion& conversion) {
  assert(is_convertible(conversion));
  if (stored.size() == 0) return {};
  return whole(std::make_shared<ConvertedSource>(as_slice(stored), conversion));
}

Result<ConversionEffect> conversion_effect(const Splice& stored,
                                           const ElementConversion& conversion) {
  const ElementConversion parts = of_parts(conversion);
  const size_t width = width_of(parts.from);
  ConversionEffect effect;
  std::string rest;  // of an element that a chunk's end cuts
  CHECK_OK(stored.for_each_chunk([&](std::string_view chunk) -> Status {
    std::string joined;
    if (!rest.empty()) chunk = joined = rest.append(chunk);
    for (; chunk.size() >= width; chunk.remove_prefix(width)) {
      const double value = load(chunk.data(), parts.from);
      const double kept = rounded(convert(chunk.data(), parts), parts.to);
      const bool same = kept == value || (std::isnan(kept) && std::isnan(value));
      if (!same) effect.largest = std::max(effect.largest, std::fabs(kept - value));
      effect.exact = effect.exact && same && is_whole_double(chunk.data(), parts.from);
    }
    rest = std::string(chunk);
    return Unit{};
  }));
  return effect;
}

Result<bool> converts_exactly(const Splice& stored, const ElementConversion& conversion) {
  TRY(effect, conversion_effect(stored, conversion));
  return effect.exact;
}

}  // namespace cryo
