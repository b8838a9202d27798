#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "bytes/coding.h"
#include "bytes/joined_source.h"
#include "tensor/views/repeated_source.h"
#include "tensor/views/varint_source.h"

namespace cryo {
namespace {

std::string read(const ByteSource& source, uint64_t offset, size_t size) {
  std::string out(size, '?');
  const Status status = read_exactly(source, offset, {out.data(), out.size()});
  return status.ok() ? out : status.error().code;
}

// Every piece of the source, also out of order, is that piece of `expected`.
void expect_bytes(const ByteSource& source, const std::string& expected) {
  ASSERT_EQ(source.size(), expected.size());
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const size_t offset = random() % (expected.size() + 1);
    const size_t size = random() % (expected.size() - offset + 1);
    ASSERT_EQ(read(source, offset, size), expected.substr(offset, size)) << offset << " " << size;
  }
  EXPECT_EQ(read(source, 0, expected.size()), expected);
  EXPECT_EQ(read(source, expected.size(), 1), "truncated");
}

TEST(JoinedSource, ReadsItsPiecesAsOneRun) {
  Splice splice;
  for (const char* piece : {"a", "bcd", "efghijklm", "n"}) splice.append(fresh(piece));
  expect_bytes(JoinedSource(splice), "abcdefghijklmn");
}

TEST(JoinedSource, OnePieceIsItsOwnSlice) {
  const Slice slice = fresh("abc");
  EXPECT_EQ(as_slice(Splice(slice)).source, slice.source);
  EXPECT_EQ(as_slice(Splice()).size, 0U);
}

TEST(RepeatedSource, IsItsPatternOverAndOver) {
  for (const std::string pattern : {"a", "ab", "abcdefg"}) {
    std::string expected;
    for (int i = 0; i < 23; ++i) expected += pattern;
    expect_bytes(RepeatedSource(fresh(pattern), 23), expected);
  }
}

TEST(RepeatedSource, NeedsNoMemoryForItsSize) {
  const RepeatedSource source(fresh("abc"), uint64_t{1} << 61);
  EXPECT_EQ(source.size(), 3 * (uint64_t{1} << 61));
  EXPECT_EQ(read(source, source.size() - 5, 5), "bcabc");
}

std::string varints(const std::vector<uint64_t>& values) {
  std::string out;
  for (const uint64_t value : values) put_varint(out, value);
  return out;
}

TEST(VarintSource, CutsElementsToTheirWidthAndRepeatsTheLastOne) {
  const std::string list = varints({5, 300, ~uint64_t{0}});
  expect_bytes(VarintSource(fresh(list), 5, 2, VarintSource::Element::kInteger),
               std::string("\x05\x00\x2C\x01\xFF\xFF\xFF\xFF\xFF\xFF", 10));
  expect_bytes(VarintSource(fresh(list), 2, 1, VarintSource::Element::kInteger), "\x05\x2C");
  expect_bytes(VarintSource(fresh(varints({0, 1, 256})), 4, 1, VarintSource::Element::kBool),
               std::string("\x00\x01\x01\x01", 4));
}

TEST(VarintSource, ReadsLongListsInAnyOrder) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> values;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    values.push_back(random() >> (random() % 64));
    put_fixed64(expected, values.back());
  }
  expect_bytes(VarintSource(fresh(varints(values)), 5000, 8, VarintSource::Element::kInteger),
               expected);
}

TEST(VarintSource, NeedsNoMemoryForItsSize) {
  const VarintSource source(fresh(varints({7, 9})), uint64_t{1} << 60, 4,
                            VarintSource::Element::kInteger);
  EXPECT_EQ(read(source, source.size() - 4, 4), std::string("\x09\x00\x00\x00", 4));
  EXPECT_EQ(read(source, 0, 4), std::string("\x07\x00\x00\x00", 4));
}

TEST(VarintSource, AMalformedListFailsWithItsOffset) {
  const std::string eleven(11, '\x80');
  const VarintSource source(fresh(varints({1}) + eleven), 2, 4, VarintSource::Element::kInteger);
  EXPECT_EQ(read(source, 0, 4), std::string("\x01\x00\x00\x00", 4));
  std::string out(8, '\0');
  const Status status = source.read(0, {out.data(), out.size()});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "malformed-message");
  EXPECT_EQ(status.error().where.offset, 1U);
}

// A source that refuses its first read: the host was busy, or the person canceled.
class RefusingOnce final : public ByteSource {
 public:
  explicit RefusingOnce(std::string bytes) : bytes_(std::move(bytes)) {}
  const std::string& name() const override { return bytes_.name(); }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override {
    if (std::exchange(refuse_, false)) return failure("cancelled", "cancelled");
    return bytes_.read(offset, out);
  }

 private:
  MemorySource bytes_;
  mutable bool refuse_ = true;
};

TEST(VarintSource, AReadThatFailedCanBeTriedAgain) {
  const VarintSource source(whole(std::make_shared<RefusingOnce>(varints({1, 2}))), 2, 1,
                            VarintSource::Element::kInteger);
  EXPECT_EQ(read(source, 0, 2), "cancelled");
  EXPECT_EQ(read(source, 0, 2), "\x01\x02");
}

}  // namespace
}  // namespace cryo
