#include "wire/text/text_number.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/text.h"
#include "wire/text/text_escape.h"

namespace cryo {
namespace {

// 0.d1d2d3... * 10^point, without zeros at either end.
struct Decimal {
  std::string digits;
  int point = 0;
};

// A whole number of any length: nine decimal digits a limb, the lowest first.
using Limbs = std::vector<uint32_t>;
constexpr uint64_t kLimb = 1'000'000'000;

// REQUIRES: factor < 2^32.
void multiply(Limbs& limbs, uint64_t factor) {
  uint64_t carry = 0;
  for (uint32_t& limb : limbs) {
    carry += limb * factor;
    limb = static_cast<uint32_t>(carry % kLimb);
    carry /= kLimb;
  }
  for (; carry > 0; carry /= kLimb) limbs.push_back(static_cast<uint32_t>(carry % kLimb));
}

void multiply_by_power(Limbs& limbs, uint64_t base, int exponent) {
  constexpr int kStep = 13;  // 5^13 < 2^32
  for (; exponent > 0; exponent -= kStep) {
    uint64_t factor = 1;
    for (int i = 0; i < std::min(exponent, kStep); ++i) factor *= base;
    multiply(limbs, factor);
  }
}

std::string digits_of(const Limbs& limbs) {
  std::string digits;  // the last first
  for (uint32_t limb : limbs) {
    for (int i = 0; i < 9; ++i, limb /= 10) digits += static_cast<char>('0' + limb % 10);
  }
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// Every digit of it: m * 2^e is a whole number, and m * 2^-e is m * 5^e / 10^e. REQUIRES: finite,
// above 0.
Decimal exact(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  for (; mantissa % 2 == 0; mantissa /= 2) ++exponent;
  Limbs limbs = {static_cast<uint32_t>(mantissa % kLimb), static_cast<uint32_t>(mantissa / kLimb)};
  multiply_by_power(limbs, exponent < 0 ? 5 : 2, std::abs(exponent));
  Decimal decimal{digits_of(limbs), 0};
  decimal.point = static_cast<int>(decimal.digits.size()) + std::min(exponent, 0);
  return decimal;
}

// To that many digits at most: the nearest, of two the even one.
Decimal rounded(Decimal decimal, size_t most) {
  std::string& digits = decimal.digits;
  if (digits.size() > most) {
    const int order = digits.compare(most, std::string::npos, "5");
    const bool up = order > 0 || (order == 0 && (digits[most - 1] - '0') % 2 == 1);
    digits.resize(most);
    if (up) {
      while (!digits.empty() && digits.back() == '9') digits.pop_back();
      if (digits.empty()) ++decimal.point;
      if (digits.empty()) digits = "0";
      ++digits.back();
    }
  }
  while (digits.back() == '0') digits.pop_back();
  return decimal;
}

// Formats as printf's %g with that precision.
std::string general(const Decimal& decimal, int precision) {
  std::string text = decimal.digits;
  const int exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= precision) {
    if (text.size() > 1) text.insert(1, ".");
    const int size = std::abs(exponent);
    return cat(text, exponent < 0 ? "e-" : "e+", size < 10 ? "0" : "", size);
  }
  if (exponent < 0) return cat("0.", std::string(static_cast<size_t>(-exponent - 1), '0'), text);
  const auto whole = static_cast<size_t>(decimal.point);
  if (text.size() <= whole) return text + std::string(whole - text.size(), '0');
  return text.insert(whole, ".");
}

// A float is a double whose value a float holds.
void print(double value, bool single, std::string& out) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  if (std::signbit(value)) out += '-';
  const double size = std::fabs(value);
  if (size == 0 || std::isinf(size)) {
    out += size == 0 ? "0" : "inf";
    return;
  }
  const Decimal decimal = exact(size);
  const int few = single ? 6 : 15;
  const int many = single ? 9 : 17;
  std::string text = general(rounded(decimal, static_cast<size_t>(few)), few);
  const double back =
      single ? double{std::strtof(text.c_str(), nullptr)} : std::strtod(text.c_str(), nullptr);
  // libprotobuf does so: its strtof reports an error for a float below the normal ones.
  const bool tiny = single && size < double{std::numeric_limits<float>::min()};
  if (back != size || tiny) text = general(rounded(decimal, static_cast<size_t>(many)), many);
  out += text;
}

}  // namespace

void print_float(float value, std::string& out) { print(double{value}, true, out); }
void print_double(double value, std::string& out) { print(value, false, out); }

bool parse_integer(std::string_view token, uint64_t most, uint64_t& value) {
  uint64_t base = 10;
  if (token.size() > 1 && token[0] == '0') {
    const bool hex = token[1] == 'x' || token[1] == 'X';
    base = hex ? 16 : 8;
    token.remove_prefix(hex ? 2 : 1);
  }
  value = 0;
  for (const char c : token) {
    const uint64_t digit = digit_value(c);
    if (digit >= base || digit > most || value > (most - digit) / base) return false;
    value = value * base + digit;
  }
  return true;
}

double parse_decimal(const std::string& token) { return std::strtod(token.c_str(), nullptr); }

float to_float(double value) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr double kBeyond = 0x1.ffffffp127;  // halfway between the largest float and 2^128
  if (std::isnan(value) || std::fabs(value) <= double{kLargest}) return static_cast<float>(value);
  const float size = std::fabs(value) > kBeyond ? std::numeric_limits<float>::infinity() : kLargest;
  return value < 0 ? -size : size;
}

}  // namespace cryo
