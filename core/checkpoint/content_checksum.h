#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "bytes/sum.h"
#include "tensor/dtype.h"

namespace cryo {

// The checksum of one tensor's bytes in a checkpoint's data file, computed chunk by chunk. The
// layouts (tensorflow/core/util/tensor_bundle) and the bytes that the checksum covers:
//
//     fixed size   the elements
//         covered: all of it
//     STRING       varint length x N | fixed32 checksum | the strings' bytes
//         covered: each length as 4 bytes (8 if it needs them), the rest verbatim
//     VARIANT      N x (varint length | serialized message | fixed32 checksum)
//         covered: each length as 8 bytes, the rest verbatim
//
// The inner checksums are masked, and cover everything before them.
class ContentChecksum {
 public:
  // `big_endian`: the lengths of strings were taken, and their inner checksum is stored, in that
  // order.
  ContentChecksum(DType dtype, uint64_t elements, bool big_endian = false);

  // Takes the next bytes of the content. Fails if they do not follow the layout.
  Status update(std::string_view chunk);

  // Returns the CRC-32C, unmasked. Fails if the content has ended early.
  Result<uint32_t> finish() const;

 private:
  enum class Expect { kElements, kLength, kBytes, kCheck, kEnd };

  void take_length_byte(char byte);
  void end_length();
  void end_bytes();
  Status end_check();
  Failure bad_content(std::string_view message) const;

  bool string_;
  bool big_endian_;
  Expect expect_ = Expect::kElements;
  uint64_t elements_left_;
  uint32_t crc_ = 0;
  uint64_t taken_ = 0;   // bytes in all
  uint64_t length_ = 0;  // the varint being read, so far
  int length_bits_ = 0;
  uint64_t bytes_left_ = 0;  // of those that the lengths require
  bool wrapped_ = false;     // a length does not fit 64 bits, or all of them together do not
  uint32_t check_ = 0;       // the fixed32 being read, so far
  int check_bits_ = 0;
};

// The same as a sum of bytes that are read in any order. Only bytes that continue the ones already
// taken count; others remain missing.
class ContentSum final : public Sum {
 public:
  ContentSum(DType dtype, uint64_t elements, bool big_endian, uint64_t size)
      : Sum(size), checksum_(dtype, elements, big_endian) {}

  Status take(uint64_t at, std::string_view bytes) override;
  ByteRange missing() const override { return {taken_, size()}; }
  Result<uint32_t> finish() const override;

 private:
  ContentChecksum checksum_;
  uint64_t taken_ = 0;
  std::shared_ptr<const Diagnostic> fault_ = {};  // the bytes are not laid out as the type demands
};

}  // namespace cryo
