#include "checkpoint/big_endian.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bundle.h"
#include "bytes/coding.h"
#include "checkpoint/checkpoint_writer.h"
#include "graphs.h"

namespace cryo {
namespace {

// A checkpoint of a big-endian machine with one tensor, "x", whose bytes are `stored`.
struct BigBundle : Bundle {
  BigBundle(tensorflow::DataType dtype, const std::vector<int64_t>& dims,
            const std::string& stored) {
    header = unhex("080110011A020801");
    add("x", dims, 0, static_cast<int64_t>(stored.size()), stored).set_dtype(dtype);
    add_shard(stored);
  }
};

std::string content_of(Bundle& bundle) {
  const auto checkpoint = bundle.read();
  if (!checkpoint) return checkpoint.error().message;
  const CheckpointEntry* entry = checkpoint->find("x");
  EXPECT_EQ(failure_of(verify(*entry)), "ok");
  return *entry->content.read_all();
}

TEST(BigEndian, NumbersAreSwappedAndTheirChecksumsHold) {
  BigBundle ints(tensorflow::DT_INT32, {2}, unhex("0000012C 00000005"));
  EXPECT_EQ(content_of(ints), unhex("2C010000 05000000"));
  BigBundle halves(tensorflow::DT_HALF, {1}, unhex("3C00"));
  EXPECT_EQ(content_of(halves), unhex("003C"));
  BigBundle bytes(tensorflow::DT_INT8, {3}, "abc");
  EXPECT_EQ(content_of(bytes), "abc");
  BigBundle complex(tensorflow::DT_COMPLEX64, {1}, "ABCDabcd");
  EXPECT_EQ(content_of(complex), "DCBAdcba");
  BigBundle nothing(tensorflow::DT_FLOAT, {0}, "");
  EXPECT_EQ(content_of(nothing), "");
}

TEST(BigEndian, NothingIsReadBeforeItIsAskedFor) {
  BigBundle bundle(tensorflow::DT_STRING, {2}, "..");
  ASSERT_TRUE(bundle.read().ok());
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 0U);
}

// "ab" and "": their lengths as a big-endian machine sums them up, and the sum as it stores it.
std::string big_strings(uint32_t& masked) {
  const std::string lengths = unhex("00000002 00000000");
  std::string check;
  put_fixed32(check, mask_crc(crc32c(lengths)));
  std::reverse(check.begin(), check.end());
  masked = mask_crc(crc32c(cat(lengths, check, "ab")));
  return cat(unhex("0200"), check, "ab");
}

TEST(BigEndian, StringsGetTheChecksumOfTheirLengthsAnew) {
  uint32_t crc = 0;
  BigBundle bundle(tensorflow::DT_STRING, {2}, big_strings(crc));
  bundle.entries["x"].set_crc32c(crc);
  EXPECT_EQ(content_of(bundle), unhex("0200 78270B34 6162"));
  const auto checkpoint = bundle.read();
  const Splice& content = checkpoint->find("x")->content;
  std::string whole;
  for (uint64_t at = 0; at < content.size(); ++at) whole += *content.sub(at, 1).read_all();
  EXPECT_EQ(whole, *content.read_all());
}

TEST(BigEndian, StringsThatEndEarlyAreAnError) {
  BigBundle bundle(tensorflow::DT_STRING, {2}, unhex("0280 8080"));
  const auto checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(checkpoint->find("x")->content.read_all().error().code, "bad-content");
  EXPECT_FALSE(verify(*checkpoint->find("x")).ok());
}

TEST(BigEndian, VariantsAreRefusedByThemselves) {
  BigBundle bundle(tensorflow::DT_VARIANT, {1}, "abcdef");
  expect_fault(bundle, "big-endian-variant");
}

TEST(BigEndian, SlicesAreSwappedBeforeTheyAreJoined) {
  Bundle bundle = sliced();
  bundle.header = unhex("080110011A020801");
  EXPECT_EQ(content_of(bundle), "aaaabbbbeeeeccccddddffff");
  bundle.shards.clear();
  bundle.add_shard("1234567812345678abcdefgh");
  Checks off(false);  // the index states other checksums
  const auto checkpoint = read_checkpoint(
      std::make_shared<MemorySource>(bundle.index(), "m.index"),
      [&](int, int) -> SourcePtr { return bundle.shards[0]; }, bundle.diagnostics, &off);
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(*checkpoint->find("x")->content.read_all(), "432187654321dcbahgfe8765");
}

TEST(BigEndian, CheckpointsAreWrittenAsLittleEndianOnes) {
  uint32_t crc = 0;
  BigBundle bundle(tensorflow::DT_STRING, {2}, big_strings(crc));
  bundle.entries["x"].set_crc32c(crc);
  const auto checkpoint = bundle.read();
  CheckpointWriter writer;
  ASSERT_TRUE(writer.add(*checkpoint->find("x")).ok());
  CheckpointFiles files = writer.finish();
  Bundle again;
  again.add_shard(*files.shards[0].read_all());
  Diagnostics diagnostics;
  const auto read = read_checkpoint(
      std::make_shared<MemorySource>(*files.index.read_all(), "m.index"),
      [&](int, int) -> SourcePtr { return again.shards[0]; }, diagnostics);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(failure_of(verify(*read->find("x"))), "ok");
}

}  // namespace
}  // namespace cryo
