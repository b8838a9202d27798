#pragma once

#include <cstdint>
#include <string_view>

namespace cryo {

// CRC-32 (RFC 1952; zip and gzip), not the CRC-32C of TensorFlow's files: crc32_extend(0,
// "123456789") == 0xCBF43926. crc32_extend(crc of a, b) is the CRC of a + b.
uint32_t crc32_extend(uint32_t crc, std::string_view bytes);

// Returns the CRC of a + b, given the CRCs of a and of b and the length of b.
uint32_t crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

}  // namespace cryo
