#include "tensor/shape.h"

#include <gtest/gtest.h>

#include <limits>

#include "proto/tensor.pb.h"

namespace cryo {
namespace {

constexpr int64_t kBig = int64_t{1} << 32;

std::string count_of(std::vector<int64_t> dims) {
  const Result<uint64_t> count = element_count({false, std::move(dims)});
  return count.ok() ? std::to_string(*count) : count.error().code;
}

TEST(Shapes, AreReadAndWrittenWithoutChange) {
  for (const Shape& shape : {Shape{}, Shape{true, {}}, Shape{false, {0}}, Shape{false, {-1, 3}},
                             Shape{false, {1, 2, kBig}}}) {
    const Result<Shape> read = read_shape(to_proto(shape));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, shape);
  }
}

TEST(Shapes, AreWrittenAsTensorFlowDoes) {
  EXPECT_EQ(shape_message({}), "");
  EXPECT_EQ(shape_message({false, {0, 3}}), std::string("\x12\x00\x12\x02\x08\x03", 6));
  EXPECT_EQ(shape_message({true, {}}), "\x18\x01");
}

TEST(Shapes, ThatTensorFlowRefusesAreBad) {
  tensorflow::TensorShapeProto below;
  below.add_dim()->set_size(-2);
  EXPECT_EQ(read_shape(below).error().code, "bad-shape");
  tensorflow::TensorShapeProto both;
  both.set_unknown_rank(true);
  both.add_dim()->set_size(1);
  EXPECT_EQ(read_shape(both).error().code, "bad-shape");
  tensorflow::TensorShapeProto many;
  for (int i = 0; i < kMaxDims; ++i) many.add_dim()->set_size(1);
  EXPECT_TRUE(read_shape(many).ok());
  many.add_dim()->set_size(1);
  EXPECT_EQ(read_shape(many).error().code, "bad-shape");
}

TEST(Shapes, CountTheirElements) {
  EXPECT_EQ(count_of({}), "1");
  EXPECT_EQ(count_of({2, 3, 4}), "24");
  EXPECT_EQ(count_of({2, 0, 4}), "0");
  EXPECT_EQ(count_of({std::numeric_limits<int64_t>::max()}), "9223372036854775807");
}

TEST(Shapes, WhoseProductOverflowsAreBadAlsoWithADimensionOf0) {
  EXPECT_EQ(count_of({kBig, kBig}), "bad-shape");
  EXPECT_EQ(count_of({kBig, kBig / 2}), "bad-shape");
  EXPECT_EQ(count_of({kBig, kBig / 4}), "4611686018427387904");
  EXPECT_EQ(count_of({0, kBig, kBig}), "bad-shape");
  EXPECT_EQ(count_of({kBig, kBig, 0}), "bad-shape");
}

TEST(Shapes, ThatAreNotFullyDefinedHaveNoCount) {
  EXPECT_EQ(count_of({2, -1}), "bad-shape");
  EXPECT_EQ(element_count({true, {}}).error().code, "bad-shape");
  EXPECT_TRUE(is_fully_defined({false, {2, 0}}));
  EXPECT_TRUE(is_fully_defined({}));
  EXPECT_FALSE(is_fully_defined({false, {2, -1}}));
  EXPECT_FALSE(is_fully_defined({true, {}}));
}

TEST(Shapes, AreTextAsTensorFlowPrintsThem) {
  EXPECT_EQ(to_text(Shape{}), "[]");
  EXPECT_EQ(to_text(Shape{false, {2, -1, 0}}), "[2,?,0]");
  EXPECT_EQ(to_text(Shape{true, {}}), "<unknown>");
}

}  // namespace
}  // namespace cryo
