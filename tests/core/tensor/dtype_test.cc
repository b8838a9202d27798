#include "tensor/dtype.h"

#include <gtest/gtest.h>

#include <climits>
#include <map>
#include <string>

#include "wire/schema.h"

namespace cryo {
namespace {

const EnumSchema& data_type() {
  return *message_schema("tensorflow.SerializedDType").find("datatype")->enumeration;
}

TEST(DTypes, AreThoseOfTheEnum) {
  size_t found = 0;
  for (const EnumValueSchema& value : data_type().values) {
    const DTypeInfo* info = find_dtype(value.number);
    if (value.number == 0) {
      EXPECT_EQ(info, nullptr);
      continue;
    }
    ASSERT_NE(info, nullptr) << value.name;
    EXPECT_EQ(static_cast<int>(info->dtype), value.number);
    EXPECT_EQ(find_dtype(info->name), info);
    ++found;
  }
  EXPECT_EQ(found, 64U);
}

TEST(DTypes, NumbersAndNamesThatTensorFlowDoesNotHaveAreNotFound) {
  for (const int number : {INT_MIN, -1, 0, 33, 99, 100, 133, 200, 232, INT_MAX}) {
    EXPECT_EQ(find_dtype(number), nullptr) << number;
  }
  for (const char* name : {"", "float", "invalid", "_ref", "float32_ref_ref", "FLOAT32"}) {
    EXPECT_EQ(find_dtype(name), nullptr) << name;
  }
}

TEST(DTypes, HaveTheSizeThatTheirNameSays) {
  const std::map<std::string, uint32_t> odd = {{"string", 0},
                                               {"resource", 0},
                                               {"variant", 0},
                                               {"bool", 1},
                                               {"int4", 1},
                                               {"uint4", 1},
                                               {"int2", 1},
                                               {"uint2", 1},
                                               {"float8_e5m2", 1},
                                               {"float8_e4m3fn", 1},
                                               {"float8_e4m3fnuz", 1},
                                               {"float8_e4m3b11fnuz", 1},
                                               {"float8_e5m2fnuz", 1}};
  for (int number = 1; number <= 32; ++number) {
    const DTypeInfo& info = *find_dtype(number);
    const std::string name(info.name);
    const auto found = odd.find(name);
    const auto bits = static_cast<uint32_t>(
        std::stoi("0" + name.substr(std::min(name.find_first_of("0123456789"), name.size()))));
    EXPECT_EQ(info.size, found != odd.end() ? found->second : bits / 8) << name;
  }
}

TEST(DTypes, TheTypedListIsTheFieldOfTensorProtoForThatType) {
  const MessageSchema& proto = message_schema("tensorflow.TensorProto");
  const std::map<std::string, std::string> lists = {
      {"float32", "float_val"},      {"float64", "double_val"},
      {"complex64", "scomplex_val"}, {"complex128", "dcomplex_val"},
      {"string", "string_val"},      {"bool", "bool_val"},
      {"int64", "int64_val"},        {"uint32", "uint32_val"},
      {"uint64", "uint64_val"},      {"float16", "half_val"},
      {"bfloat16", "half_val"},      {"resource", "resource_handle_val"},
      {"variant", "variant_val"}};
  for (int number = 1; number <= 32; ++number) {
    const DTypeInfo& info = *find_dtype(number);
    const auto found = lists.find(std::string(info.name));
    const bool float8 = info.name.substr(0, 6) == "float8";
    EXPECT_EQ(proto.find(info.field)->name, found != lists.end() ? found->second
                                            : float8             ? "float8_val"
                                                                 : "int_val")
        << info.name;
  }
}

TEST(DTypes, ARefTypeIsItsBaseTypePlus100) {
  for (int number = 1; number <= 32; ++number) {
    const auto dtype = static_cast<DType>(number);
    EXPECT_FALSE(is_ref(dtype));
    EXPECT_TRUE(is_ref(make_ref(dtype)));
    EXPECT_EQ(static_cast<int>(make_ref(dtype)), number + 100);
    EXPECT_EQ(make_ref(make_ref(dtype)), make_ref(dtype));
    EXPECT_EQ(base(make_ref(dtype)), dtype);
    EXPECT_EQ(base(dtype), dtype);
    EXPECT_EQ(dtype_name(make_ref(dtype)), dtype_name(dtype) + "_ref");
    EXPECT_EQ(find_dtype(make_ref(dtype))->size, find_dtype(dtype)->size);
  }
}

TEST(DTypes, AreNamedAsPythonPrintsThem) {
  EXPECT_EQ(dtype_name(DType::kFloat), "float32");
  EXPECT_EQ(dtype_name(DType::kHalf), "float16");
  EXPECT_EQ(dtype_name(DType::kFloat8E4m3b11fnuz), "float8_e4m3b11fnuz");
  EXPECT_EQ(dtype_name(make_ref(DType::kQuint16)), "quint16_ref");
  EXPECT_EQ(dtype_name(DType::kInvalid), "invalid");
  EXPECT_EQ(dtype_name(static_cast<DType>(77)), "unknown type 77");
}

}  // namespace
}  // namespace cryo
