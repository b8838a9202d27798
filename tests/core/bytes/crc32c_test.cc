#include "bytes/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cryo {
namespace {

std::string random_bytes(size_t size) {
  std::mt19937 random(static_cast<uint32_t>(size));
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(random());
  return bytes;
}

// One bit at a time, straight from the definition.
uint32_t plain_crc(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x82F63B78 : crc >> 1;
  }
  return ~crc;
}

TEST(Crc32c, EqualsTheVectorsOfRfc3720) {
  std::string ascending;
  for (char byte = 0; byte < 32; ++byte) ascending += byte;
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AA);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43);
  EXPECT_EQ(crc32c(ascending), 0x46DD794E);
  EXPECT_EQ(crc32c(std::string(ascending.rbegin(), ascending.rend())), 0x113FDB5C);
  const unsigned char iscsi_read[48] = {
      0x01, 0xC0, 0, 0,    0, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0, 0, 0x14, 0, 0, 0, 0, 0, 0x04, 0,
      0,    0,    0, 0x14, 0, 0, 0, 0x18, 0x28, 0, 0, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0,    0};
  EXPECT_EQ(crc32c({reinterpret_cast<const char*>(iscsi_read), 48}), 0xD9963A56);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283);
  EXPECT_EQ(crc32c(""), 0U);
}

TEST(Crc32c, OfEveryLengthAndAlignmentEqualsTheDefinition) {
  const std::string bytes = random_bytes(200);
  for (size_t start = 0; start < 9; ++start) {
    for (size_t size = 0; start + size <= bytes.size(); ++size) {
      const std::string_view part = std::string_view(bytes).substr(start, size);
      ASSERT_EQ(crc32c(part), plain_crc(part));
      ASSERT_EQ(crc32c_extend_portable(0, part), plain_crc(part));
    }
  }
}

TEST(Crc32c, OfLongRunsEqualsTheDefinition) {
  const std::string bytes = random_bytes(200'000);
  for (const size_t size : {24'575U, 24'576U, 24'577U, 49'152U, 73'735U, 199'991U}) {
    const std::string_view part = std::string_view(bytes).substr(3, size);
    EXPECT_EQ(crc32c(part), plain_crc(part)) << size;
    EXPECT_EQ(crc32c_extend_portable(0, part), plain_crc(part)) << size;
  }
}

TEST(Crc32c, OfAWholeEqualsThatOfItsPartsExtendedOrCombined) {
  const std::string bytes = random_bytes(100'000);
  for (size_t cut = 0; cut <= bytes.size(); cut += 12'497) {
    const std::string_view a = std::string_view(bytes).substr(0, cut);
    const std::string_view b = std::string_view(bytes).substr(cut);
    EXPECT_EQ(crc32c_extend(crc32c(a), b), crc32c(bytes));
    EXPECT_EQ(crc32c_extend_portable(crc32c(a), b), crc32c(bytes));
    EXPECT_EQ(crc32c_combine(crc32c(a), crc32c(b), b.size()), crc32c(bytes));
  }
}

TEST(Crc32c, UnmaskingIsTheInverseOfMasking) {
  EXPECT_EQ(mask_crc(crc32c("")), 0xA282EAD8);
  EXPECT_EQ(mask_crc(0x26973E52), 0x1F273806U);
  for (uint32_t crc = 1; crc != 0; crc <<= 1) {
    EXPECT_EQ(unmask_crc(mask_crc(crc)), crc);
    EXPECT_NE(mask_crc(crc), crc);
    EXPECT_NE(mask_crc(mask_crc(crc)), crc);
  }
}

}  // namespace
}  // namespace cryo
