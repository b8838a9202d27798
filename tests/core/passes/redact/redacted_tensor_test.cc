#include "passes/redact/redacted_tensor.h"

#include "model/string_tensor.h"
#include "tensor_protos.h"

namespace cryo {
namespace {

class RedactedTensor : public testing::Test {
 protected:
  std::string redact(const Elided& elided, TensorRole role = TensorRole::kValue) {
    payloads = elided.payloads;
    const std::string made = redaction.proto(
        elided.skeleton, role,
        [](std::string_view bytes, std::string_view) { return std::string(bytes); });
    return made;
  }

  // The content of the tensor that is made.
  std::string content(const TensorProto& proto, TensorRole role = TensorRole::kValue) {
    const auto tensor = read_tensor(redact(Elided(proto), role), payloads);
    return tensor ? *tensor->content.read_all() : tensor.error().code;
  }

  std::vector<std::string> texts(const std::vector<std::string>& strings,
                                 TensorRole role = TensorRole::kValue) {
    TensorProto proto;
    proto.ParseFromString(string_vector(strings));
    const auto made = read_strings(redact(Elided(proto), role), payloads);
    return made ? *made : std::vector<std::string>{made.error().code};
  }

  NeutralNames names;
  Payloads payloads;
  TensorRedaction redaction{names, payloads};
};

TensorProto numbers(tensorflow::DataType dtype, int count, int bytes_each) {
  TensorProto proto;
  proto.set_dtype(dtype);
  proto.mutable_tensor_shape()->add_dim()->set_size(count);
  proto.set_tensor_content(std::string(static_cast<size_t>(count * bytes_each), '\1'));
  return proto;
}

TEST_F(RedactedTensor, HasOneZeroThatRepeats) {
  for (const int count : {1, 3, 1000}) {
    const auto size = static_cast<size_t>(count) * 4;
    EXPECT_EQ(content(numbers(tensorflow::DT_FLOAT, count, 4)), std::string(size, '\0'));
    EXPECT_LT(redact(Elided(numbers(tensorflow::DT_FLOAT, count, 4))).size(), 30U);
  }
  EXPECT_EQ(redaction.removed().tensors, 6U);
  EXPECT_EQ(content(numbers(tensorflow::DT_COMPLEX128, 2, 16)), std::string(32, '\0'));
  EXPECT_EQ(content(numbers(tensorflow::DT_UINT8, 2, 1)), std::string(2, '\0'));
  EXPECT_EQ(content(numbers(tensorflow::DT_FLOAT8_E5M2, 2, 1)), std::string(2, '\0'));
  EXPECT_EQ(content(numbers(tensorflow::DT_FLOAT, 0, 4)), "");
}

TEST_F(RedactedTensor, KeepsSmallWholeNumbers) {
  EXPECT_EQ(content(numbers(tensorflow::DT_INT32, 64, 4)), std::string(256, '\1'));
  EXPECT_EQ(content(numbers(tensorflow::DT_BOOL, 2, 1)), "\1\1");
  EXPECT_EQ(redaction.removed().tensors, 0U);
  EXPECT_EQ(content(numbers(tensorflow::DT_INT32, 65, 4)), std::string(260, '\0'));
  EXPECT_EQ(content(numbers(tensorflow::DT_INT16, 2, 2)), std::string(4, '\0'));
  EXPECT_EQ(content(numbers(tensorflow::DT_FLOAT, 1, 4), TensorRole::kNumber),
            std::string(4, '\1'));
}

// Surplus values and lists of other types are not part of the tensor.
TEST_F(RedactedTensor, HasNothingThatTheTensorHasNot) {
  TensorProto proto = numbers(tensorflow::DT_INT32, 2, 4);
  proto.clear_tensor_content();
  for (const int each : {1, 2, 77}) proto.add_int_val(each);
  proto.add_float_val(0.5);
  TensorProto made;
  made.ParseFromString(redact(Elided(proto)));
  EXPECT_EQ(made.float_val_size(), 0);
  EXPECT_EQ(content(proto), std::string("\1\0\0\0\2\0\0\0", 8));
}

TEST_F(RedactedTensor, HasNeutralTexts) {
  EXPECT_EQ(texts({"a text", "", "b", "a text"}), std::vector<std::string>({"n1", "", "n2", "n1"}));
  EXPECT_EQ(texts({"conv/w", "b"}, TensorRole::kNames), std::vector<std::string>({"n3/n4", "n2"}));
  EXPECT_EQ(texts({"10 20 0,5:0,20", "", "no slice"}, TensorRole::kSlices),
            std::vector<std::string>({"10 20 0,5:0,20", "", "n5 n6"}));
  TensorProto many;
  many.ParseFromString(string_vector(std::vector<std::string>(65, "text")));
  EXPECT_EQ(redact(Elided(many)).find("text"), std::string::npos);
  EXPECT_EQ(content(many).substr(0, 65), std::string(65, '\0'));
}

TEST_F(RedactedTensor, KeepsItsFault) {
  TensorProto longer = numbers(tensorflow::DT_FLOAT, 2, 4);
  longer.set_tensor_content("123456789");
  TensorProto boolean = numbers(tensorflow::DT_BOOL, 2, 1);
  boolean.set_tensor_content("\5\1");
  TensorProto strings = numbers(tensorflow::DT_STRING, 3, 1);
  strings.set_tensor_content("\2xx");
  TensorProto typeless = numbers(tensorflow::DT_INVALID, 2, 4);
  TensorProto bulky = numbers(tensorflow::DT_FLOAT, 2, 200);
  TensorProto shape = numbers(tensorflow::DT_FLOAT, -2, 0);
  shape.add_float_val(3);
  for (const TensorProto& each : {longer, boolean, strings, typeless, bulky, shape}) {
    const Elided elided(each);
    const auto before = elided.read();
    ASSERT_FALSE(before.ok());
    const std::string made = redact(elided);
    const auto after = read_tensor(made, payloads);
    ASSERT_FALSE(after.ok());
    EXPECT_EQ(before.error().code, after.error().code);
    EXPECT_EQ(stored_bytes(made, payloads), stored_bytes(elided.skeleton, elided.payloads));
    EXPECT_EQ(made.find("xx"), std::string::npos);
    EXPECT_EQ(made.find("1234"), std::string::npos);
  }
}

}  // namespace
}  // namespace cryo
