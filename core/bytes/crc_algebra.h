#pragma once

#include <cstdint>

namespace cryo {

// Arithmetic of 32-bit CRCs. A CRC is the remainder of a polynomial over GF(2). Bits are reflected:
// the highest bit of a word is the coefficient of x^0. `kPolynomial` is the CRC's own, reflected.

constexpr uint32_t kCrcOne = 0x80000000;  // x^0

template <uint32_t kPolynomial>
constexpr uint32_t crc_times_x(uint32_t a) {
  return (a & 1) != 0 ? (a >> 1) ^ kPolynomial : a >> 1;
}

// Returns a * b modulo the polynomial.
template <uint32_t kPolynomial>
constexpr uint32_t crc_multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = kCrcOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = crc_times_x<kPolynomial>(b);
  }
  return product;
}

// Returns x^(8 * bytes): multiplying a state by it moves the state over that many zero bytes.
template <uint32_t kPolynomial>
constexpr uint32_t crc_zeros(uint64_t bytes) {
  uint32_t power = kCrcOne >> 8;  // x^8
  uint32_t result = kCrcOne;
  for (; bytes != 0; bytes >>= 1) {
    if ((bytes & 1) != 0) result = crc_multiply<kPolynomial>(result, power);
    power = crc_multiply<kPolynomial>(power, power);
  }
  return result;
}

// Returns the CRC of a + b, given the CRCs of a and of b and the length of b.
template <uint32_t kPolynomial>
constexpr uint32_t crc_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b) {
  if (crc_a == 0) return crc_b;
  return crc_multiply<kPolynomial>(crc_zeros<kPolynomial>(length_b), crc_a) ^ crc_b;
}

}  // namespace cryo
