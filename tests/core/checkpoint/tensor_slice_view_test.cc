#include "checkpoint/tensor_slice_view.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "checkpoint/strided_runs.h"
#include "counting_source.h"
#include "graphs.h"

namespace cryo {
namespace {

// A tensor of bytes that count up.
Tensor tensor(const std::vector<int64_t>& dims) {
  const Shape shape{false, dims};
  const uint64_t count = *element_count(shape);
  std::string bytes(static_cast<size_t>(count), '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
  return {DType::kUint8, shape, count, Splice(fresh(std::move(bytes)))};
}

std::vector<int> values(const Tensor& whole, const std::string& specification) {
  const auto part = sub_box(whole, specification);
  if (!part) return {-1};
  EXPECT_EQ(part->count, part->content.size());
  EXPECT_EQ(part->count, *element_count(part->shape));
  const std::string bytes = *part->content.read_all();
  return {bytes.begin(), bytes.end()};
}

TEST(SubBox, IsThePartThatTheSpecificationNames) {
  const Tensor matrix = tensor({3, 4});
  EXPECT_EQ(values(matrix, "3 4 1,1:-"), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_EQ(values(matrix, "3 4 -:1,2"), (std::vector<int>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(values(matrix, "3 4 0,2:3,1"), (std::vector<int>{3, 7}));
  EXPECT_EQ(values(tensor({5}), "5 2,2"), (std::vector<int>{2, 3}));
}

TEST(SubBox, OfWholeRowsIsOnePiece) {
  EXPECT_EQ(sub_box(tensor({4, 5, 2}), "4 5 2 1,2:-:-")->content.pieces().size(), 1U);
}

TEST(SubBox, AgreesWithItsDefinition) {
  const Tensor cube = tensor({3, 4, 5});
  for (const int start : {0, 1, 2}) {
    std::vector<int> expected;
    for (int a = start; a < 3; ++a) {
      for (int b = 1; b < 3; ++b) {
        for (int c = start; c < start + 2; ++c) expected.push_back((a * 4 + b) * 5 + c);
      }
    }
    const std::string box = cat("3 4 5 ", start, ",", 3 - start, ":1,2:", start, ",2");
    EXPECT_EQ(values(cube, box), expected) << box;
  }
}

// Columns 1 and 2 of [rows, 2, columns] bytes that come from `row * 7 + column`, in pieces of
// `step`.
void expect_columns(uint64_t rows, uint64_t columns, size_t step) {
  std::string bytes;
  std::string expected;
  for (uint64_t row = 0; row < 2 * rows; ++row) {
    for (uint64_t column = 0; column < columns; ++column) {
      bytes += static_cast<char>(row * 7 + column);
      if (column == 1 || column == 2) expected += bytes.back();
    }
  }
  const auto source = std::make_shared<CountingSource>(bytes, "data");
  const Shape shape{false, {static_cast<int64_t>(rows), 2, static_cast<int64_t>(columns)}};
  const Tensor whole_tensor{DType::kUint8, shape, bytes.size(), Splice(whole(source))};
  const auto part = sub_box(whole_tensor, cat(rows, " 2 ", columns, " -:-:1,2"));
  ASSERT_TRUE(part.ok());
  ASSERT_EQ(part->content.pieces().size(), 1U);
  EXPECT_EQ(source->bytes_read(), 0U);
  const Slice piece = part->content.pieces()[0];
  ASSERT_EQ(piece.size, expected.size());
  std::string found(expected.size(), '\0');
  for (size_t at = 0; at < found.size(); at += step) {
    const size_t size = std::min(step, found.size() - at);
    ASSERT_TRUE(piece.source->read(piece.offset + at, std::span(found).subspan(at, size)).ok());
  }
  EXPECT_TRUE(found == expected);
  EXPECT_LE(source->bytes_read(), bytes.size() + found.size());
}

TEST(SubBox, OfVeryManyStripsIsOnePieceThatIsPickedOutAsItIsRead) {
  expect_columns(kMaxStrips / 2 + 1, 4, 1 << 20);
  expect_columns(kMaxStrips / 2 + 1, 5, 1001);
  expect_columns(kMaxStrips / 2 + 1, 3, 77777);
}

TEST(SubBox, ThatDoesNotFitIsRefused) {
  for (const char* text : {"", "3", "3 4", "4 3 -:-", "3 4 -", "3 4 -:-:-", "3 4 0,4:-",
                           "3 4 2,2:-", "3 4 -1,1:-", "3 4 a,1:-", "3 4 0,-1:-", "3 4 0:1",
                           "3 4  -:-", "3 4 9223372036854775807,9223372036854775807:-"}) {
    const auto part = sub_box(tensor({3, 4}), text);
    ASSERT_FALSE(part.ok()) << text;
    EXPECT_EQ(part.error().code, "bad-slice");
  }
  Tensor strings = tensor({1});
  strings.dtype = DType::kString;
  EXPECT_FALSE(sub_box(strings, "1 0,1").ok());
}

// A tensor without elements may be as long as it likes in one direction.
TEST(SubBox, OfNothingComesSoon) {
  const Tensor empty = tensor({int64_t{1} << 60, 0, 5});
  const auto part = sub_box(empty, "1152921504606846976 0 5 -:-:0,2");
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->content.size(), 0U);
  EXPECT_EQ(part->count, 0U);
  EXPECT_EQ(part->shape.dims, (std::vector<int64_t>{int64_t{1} << 60, 0, 2}));
}

}  // namespace
}  // namespace cryo
