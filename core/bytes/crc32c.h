#pragma once

#include <cstdint>
#include <string_view>

namespace cryo {

// Returns the CRC-32C (Castagnoli: RFC 3720, SSE4.2's crc32), which protects the blocks of tables
// and the tensors of checkpoints. crc32c("123456789") == 0xE3069283; crc32c("") == 0.
uint32_t crc32c(std::string_view bytes);

// crc32c(a + b), given crc = crc32c(a) and b. Taking a file in steps of a page or more costs
// nothing.
uint32_t crc32c_extend(uint32_t crc, std::string_view bytes);

// The same, given crc32c(b) and b's length instead of its bytes.
uint32_t crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

// crc32c_extend without the machine's own instruction, for comparison in tests.
uint32_t crc32c_extend_portable(uint32_t crc, std::string_view bytes);

// Every checksum on disk is masked, because a CRC over bytes that contain their own CRC is weak:
// rotated right by 15, plus a constant.
constexpr uint32_t kCrcMaskDelta = 0xA282EAD8;
constexpr uint32_t mask_crc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + kCrcMaskDelta; }
constexpr uint32_t unmask_crc(uint32_t masked) {
  const uint32_t rotated = masked - kCrcMaskDelta;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace cryo
