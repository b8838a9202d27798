#include "wire/text/text_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "proto/tensor.pb.h"
#include "text_forms.h"

namespace cryo {
namespace {

TEST(TextValues, AreNumbersOfEveryKind) {
  const auto number = [](const std::string& field, const std::string& value) {
    tensorflow::TensorProto tensor;
    EXPECT_TRUE(tensor.ParseFromString(wire_of(cat(field, ": ", value), "TensorProto"))) << value;
    return tensor;
  };
  EXPECT_EQ(number("int_val", "-2147483648").int_val(0), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(number("int64_val", "-0x8000000000000000").int64_val(0),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(number("uint64_val", "18446744073709551615").uint64_val(0), ~uint64_t{0});
  EXPECT_EQ(number("uint32_val", "0777").uint32_val(0), 511U);
  EXPECT_EQ(number("bool_val", "[true, True, t, 1, false, False, f, 0]").bool_val_size(), 8);
  EXPECT_EQ(number("double_val", "0.1").double_val(0), 0.1);
  EXPECT_EQ(number("double_val", "18446744073709551616").double_val(0), 0x1p64);
  EXPECT_EQ(number("double_val", "1e400").double_val(0), INFINITY);
  EXPECT_EQ(number("float_val", "-InFinity").float_val(0), -INFINITY);
  EXPECT_EQ(number("float_val", "3.4028235677973366e+38").float_val(0),
            std::numeric_limits<float>::max());
  EXPECT_EQ(number("float_val", "3.5e38").float_val(0), INFINITY);
  EXPECT_TRUE(std::isnan(number("float_val", "NAN").float_val(0)));
  EXPECT_TRUE(std::signbit(number("float_val", "-0").float_val(0)));
  EXPECT_EQ(number("dtype", "-7").dtype(), -7);
}

TEST(TextValues, AreStringsWithEveryEscape) {
  const auto bytes = [](const std::string& literal) {
    tensorflow::TensorProto tensor;
    EXPECT_TRUE(tensor.ParseFromString(wire_of(cat("string_val: ", literal), "TensorProto")));
    return tensor.string_val(0);
  };
  EXPECT_EQ(bytes(R"("\a\b\f\n\r\t\v\\\?\'\"")"), "\a\b\f\n\r\t\v\\?'\"");
  EXPECT_EQ(bytes(R"('\0\018\1234\400\xfg\Xab"')"), std::string("\0\0018S4\0\x0fg\xab\"", 10));
  EXPECT_EQ(bytes(R"("\u00e9\u20ac\ud83d\ude00\U0001f600")"), "\u00e9\u20ac\U0001f600\U0001f600");
  EXPECT_EQ(bytes("\"\xFF\x80\""), "\xFF\x80");
}

}  // namespace
}  // namespace cryo
