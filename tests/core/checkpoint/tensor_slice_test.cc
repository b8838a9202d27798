#include "checkpoint/tensor_slice.h"

#include <gtest/gtest.h>

#include <limits>

#include "files.h"

namespace cryo {
namespace {

// The ordered code of a number: what is between a key's rank and its length, here 0 (80).
std::string code(int64_t start) {
  const std::string key = slice_key("", std::vector<Extent>{{start, 0}});
  return key.substr(5, key.size() - 6);
}

TEST(SliceKey, EqualsTensorFlowsVectors) {
  EXPECT_EQ(slice_key("v", std::vector<Extent>{{0, 2}}), unhex("00 76 0001 0101 80 82"));
  EXPECT_EQ(slice_key("v", std::vector<Extent>{{2, 2}}), unhex("00 76 0001 0101 82 82"));
  EXPECT_EQ(slice_key("emb/part", std::vector<Extent>{{0, 500}, {0, 64}}),
            unhex("00 656D622F70617274 0001 0102 80 C1F4 80 C040"));
  EXPECT_EQ(slice_key("w", std::vector<Extent>{{}, {}}), unhex("00 77 0001 0102 807F 807F"));
  EXPECT_EQ(slice_key("a", {}), unhex("00 61 0001 00"));
  EXPECT_EQ(slice_key(std::string("\0x\xFF", 3), {}), unhex("00 00FF 78 FF00 0001 00"));
}

TEST(SliceKey, HoldsNumbersInTensorFlowsOrderedCode) {
  const std::vector<std::pair<int64_t, const char*>> vectors = {
      {0, "80"},
      {1, "81"},
      {63, "BF"},
      {64, "C040"},
      {100, "C064"},
      {8191, "DFFF"},
      {8192, "E02000"},
      {1048575, "EFFFFF"},
      {1048576, "F0100000"},
      {int64_t{1} << 31, "F880000000"},
      {-1, "7F"},
      {-64, "40"},
      {-65, "3FBF"},
      {-8192, "2000"},
      {-8193, "1FDFFF"},
      {std::numeric_limits<int64_t>::max(), "FFC07FFFFFFFFFFFFFFF"},
      {std::numeric_limits<int64_t>::min(), "003F8000000000000000"}};
  for (const auto& [value, hex] : vectors) EXPECT_EQ(code(value), unhex(hex)) << value;
}

TEST(SliceKey, SortsAsItsNumbersDo) {
  std::string last = code(std::numeric_limits<int64_t>::min());
  for (int64_t value = -70'000'000; value < 70'000'000; value += 9'973) {
    const std::string next = code(value);
    ASSERT_LT(last, next) << value;
    last = next;
  }
}

TEST(Slice, IsABoxOnlyInsideItsTensor) {
  const std::vector<uint64_t> dims = {4, 6};
  const std::optional<Box> box = resolve(std::vector<Extent>{{1, 3}, {}}, dims);
  ASSERT_TRUE(box);
  EXPECT_EQ((*box)[0].start, 1U);
  EXPECT_EQ((*box)[0].size, 3U);
  EXPECT_EQ((*box)[1].size, 6U);
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(resolve(std::vector<Extent>{{2, 3}, {}}, dims));
  EXPECT_FALSE(resolve(std::vector<Extent>{{-1, 3}, {}}, dims));
  EXPECT_FALSE(resolve(std::vector<Extent>{{1, -3}, {}}, dims));
  EXPECT_FALSE(resolve(std::vector<Extent>{{most, most}, {}}, dims));
  EXPECT_FALSE(resolve(std::vector<Extent>{{1, {}}, {}}, dims));
  EXPECT_FALSE(resolve(std::vector<Extent>{{0, 4}}, dims));
}

TEST(Slices, TileATensorOnlyWithoutGapAndOverlap) {
  const std::vector<uint64_t> dims = {4, 6};
  EXPECT_TRUE(tile({{{0, 4}, {0, 6}}}, dims));
  EXPECT_TRUE(tile({{{2, 2}, {0, 6}}, {{0, 2}, {4, 2}}, {{0, 2}, {0, 4}}}, dims));
  EXPECT_FALSE(tile({{{0, 2}, {0, 6}}}, dims));
  EXPECT_FALSE(tile({{{0, 2}, {0, 6}}, {{0, 2}, {0, 6}}}, dims));
  EXPECT_FALSE(tile({{{0, 3}, {0, 4}}, {{1, 3}, {2, 4}}}, dims));
  EXPECT_FALSE(tile({}, dims));
  EXPECT_TRUE(tile({}, std::vector<uint64_t>{0, 6}));
}

}  // namespace
}  // namespace cryo
