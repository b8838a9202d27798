#pragma once

#include <cstdint>
#include <string_view>

namespace cryo {

// CRC-32 (RFC 1952; zip and gzip), not the CRC-32C of TensorFlow's files: crc32_extend(0,
// "123456789") == 0xCBF43926. crc32_extend(crc of a, b) is the CRC of a + b.
uint32_t crc32_extend(uint32_t crc, std::string_view bytes);

}  // namespace cryo
