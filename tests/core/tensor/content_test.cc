#include "tensor/content.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tensor_protos.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

TEST(ReadTensor, TensorContentIsItsPlainContentForEveryFixedType) {
  for (const DType dtype : fixed_types()) {
    for (const int64_t count : {1, 3, 1000}) {
      SCOPED_TRACE(dtype_name(dtype));
      TensorProto proto = proto_of(dtype, {count});
      const std::string bytes =
          dtype == DType::kBool
              ? std::string(static_cast<size_t>(count), '\1')
              : counting_bytes(static_cast<size_t>(count) * find_dtype(dtype)->size);
      proto.set_tensor_content(bytes);
      const Elided elided(proto);
      const Result<Tensor> tensor = elided.read();
      EXPECT_EQ(elided.bytes_read(), 0U);
      ASSERT_EQ(plain(tensor), bytes);
      EXPECT_EQ(tensor->dtype, dtype);
      EXPECT_EQ(tensor->shape.dims, std::vector<int64_t>{count});
      EXPECT_EQ(tensor->count, static_cast<uint64_t>(count));
    }
  }
}

TEST(ReadTensor, ALongTensorContentIsTheFilesOwnSlice) {
  TensorProto proto = proto_of(DType::kFloat, {100});
  proto.set_tensor_content(counting_bytes(400));
  const Elided elided(proto);
  const Result<Tensor> tensor = elided.read();
  ASSERT_TRUE(tensor.ok());
  ASSERT_EQ(tensor->content.pieces().size(), 1U);
  EXPECT_EQ(tensor->content.pieces()[0].source, elided.source);
  EXPECT_EQ(tensor->content.pieces()[0].offset, elided.source->size() - 400);
}

TEST(ReadTensor, FieldsOfAnotherWireTypeAreUnknownFields) {
  std::string bytes("\x08\x01\x12\x00", 4);
  put_varint_field(bytes, 5, 7);              // float_val as a varint
  bytes += std::string("\x0D\x02\0\0\0", 5);  // dtype as a fixed32
  EXPECT_EQ(plain(Elided(bytes).read()), raw({0.0F}));
}

TEST(ReadTensor, TensorContentGoesBeforeTypedLists) {
  TensorProto proto = proto_of(DType::kInt32, {1});
  proto.add_int_val(5);
  proto.set_tensor_content(raw({6}));
  EXPECT_EQ(plain(Elided(proto).read()), raw({6}));
}

TEST(ReadTensor, RepeatedFieldsFollowProtobuf) {
  TensorProto first = proto_of(DType::kInt32, {2});
  first.set_tensor_content(raw({1, 2, 3}));
  TensorProto second = proto_of(DType::kFloat, {3});
  second.set_tensor_content(counting_bytes(24));
  // The last dtype and content count, shapes are merged: [2] and [3] are [2,3].
  const Result<Tensor> tensor =
      Elided(first.SerializeAsString() + second.SerializeAsString()).read();
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->dtype, DType::kFloat);
  EXPECT_EQ(to_text(tensor->shape), "[2,3]");
  EXPECT_EQ(plain(tensor), counting_bytes(24));
}

TEST(ReadTensor, WithoutElementsContentsAreIgnored) {
  for (const DType dtype : fixed_types()) {
    TensorProto proto = proto_of(dtype, {3, 0});
    proto.set_tensor_content("anything");
    EXPECT_EQ(plain(Elided(proto).read()), "");
  }
}

TEST(ReadTensor, TooManyBytesToCountAreRefused) {
  for (const DType dtype : {DType::kDouble, DType::kComplex128}) {
    TensorProto proto = proto_of(dtype, {std::numeric_limits<int64_t>::max()});
    EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
  }
  TensorProto proto = proto_of(DType::kString, {std::numeric_limits<int64_t>::max()});
  proto.add_string_val("a");
  EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
}

TEST(ReadTensor, FaultsSayWhatWasExpectedAndFound) {
  TensorProto proto = proto_of(DType::kFloat, {100});
  proto.set_tensor_content(counting_bytes(399));
  const Result<Tensor> tensor = Elided(proto).read();
  ASSERT_FALSE(tensor.ok());
  EXPECT_EQ(tensor.error().code, "bad-tensor");
  EXPECT_EQ(tensor.error().message, "expected 400 bytes of content for float32 [100]; found 399");
  EXPECT_EQ(tensor.error().where.file, "weights.pb");
}

