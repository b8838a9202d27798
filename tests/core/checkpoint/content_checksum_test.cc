#include "checkpoint/content_checksum.h"

#include <gtest/gtest.h>

#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "files.h"

namespace cryo {
namespace {

// Fed in chunks of `step` bytes.
Result<uint32_t> checksum(DType dtype, uint64_t elements, std::string_view bytes,
                          size_t step = 1000) {
  ContentChecksum sum(dtype, elements);
  for (size_t at = 0; at < bytes.size(); at += step) CHECK_OK(sum.update(bytes.substr(at, step)));
  return sum.finish();
}

std::string stored(const Result<uint32_t>& crc) {
  EXPECT_TRUE(crc.ok());
  std::string bytes;
  if (crc.ok()) put_fixed32(bytes, mask_crc(*crc));
  return bytes;
}

// A variant tensor of two messages, built by the rule.
struct Variants {
  std::string bytes;
  uint32_t crc = 0;

  void add(const std::string& message) {
    std::string length;
    put_fixed64(length, message.size());
    crc = crc32c_extend(crc32c_extend(crc, length), message);
    put_varint(bytes, message.size());
    bytes += message;
    std::string check;
    put_fixed32(check, mask_crc(crc));
    bytes += check;
    crc = crc32c_extend(crc, check);
  }
};

TEST(ContentChecksum, OfNumbersIsThatOfTheirBytes) {
  EXPECT_EQ(stored(checksum(DType::kFloat, 1, unhex("0000003F"))), unhex("0638271F"));
  EXPECT_EQ(stored(checksum(DType::kFloat, 1, unhex("00000040"))), unhex("10FD784F"));
  EXPECT_EQ(stored(checksum(DType::kFloat, 0, "")), unhex("D8EA82A2"));
}

TEST(ContentChecksum, OfStringsCoversLengthsAsNumbers) {
  const std::string two = unhex("0200 78270B34 6162");
  for (size_t step = 1; step <= two.size(); ++step) {
    EXPECT_EQ(stored(checksum(DType::kString, 2, two, step)), unhex("9188B04D")) << step;
  }
  EXPECT_TRUE(checksum(DType::kString, 1, unhex("00 A67B113A")).ok());
  EXPECT_EQ(stored(checksum(DType::kString, 0, unhex("D8EA82A2"))), unhex("F6C10C64"));
  EXPECT_EQ(stored(checksum(DType::kString, 0, "")), unhex("D8EA82A2"));
}

TEST(ContentChecksum, OfVariantsRunsThroughAllOfThem) {
  Variants variants;
  for (const size_t size : {0U, 3U, 300U}) variants.add(std::string(size, 'm'));
  for (const size_t step : {1U, 2U, 7U, 1000U}) {
    const Result<uint32_t> crc = checksum(DType::kVariant, 3, variants.bytes, step);
    ASSERT_TRUE(crc.ok());
    EXPECT_EQ(*crc, variants.crc);
  }
  EXPECT_FALSE(checksum(DType::kVariant, 2, variants.bytes).ok());
  EXPECT_FALSE(checksum(DType::kVariant, 4, variants.bytes).ok());
  EXPECT_EQ(stored(checksum(DType::kVariant, 0, "")), unhex("D8EA82A2"));
}

TEST(ContentChecksum, RefusesContentThatIsNotAsItsTypeDemands) {
  const std::string two = unhex("0200 78270B34 6162");
  EXPECT_FALSE(checksum(DType::kString, 1, two).ok());
  EXPECT_FALSE(checksum(DType::kString, 3, two).ok());
  EXPECT_FALSE(checksum(DType::kString, 2, two + "x").ok());
  EXPECT_FALSE(checksum(DType::kString, 2, "").ok());
  for (size_t size = 0; size < two.size(); ++size) {
    EXPECT_FALSE(checksum(DType::kString, 2, two.substr(0, size)).ok()) << size;
  }
  const Result<uint32_t> flipped = checksum(DType::kString, 2, unhex("0300 78270B34 6162"));
  ASSERT_FALSE(flipped.ok());
  EXPECT_NE(flipped.error().message.find("The length checksum does not match"), std::string::npos);
}

TEST(ContentChecksum, RefusesLengthsThatWrap) {
  EXPECT_FALSE(checksum(DType::kString, 1, std::string(40, '\xFF')).ok());
  EXPECT_FALSE(checksum(DType::kString, 1, std::string(9, '\xFF') + "\x02zzzz").ok());
  const std::string most = std::string(9, '\xFF') + "\x01";
  EXPECT_FALSE(checksum(DType::kString, 2, most + most + "zzzz").ok());
}

}  // namespace
}  // namespace cryo
