#include "tensor/number_text.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

std::string element(DType dtype, const std::string& text) {
  std::string bytes = "-";
  return append_number(dtype, text, bytes) ? bytes.substr(1) : "none";
}

TEST(NumberText, IsTheElementThatTensorsHold) {
  EXPECT_EQ(element(DType::kBool, "true"), "\1");
  EXPECT_EQ(element(DType::kInt8, "-128"), "\x80");
  EXPECT_EQ(element(DType::kUint16, "513"), "\1\2");
  EXPECT_EQ(element(DType::kInt64, "-1"), std::string(8, '\xFF'));
  EXPECT_EQ(element(DType::kFloat, "0.5"), std::string("\0\0\0\x3F", 4));
  EXPECT_EQ(element(DType::kDouble, "2"), std::string("\0\0\0\0\0\0\0\x40", 8));
}

TEST(NumberText, IsRefusedWhereTheTypeDoesNotHoldIt) {
  EXPECT_EQ(element(DType::kInt8, "128"), "none");
  EXPECT_EQ(element(DType::kUint8, "-1"), "none");
  EXPECT_EQ(element(DType::kInt32, "1.5"), "none");
  EXPECT_EQ(element(DType::kFloat, "1e60"), "none");
  EXPECT_EQ(element(DType::kFloat, " 1"), "none");
  EXPECT_EQ(element(DType::kDouble, ""), "none");
  EXPECT_EQ(element(DType::kBool, "yes"), "none");
  EXPECT_EQ(element(DType::kHalf, "65520"), "none");
  EXPECT_EQ(element(DType::kBfloat16, "3.4e38"), "none");
  EXPECT_FALSE(has_number_text(DType::kComplex64));
  EXPECT_FALSE(has_number_text(DType::kString));
}

// NumPy rounds to the same values.
TEST(NumberText, RoundsToTheNearestFloatOf16Bits) {
  EXPECT_EQ(element(DType::kHalf, "-1.5"), std::string("\0\xBE", 2));
  EXPECT_EQ(element(DType::kHalf, "65519"), "\xFF\x7B");
  EXPECT_EQ(element(DType::kHalf, "1.00048828125"), std::string("\0\x3C", 2));  // of two the even
  EXPECT_EQ(element(DType::kHalf, "1.00146484375"), "\2\x3C");
  EXPECT_EQ(element(DType::kHalf, "6e-8"), std::string("\1\0", 2));
  EXPECT_EQ(element(DType::kHalf, "6.103e-5"), std::string("\0\4", 2));  // up to a normal one
  EXPECT_EQ(element(DType::kHalf, "-0"), std::string("\0\x80", 2));
  EXPECT_EQ(element(DType::kBfloat16, "0.1"), "\xCD\x3D");
  EXPECT_EQ(element(DType::kBfloat16, "-1e-40"), std::string("\1\x80", 2));
}

// Rounded once: by way of a double this one would round twice, to the float below.
TEST(NumberText, RoundsToTheNearestFloat) {
  EXPECT_EQ(element(DType::kFloat, "1.00000017881393432617187499"),
            element(DType::kFloat, "1.0000001"));
}

}  // namespace
}  // namespace cryo
