#include "checkpoint/join_slices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "checkpoint/strided_runs.h"
#include "counting_source.h"

namespace cryo {
namespace {

using Dims = std::vector<uint64_t>;

// A whole tensor, each byte determined by its offset.
std::string make_whole(uint64_t size) {
  std::string bytes;
  for (uint64_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 2654435761U >> 11);
  return bytes;
}

// Calls `visit` with the place (in elements) of each element of the box, in row-major order.
template <typename Visit>
void for_each_place(const Dims& dims, const Box& box, Visit visit, size_t d = 0,
                    uint64_t place = 0) {
  if (d == dims.size()) return visit(place);
  for (uint64_t i = 0; i < box[d].size; ++i) {
    for_each_place(dims, box, visit, d + 1, place * dims[d] + box[d].start + i);
  }
}

// Returns the slice that a saver would write of the box.
StoredSlice cut(const std::string& whole, const Dims& dims, uint64_t element_size, const Box& box) {
  std::string bytes = "before";
  for_each_place(dims, box, [&](uint64_t place) {
    bytes +=
        whole.substr(static_cast<size_t>(place * element_size), static_cast<size_t>(element_size));
  });
  const uint64_t size = bytes.size() - 6;
  bytes += "after";
  return {box, {std::make_shared<MemorySource>(bytes), 6, size}};
}

// Cuts the box in two, again and again.
void split_box(const Box& box, int depth, std::mt19937& random, std::vector<Box>& boxes) {
  const size_t d = random() % box.size();
  if (depth == 0 || box[d].size < 2) return boxes.push_back(box);
  Box low = box;
  Box high = box;
  low[d].size = 1 + random() % (box[d].size - 1);
  high[d] = {box[d].start + low[d].size, box[d].size - low[d].size};
  split_box(low, depth - 1, random, boxes);
  split_box(high, depth - 1, random, boxes);
}

TEST(JoinedSlices, OfAnyTilingAreTheWhole) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    Dims dims;
    Box all;
    uint64_t size = 1 + random() % 4;
    const uint64_t element_size = size;
    for (size_t rank = 1 + random() % 4; rank > 0; --rank) {
      dims.push_back(1 + random() % 7);
      all.push_back({0, dims.back()});
      size *= dims.back();
    }
    std::vector<Box> boxes;
    split_box(all, 4, random, boxes);
    std::shuffle(boxes.begin(), boxes.end(), random);
    ASSERT_TRUE(tile(boxes, dims));
    const std::string whole = make_whole(size);
    std::vector<StoredSlice> slices;
    for (const Box& box : boxes) slices.push_back(cut(whole, dims, element_size, box));
    const Result<std::string> joined = join_slices(dims, element_size, slices).read_all();
    ASSERT_TRUE(joined.ok());
    ASSERT_EQ(*joined, whole);
  }
}

TEST(JoinedSlices, AlongTheFirstAxisFollowOneAnother) {
  const Dims dims = {5, 3};
  const std::string whole = make_whole(60);
  const std::vector<StoredSlice> slices = {cut(whole, dims, 4, {{3, 2}, {0, 3}}),
                                           cut(whole, dims, 4, {{0, 3}, {0, 3}})};
  const Splice joined = join_slices(dims, 4, slices);
  ASSERT_EQ(joined.pieces().size(), 2U);
  EXPECT_EQ(joined.pieces()[0].source, slices[1].bytes.source);
  EXPECT_EQ(joined.pieces()[1].source, slices[0].bytes.source);
}

TEST(JoinedSlices, OfVeryManyStripsAreOnePieceWithTheSameBytes) {
  const Dims dims = {kMaxStrips, 5};
  const uint64_t size = 5 * 2 * kMaxStrips;
  const std::string whole = make_whole(size);
  const std::vector<StoredSlice> slices = {cut(whole, dims, 2, {{0, dims[0]}, {0, 2}}),
                                           cut(whole, dims, 2, {{0, dims[0]}, {2, 1}}),
                                           cut(whole, dims, 2, {{0, 1000}, {3, 2}}),
                                           cut(whole, dims, 2, {{1000, dims[0] - 1000}, {3, 2}})};
  const Splice joined = join_slices(dims, 2, slices);
  ASSERT_EQ(joined.pieces().size(), 1U);
  ASSERT_EQ(joined.size(), size);
  const Result<std::string> all = joined.read_all();
  ASSERT_TRUE(all.ok());
  EXPECT_TRUE(*all == whole);
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const size_t offset = random() % size;
    const size_t length = 1 + random() % std::min<size_t>(size - offset, 60);
    const Result<std::string> some = joined.sub(offset, length).read_all();
    ASSERT_TRUE(some.ok());
    ASSERT_EQ(*some, whole.substr(offset, length)) << offset << " " << length;
  }
}

TEST(JoinedSlices, ReadEachByteOfTheirSlicesOnce) {
  const Dims dims = {kMaxStrips, 7};
  const uint64_t size = 7 * kMaxStrips;
  std::vector<StoredSlice> slices = {{{{0, dims[0]}, {0, 3}}, {}}, {{{0, dims[0]}, {3, 4}}, {}}};
  std::vector<std::shared_ptr<const CountingSource>> sources;
  for (StoredSlice& slice : slices) {
    const uint64_t bytes = dims[0] * slice.box[1].size;
    sources.push_back(std::make_shared<CountingSource>(std::string(bytes, 'x'), "slice"));
    slice.bytes = {sources.back(), 0, bytes};
  }
  const Splice joined = join_slices(dims, 1, slices);
  for (uint64_t at = 0; at < size; at += 1000) {
    ASSERT_TRUE(joined.sub(at, std::min<uint64_t>(1000, size - at)).read_all().ok());
  }
  for (const auto& source : sources) EXPECT_EQ(source->bytes_read(), source->size());
}

TEST(JoinedSlices, OfNoElementsAreNoBytes) {
  EXPECT_EQ(join_slices(Dims{0, 4}, 4, {}).size(), 0U);
  EXPECT_EQ(join_slices(Dims{3, 0}, 4, {cut("", {3, 0}, 4, {{0, 3}, {0, 0}})}).size(), 0U);
}

}  // namespace
}  // namespace cryo
