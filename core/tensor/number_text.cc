#include "tensor/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "bytes/coding.h"

namespace cryo {
namespace {

bool append_bool(std::string_view text, std::string& bytes) {
  const bool yes = text == "true" || text == "True" || text == "1";
  bytes += yes ? '\1' : '\0';
  return yes || text == "false" || text == "False" || text == "0";
}

// Appends a whole number, in two's complement if the type is signed.
bool append_whole(std::string_view text, size_t size, bool has_sign, std::string& bytes) {
  const bool negative = has_sign && text.starts_with('-');
  uint64_t value = 0;
  if (negative) text.remove_prefix(1);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return false;
  const uint64_t most = ~uint64_t{0} >> (64 - 8 * size + (has_sign ? 1 : 0));
  if (value > most + (negative ? 1 : 0)) return false;
  const size_t end = bytes.size() + size;
  put_fixed64(bytes, negative ? 0 - value : value);
  bytes.resize(end);
  return true;
}

// The floats of 16 bits: sign, exponent, and so many bits of mantissa; `bias` of the exponent.
bool append_small(double value, int mantissa, int bias, std::string& bytes) {
  int exponent = 0;
  const double magnitude = std::fabs(value);
  std::frexp(magnitude, &exponent);
  const int least = 1 - bias;
  const int power = magnitude == 0 ? least : std::max(exponent - 1, least);
  const double steps = std::nearbyint(std::ldexp(magnitude, mantissa - power));
  const int bits = ((power - least) << mantissa) + static_cast<int>(steps);
  if (bits >= (2 * bias + 1) << mantissa) return false;  // infinite
  const int sign = std::signbit(value) ? 0x8000 : 0;
  bytes += static_cast<char>(bits & 0xFF);
  bytes += static_cast<char>((bits | sign) >> 8);
  return true;
}

template <typename Real>
bool append_real(const std::string& text, Real (*parse)(const char*, char**), std::string& bytes) {
  char* end = nullptr;
  const Real value = parse(text.c_str(), &end);
  const bool starts = !text.empty() && std::isspace(static_cast<unsigned char>(text[0])) == 0;
  if (!starts || *end != '\0' || !std::isfinite(value)) return false;
  char held[sizeof value];
  std::memcpy(held, &value, sizeof value);
  bytes.append(held, sizeof value);
  return true;
}

bool append_small_real(DType dtype, const std::string& text, std::string& bytes) {
  std::string held;
  double value = 0;
  if (!append_real(text, std::strtod, held)) return false;
  std::memcpy(&value, held.data(), sizeof value);
  return dtype == DType::kHalf ? append_small(value, 10, 15, bytes)
                               : append_small(value, 7, 127, bytes);
}

bool has_sign(DType dtype) {
  return dtype == DType::kInt8 || dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

bool has_whole_text(DType dtype) {
  return has_sign(dtype) || dtype == DType::kUint8 || dtype == DType::kUint16 ||
         dtype == DType::kUint32 || dtype == DType::kUint64;
}

}  // namespace

bool has_number_text(DType dtype) {
  return dtype == DType::kBool || is_floating(dtype) || has_whole_text(dtype);
}

bool append_number(DType dtype, const std::string& text, std::string& bytes) {
  if (dtype == DType::kBool) return append_bool(text, bytes);
  if (dtype == DType::kFloat) return append_real(text, std::strtof, bytes);
  if (dtype == DType::kDouble) return append_real(text, std::strtod, bytes);
  if (!has_whole_text(dtype)) return append_small_real(dtype, text, bytes);
  return append_whole(text, find_dtype(dtype)->size, has_sign(dtype), bytes);
}

}  // namespace cryo
