#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "base/result.h"

namespace cryo {

// A checksum of `size` bytes that are read in any order and perhaps more than once.
class Sum {
 public:
  explicit Sum(uint64_t size) : size_(size) {}
  virtual ~Sum() = default;

  // Takes the bytes that were read at `at`. Those taken before are skipped.
  virtual Status take(uint64_t at, std::string_view bytes) = 0;

  // The first bytes that are still to be taken; empty when all were.
  struct ByteRange {
    uint64_t begin = 0;
    uint64_t end = 0;
  };
  virtual ByteRange missing() const = 0;

  // Returns the checksum. REQUIRES: nothing is missing.
  virtual Result<uint32_t> finish() const = 0;

  uint64_t size() const { return size_; }

 private:
  uint64_t size_;
};

// A CRC of bytes in any order:
//
//     taken   |#####|      |####|            each with its own CRC
//     a read        |######|                 joins its neighbors: |################|
//
// Memory: at most kMaxStretches of them; beyond that all are forgotten and must be read again.
class CrcSum final : public Sum {
 public:
  enum Kind : unsigned char { kCrc32c, kCrc32 };
  CrcSum(Kind kind, uint64_t size) : Sum(size), kind_(kind) {}

  Status take(uint64_t at, std::string_view bytes) override;
  ByteRange missing() const override;
  Result<uint32_t> finish() const override;

  static constexpr size_t kMaxStretches = size_t{1} << 16;

 private:
  struct Taken {
    uint64_t end = 0;
    uint32_t crc = 0;
  };
  using Stretches = std::map<uint64_t, Taken>;  // by where they begin

  void add(Stretches::iterator next, uint64_t at, std::string_view bytes);
  uint32_t extend(uint32_t crc, std::string_view bytes) const;
  uint32_t combine(uint32_t a, uint32_t b, uint64_t length_b) const;

  Kind kind_;
  Stretches taken_;
};

}  // namespace cryo
