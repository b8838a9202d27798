#include "tensor/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "files.h"

namespace cryo {
namespace {

Number number(DType dtype, const std::string& hex) { return number_at(dtype, unhex(hex).data()); }
double real(DType dtype, const std::string& hex) { return number(dtype, hex).real; }

TEST(Number, ReadsEveryKindOfPoint) {
  EXPECT_EQ(real(DType::kFloat, "0000C0BF"), -1.5);
  EXPECT_EQ(real(DType::kDouble, "000000000000F83F"), 1.5);
  EXPECT_EQ(real(DType::kHalf, "003E"), 1.5);
  EXPECT_EQ(real(DType::kHalf, "0100"), std::ldexp(1, -24));
  EXPECT_EQ(real(DType::kHalf, "00FC"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(real(DType::kBfloat16, "C03F"), 1.5);
  EXPECT_EQ(real(DType::kFloat8E5m2, "3E"), 1.5);
  EXPECT_EQ(real(DType::kFloat8E5m2, "7C"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(real(DType::kFloat8E4m3fn, "3C"), 1.5);
  EXPECT_EQ(real(DType::kFloat8E4m3fn, "7E"), 448);
  EXPECT_EQ(real(DType::kFloat8E4m3fnuz, "44"), 1.5);
  EXPECT_EQ(real(DType::kFloat8E4m3b11fnuz, "5C"), 1.5);
  EXPECT_EQ(real(DType::kFloat8E5m2fnuz, "42"), 1.5);
}

TEST(Number, KnowsWhatIsNone) {
  EXPECT_TRUE(is_nan(number(DType::kFloat, "0000C07F")));
  EXPECT_TRUE(is_nan(number(DType::kHalf, "007E")));
  EXPECT_TRUE(is_nan(number(DType::kBfloat16, "C07F")));
  EXPECT_TRUE(is_nan(number(DType::kFloat8E4m3fn, "7F")));
  EXPECT_TRUE(is_nan(number(DType::kFloat8E4m3fnuz, "80")));
  EXPECT_TRUE(is_nan(number(DType::kFloat8E5m2, "7D")));
  EXPECT_TRUE(is_nan(number(DType::kComplex64, "000000000000C07F")));
  EXPECT_FALSE(is_nan(number(DType::kInt8, "80")));
}

TEST(Distance, IsExactForWholeNumbers) {
  const Number least = number(DType::kInt64, "0000000000000080");
  const Number most = number(DType::kInt64, "FFFFFFFFFFFFFF7F");
  EXPECT_EQ(distance(least, most), std::ldexp(1, 64));
  EXPECT_EQ(distance(most, number(DType::kInt64, "FEFFFFFFFFFFFF7F")), 1);
  EXPECT_EQ(distance(number(DType::kUint64, "FFFFFFFFFFFFFFFF"),
                     number(DType::kUint64, "FDFFFFFFFFFFFFFF")),
            2);
  EXPECT_EQ(distance(number(DType::kInt8, "FF"), number(DType::kInt8, "01")), 2);
  EXPECT_EQ(distance(number(DType::kUint8, "FF"), number(DType::kUint8, "01")), 254);
  EXPECT_EQ(distance(number(DType::kQint8, "FF"), number(DType::kQint8, "01")), 2);
  EXPECT_EQ(distance(number(DType::kBool, "00"), number(DType::kBool, "01")), 1);
  EXPECT_EQ(distance(number(DType::kInt4, "F8"), number(DType::kInt4, "07")), 15);
}

TEST(Distance, OfComplexNumbersIsThatOfPoints) {
  EXPECT_EQ(distance(number(DType::kComplex64, "0000404000008040"),
                     number(DType::kComplex64, "0000000000000000")),
            5);
}

}  // namespace
}  // namespace cryo
