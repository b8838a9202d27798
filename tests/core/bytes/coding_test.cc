#include "bytes/coding.h"

#include <gtest/gtest.h>

#include <limits>

#include "files.h"

namespace cryo {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

std::string varint(uint64_t value, size_t width = 1) {
  std::string out;
  put_varint(out, value, width);
  return out;
}

TEST(Varint, IsSevenBitsAByteLowFirst) {
  EXPECT_EQ(varint(0), unhex("00"));
  EXPECT_EQ(varint(127), unhex("7F"));
  EXPECT_EQ(varint(128), unhex("80 01"));
  EXPECT_EQ(varint(300), unhex("AC 02"));
  EXPECT_EQ(varint(kMax), unhex("FF FF FF FF FF FF FF FF FF 01"));
}

TEST(Varint, IsPaddedToAWidth) {
  EXPECT_EQ(varint(5, 3), unhex("85 80 00"));
  EXPECT_EQ(varint(0, 2), unhex("80 00"));
  EXPECT_EQ(varint(300, 1), unhex("AC 02"));
  EXPECT_EQ(varint(300, 10).size(), 10U);
}

TEST(Varint, OfEveryBitLengthIsReadBackAtEveryWidth) {
  for (int bit = 0; bit < 64; ++bit) {
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, kMax >> bit}) {
      for (size_t width = 1; width <= kMaxVarint64; ++width) {
        const std::string bytes = varint(value, width) + "rest";
        EXPECT_EQ(bytes.size() - 4, std::max(width, varint_size(value)));
        std::string_view in = bytes;
        uint64_t read = 0;
        ASSERT_TRUE(take_varint(in, read));
        EXPECT_EQ(read, value);
        EXPECT_EQ(in, "rest");
      }
    }
  }
}

TEST(Varint, CutShortOrBeyond64BitsIsRefusedAndLeftAlone) {
  for (const char* digits : {"", "80", "FF FF", "FF FF FF FF FF FF FF FF FF 02",
                             "80 80 80 80 80 80 80 80 80 80 00", "FF FF FF FF FF FF FF FF FF 81"}) {
    const std::string bytes = unhex(digits);
    std::string_view in = bytes;
    uint64_t value = 42;
    EXPECT_FALSE(take_varint(in, value)) << digits;
    EXPECT_EQ(in, bytes);
    EXPECT_EQ(value, 42U);
  }
}

TEST(KeptNodes, IsLittleEndian) {
  std::string out;
  put_fixed32(out, 0x01020304);
  put_fixed64(out, 0x05060708090A0BFF);
  EXPECT_EQ(out, unhex("04030201 FF0B0A0908070605"));
  EXPECT_EQ(get_fixed32(out.data()), 0x01020304U);
  EXPECT_EQ(get_fixed64(out.data() + 4), 0x05060708090A0BFFU);
}

TEST(Take, NeverTakesMoreThanThereIs) {
  std::string_view in = "abc";
  std::string_view bytes;
  uint32_t value = 0;
  EXPECT_FALSE(take_fixed32(in, value));
  EXPECT_FALSE(take_bytes(in, 4, bytes));
  EXPECT_FALSE(take_bytes(in, kMax, bytes));
  EXPECT_TRUE(take_bytes(in, 2, bytes));
  EXPECT_EQ(bytes, "ab");
  EXPECT_EQ(in, "c");
}

}  // namespace
}  // namespace cryo