TEST(ReadTensor, TypesWithoutAValueAreRefused) {
  for (const int number : {0, 33, 77, 101, 107, -5}) {
    EXPECT_EQ(code_of(Elided(proto_of(static_cast<DType>(number), {})).read()), "bad-dtype")
        << number;
  }
  for (const DType dtype : {DType::kResource, DType::kVariant}) {
    EXPECT_EQ(code_of(Elided(proto_of(dtype, {})).read()), "unsupported-dtype");
  }
}

TEST(ReadTensor, ShapesMustBeFullyDefined) {
  EXPECT_EQ(code_of(Elided(proto_of(DType::kFloat, {-1})).read()), "bad-shape");
  EXPECT_EQ(code_of(Elided(proto_of(DType::kFloat, {-2})).read()), "bad-shape");
  // TensorFlow does not look at unknown_rank here.
  TensorProto proto = proto_of(DType::kFloat, {});
  proto.mutable_tensor_shape()->set_unknown_rank(true);
  proto.add_float_val(1);
  EXPECT_EQ(plain(Elided(proto).read()), raw({1.0F}));
}

TEST(ReadTensor, BoolsInTensorContentAre0Or1) {
  TensorProto proto = proto_of(DType::kBool, {2});
  proto.set_tensor_content(std::string("\x01\x02", 2));
  EXPECT_EQ(code_of(Elided(proto).read()), "bad-tensor");
}

TEST(ReadTensor, MalformedMessagesAreRefused) {
  const std::string head = "\x08\x01\x12\x04\x12\x02\x08\x02";
  std::string odd = head;
  put_bytes_field(odd, 5, "12345");
  EXPECT_EQ(code_of(read_tensor(odd, Payloads())), "malformed-message");
  std::string open = "\x08\x03\x12\x04\x12\x02\x08\x02";
  put_bytes_field(open, 7, "\x01\x80");
  EXPECT_EQ(code_of(read_tensor(open, Payloads())), "malformed-message");
  std::string bulk = "\x08\x03\x12\x04\x12\x02\x08\x02";
  put_bytes_field(bulk, 7, std::string(300, '\x01') + "\x80");
  EXPECT_EQ(code_of(Elided(bulk).read()), "malformed-message");
  EXPECT_EQ(code_of(read_tensor("\x08", Payloads())), "malformed-message");
  EXPECT_EQ(code_of(read_tensor("\x08\x01\x12\x02\xFF\xFF", Payloads())), "malformed-message");
}

TEST(ConstTensor, HangsTheContentOnItsSlicesUnreadForEveryFixedType) {
  for (const DType dtype : fixed_types()) {
    for (const int64_t count : {0, 1, 500}) {
      const std::string bytes =
          counting_bytes(static_cast<size_t>(count) * find_dtype(dtype)->size);
      const auto source = std::make_shared<CountingSource>(bytes, "weights");
      Payloads payloads;
      const auto skeleton = const_tensor(dtype, {false, {count}}, Splice(whole(source)), payloads);
      ASSERT_TRUE(skeleton.ok());
      EXPECT_EQ(source->bytes_read(), 0U);
      EXPECT_EQ(payloads.size(), count > 0 ? 1U : 0U);
      const TensorProto proto = expanded(*skeleton, payloads);
      EXPECT_EQ(proto.dtype(), static_cast<int>(dtype));
      EXPECT_TRUE(proto.has_tensor_shape());
      EXPECT_EQ(proto.tensor_content(), bytes);
      if (dtype == DType::kBool) continue;  // the bytes are not bools
      EXPECT_EQ(plain(read_tensor(*skeleton, payloads)), bytes);
    }
  }
}

TEST(ConstTensor, ContentOfAnotherSizeIsRefused) {
  Payloads payloads;
  const Shape two{false, {2}};
  const auto code = [&](DType dtype, const Shape& shape, const std::string& content) {
    return code_of(const_tensor(dtype, shape, Splice(fresh(content)), payloads));
  };
  EXPECT_EQ(code(DType::kFloat, two, "1234567"), "bad-tensor");
  EXPECT_EQ(code(DType::kFloat, {false, {0}}, "1"), "bad-tensor");
  EXPECT_EQ(code(DType::kFloat, {false, {-1}}, "1234"), "bad-shape");
  EXPECT_EQ(code(make_ref(DType::kFloat), two, "12345678"), "bad-dtype");
  EXPECT_EQ(code(DType::kVariant, two, ""), "unsupported-dtype");
  EXPECT_EQ(code(DType::kString, two, ""), "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "1234a"),
            "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "1234abc"),
            "bad-tensor");
  EXPECT_EQ(code(DType::kString, two,
                 "\x01\x01"
                 "12"),
            "bad-tensor");
}

}  // namespace
}  // namespace cryo
