#include "tensor/python_tensor.h"

#include "tensor_protos.h"

namespace cryo {
namespace {

// The TensorProto that is made of plain content.
TensorProto made_of(DType dtype, const std::vector<int64_t>& dims, const std::string& content) {
  Payloads payloads;
  const auto skeleton = python_tensor(dtype, Shape{false, dims}, Splice(fresh(content)), payloads);
  TensorProto proto;
  if (!skeleton) return proto;
  const auto bytes = expand(*skeleton, message_schema("tensorflow.TensorProto"), payloads);
  EXPECT_TRUE(proto.ParseFromString(*bytes->read_all()));
  return proto;
}

TEST(PythonTensor, PutsManyElementsInTheContent) {
  const TensorProto two = made_of(DType::kInt8, {2}, "ab");
  EXPECT_EQ(two.tensor_content(), "ab");
  EXPECT_EQ(two.dtype(), tensorflow::DT_INT8);
  EXPECT_EQ(two.tensor_shape().dim(0).size(), 2);
  EXPECT_EQ(made_of(DType::kBfloat16, {2}, "abcd").tensor_content(), "abcd");
}

TEST(PythonTensor, PutsOneElementInTheListOfItsType) {
  const TensorProto one = made_of(DType::kFloat, {1, 1}, std::string("\0\0\x80\x3F", 4));
  EXPECT_EQ(one.tensor_content(), "");
  ASSERT_EQ(one.float_val_size(), 1);
  EXPECT_EQ(one.float_val(0), 1.0F);
  EXPECT_EQ(made_of(DType::kInt32, {}, std::string(4, '\xFF')).int_val(0), -1);
  EXPECT_EQ(made_of(DType::kHalf, {}, std::string("\0\x3C", 2)).half_val(0), 0x3C00);
  EXPECT_EQ(made_of(DType::kInt64, {}, std::string(8, '\xFF')).int64_val(0), -1);
  EXPECT_EQ(made_of(DType::kUint64, {}, std::string(8, '\xFF')).uint64_val(0), ~uint64_t{0});
}

TEST(PythonTensor, SomeTypesNeverGoInTheContent) {
  EXPECT_EQ(made_of(DType::kBool, {3}, std::string("\1\0\1", 3)).bool_val_size(), 3);
  EXPECT_EQ(made_of(DType::kUint16, {2}, std::string("\1\0\xFF\xFF", 4)).int_val(1), 0xFFFF);
  EXPECT_EQ(made_of(DType::kComplex64, {2}, std::string(16, '\0')).scomplex_val_size(), 4);
  EXPECT_EQ(made_of(DType::kComplex128, {2}, std::string(32, '\0')).dcomplex_val_size(), 4);
}

TEST(PythonTensor, WithoutElementsItHasNoValues) {
  const TensorProto none = made_of(DType::kUint16, {0}, "");
  EXPECT_EQ(none.int_val_size(), 0);
  EXPECT_EQ(none.tensor_shape().dim_size(), 1);
}

TEST(PythonTensor, ReadsNothingOfWhatItHangsOn) {
  const auto source = std::make_shared<CountingSource>(std::string(4000, 'x'), "data");
  Payloads payloads;
  EXPECT_TRUE(python_tensor(DType::kFloat, Shape{false, {1000}}, Splice(whole(source)), payloads));
  EXPECT_TRUE(python_tensor(DType::kBool, Shape{false, {4000}}, Splice(whole(source)), payloads));
  EXPECT_EQ(source->bytes_read(), 0U);
}

TEST(PythonTensor, RefusesContentOfAnotherSize) {
  Payloads payloads;
  const auto made =
      python_tensor(DType::kFloat, Shape{false, {2}}, Splice(fresh("abcd")), payloads);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "bad-tensor");
}

}  // namespace
}  // namespace cryo
