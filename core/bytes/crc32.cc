#include "bytes/crc32.h"

#include <zlib.h>

#include <algorithm>

#include "bytes/crc_algebra.h"

namespace cryo {

uint32_t crc32_extend(uint32_t crc, std::string_view bytes) {
  constexpr size_t kStep = size_t{1} << 30;  // zlib counts in unsigned int
  while (!bytes.empty()) {
    const std::string_view step = bytes.substr(0, kStep);
    crc = static_cast<uint32_t>(
        crc32(crc, reinterpret_cast<const Bytef*>(step.data()), static_cast<uInt>(step.size())));
    bytes.remove_prefix(step.size());
  }
  return crc;
}

uint32_t crc32_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b) {
  constexpr uint32_t kPolynomial = 0xEDB88320;
  return crc_combine<kPolynomial>(crc_a, crc_b, length_b);
}

}  // namespace cryo
