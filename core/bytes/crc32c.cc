#include "bytes/crc32c.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "bytes/crc_algebra.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRYO_CRC_HARDWARE __attribute__((target("sse4.2")))
#elif defined(__ARM_FEATURE_CRC32) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_acle.h>
#define CRYO_CRC_HARDWARE
#elif defined(__aarch64__) && defined(__linux__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <sys/auxv.h>
#define CRYO_CRC_HARDWARE __attribute__((target("+crc")))
#endif

// The running state is the CRC without its final complement; `crc` below is that state.

namespace cryo {
namespace {

constexpr uint32_t kPolynomial = 0x82F63B78;

// Slicing by 8: kTables[k][b] is the state after byte b and then k zero bytes.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc_times_x<kPolynomial>(crc);
    tables[0][byte] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

// Compilers make one load of it on little-endian machines.
uint32_t load32(const char* bytes) {
  const auto at = [&](size_t i) { return uint32_t{static_cast<unsigned char>(bytes[i])}; };
  return at(0) | at(1) << 8 | at(2) << 16 | at(3) << 24;
}

uint32_t portable_step8(uint32_t crc, const char* p) {
  const uint32_t low = crc ^ load32(p);
  const uint32_t high = load32(p + 4);
  return kTables[7][low & 0xFF] ^ kTables[6][(low >> 8) & 0xFF] ^ kTables[5][(low >> 16) & 0xFF] ^
         kTables[4][low >> 24] ^ kTables[3][high & 0xFF] ^ kTables[2][(high >> 8) & 0xFF] ^
         kTables[1][(high >> 16) & 0xFF] ^ kTables[0][high >> 24];
}

// A step's answer comes cycles after the next one could begin, in silicon as in tables, so three
// stretches are taken at once and joined as crc32c_combine does. A stretch is long enough to make
// the joining free, short enough for a cache.
constexpr size_t kStretch = 8192;
constexpr uint32_t kOverStretch = crc_zeros<kPolynomial>(kStretch);

uint32_t join_three(uint32_t a, uint32_t b, uint32_t c) {
  const auto over = [](uint32_t crc) { return crc_multiply<kPolynomial>(kOverStretch, crc); };
  return over(over(a) ^ b) ^ c;
}

uint32_t portable_three(uint32_t a, const char* p) {
  uint32_t b = 0;
  uint32_t c = 0;
  for (size_t i = 0; i < kStretch; i += 8) {
    a = portable_step8(a, p + i);
    b = portable_step8(b, p + kStretch + i);
    c = portable_step8(c, p + 2 * kStretch + i);
  }
  return join_three(a, b, c);
}

uint32_t extend_portable(uint32_t crc, const char* p, size_t size) {
  for (; size >= 3 * kStretch; p += 3 * kStretch, size -= 3 * kStretch)
    crc = portable_three(crc, p);
  for (; size >= 8; p += 8, size -= 8) crc = portable_step8(crc, p);
  for (; size > 0; ++p, --size) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(*p)) & 0xFF];
  }
  return crc;
}

#if defined(CRYO_CRC_HARDWARE)

#if defined(__x86_64__)
bool has_hardware() { return __builtin_cpu_supports("sse4.2") != 0; }
CRYO_CRC_HARDWARE inline uint64_t step8(uint64_t crc, uint64_t word) {
  return _mm_crc32_u64(crc, word);
}
CRYO_CRC_HARDWARE inline uint32_t step1(uint32_t crc, char byte) {
  return _mm_crc32_u8(crc, static_cast<unsigned char>(byte));
}
#elif defined(__ARM_FEATURE_CRC32)
bool has_hardware() { return true; }
inline uint64_t step8(uint64_t crc, uint64_t word) {
  return __crc32cd(static_cast<uint32_t>(crc), word);
}
inline uint32_t step1(uint32_t crc, char byte) {
  return __crc32cb(crc, static_cast<unsigned char>(byte));
}
#else
constexpr unsigned long kHasCrc32 = 1UL << 7;  // HWCAP_CRC32
bool has_hardware() { return (getauxval(AT_HWCAP) & kHasCrc32) != 0; }
CRYO_CRC_HARDWARE inline uint64_t step8(uint64_t crc, uint64_t word) {
  auto state = static_cast<uint32_t>(crc);
  __asm__("crc32cx %w0, %w0, %x1" : "+r"(state) : "r"(word));
  return state;
}
CRYO_CRC_HARDWARE inline uint32_t step1(uint32_t crc, char byte) {
  __asm__("crc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(uint32_t{static_cast<unsigned char>(byte)}));
  return crc;
}
#endif

inline uint64_t load64(const char* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

CRYO_CRC_HARDWARE uint32_t hardware_three(uint32_t crc, const char* p) {
  uint64_t a = crc;
  uint64_t b = 0;
  uint64_t c = 0;
  for (size_t i = 0; i < kStretch; i += 8) {
    a = step8(a, load64(p + i));
    b = step8(b, load64(p + kStretch + i));
    c = step8(c, load64(p + 2 * kStretch + i));
  }
  return join_three(static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c));
}

CRYO_CRC_HARDWARE uint32_t extend_hardware(uint32_t crc, const char* p, size_t size) {
  for (; size >= 3 * kStretch; p += 3 * kStretch, size -= 3 * kStretch)
    crc = hardware_three(crc, p);
  uint64_t wide = crc;
  for (; size >= 8; p += 8, size -= 8) wide = step8(wide, load64(p));
  crc = static_cast<uint32_t>(wide);
  for (; size > 0; ++p, --size) crc = step1(crc, *p);
  return crc;
}

#endif

}  // namespace

uint32_t crc32c(std::string_view bytes) { return crc32c_extend(0, bytes); }

uint32_t crc32c_extend(uint32_t crc, std::string_view bytes) {
#if defined(CRYO_CRC_HARDWARE)
  if (has_hardware()) return ~extend_hardware(~crc, bytes.data(), bytes.size());
#endif
  return crc32c_extend_portable(crc, bytes);
}

uint32_t crc32c_extend_portable(uint32_t crc, std::string_view bytes) {
  return ~extend_portable(~crc, bytes.data(), bytes.size());
}

uint32_t crc32c_combine(uint32_t crc_a, uint32_t crc_b, uint64_t length_b) {
  return crc_combine<kPolynomial>(crc_a, crc_b, length_b);
}

}  // namespace cryo
