#include "passes/common/same_attr.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "wire/elide.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

std::string floats_as(const std::vector<float>& values, bool content) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_FLOAT);
  *tensor.mutable_tensor_shape() = to_proto(Shape{false, {4}});
  if (content) {
    tensor.set_tensor_content(
        std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4));
  } else {
    for (const float value : values) tensor.add_float_val(value);
  }
  return tensor_value(tensor.SerializeAsString());
}

bool same(const std::string& a, const std::string& b) {
  const Payloads none;
  return *same_attr(a, none, b, none);
}

TEST(SameAttr, ComparesTensorsByTheirElements) {
  EXPECT_TRUE(same(floats_as({1, 2, 2, 2}, true), floats_as({1, 2}, false)));
  EXPECT_FALSE(same(floats_as({1, 2, 2, 3}, true), floats_as({1, 2}, false)));
}

TEST(SameAttr, ComparesOthersAsTheirCanonicalMessages) {
  EXPECT_TRUE(same(type_value(1), type_value(1)));
  EXPECT_FALSE(same(type_value(1), type_value(2)));
  EXPECT_FALSE(same(type_value(1), string_value("x")));
  EXPECT_TRUE(same(func_value("f"), func_value("f")));
}

// Handles of two models say nothing of what they stand for.
TEST(SameAttr, ComparesBulkByItsBytes) {
  Payloads payloads_a;
  Payloads payloads_b;
  const auto with_bulk = [](Payloads& payloads, char fill) {
    tensorflow::TensorProto tensor;
    tensor.set_dtype(tensorflow::DT_FLOAT);
    *tensor.mutable_tensor_shape() = to_proto(Shape{false, {1000}});
    tensor.set_tensor_content(std::string(4000, fill));
    const std::string attr = tensor_value(tensor.SerializeAsString());
    return *elide(fresh(attr), message_schema("tensorflow.AttrValue"), payloads);
  };
  const std::string a = with_bulk(payloads_a, 'a');
  const std::string b = with_bulk(payloads_b, 'b');
  EXPECT_EQ(a, b);
  EXPECT_TRUE(holds_handles(a));
  EXPECT_FALSE(*same_attr(a, payloads_a, b, payloads_b));
  EXPECT_TRUE(*same_attr(a, payloads_a, b, payloads_a));
}

}  // namespace
}  // namespace cryo
