#include "passes/tf_compat/retyped_function.h"

#include "functions.h"

namespace cryo {
namespace {

using Names = std::map<std::string, std::string>;

Function function_of(const std::string& bytes) { return {bytes, "f"}; }

tensorflow::FunctionDef parsed(const Result<std::string>& bytes) {
  tensorflow::FunctionDef def;
  EXPECT_TRUE(bytes && def.ParseFromString(*bytes));
  return def;
}

TEST(RetypedFunction, HasOtherTypesAndAnotherBody) {
  const std::string old =
      body("f", {{"i", kFloat32}, {"w", kResource}},
           {{"o", kFloat32, "mul:z:0"}, {"w_out", kResource, "w"}}, {read_of("read", "w")})
          .SerializeAsString();
  const Retyping retyping{
      "f_frozen_0", {{1, DType::kHalf}}, {{1, DType::kHalf}}, {node("new", "NoOp")}};
  const auto made = parsed(retyped_function(function_of(old), retyping));
  EXPECT_EQ(made.signature().name(), "f_frozen_0");
  EXPECT_EQ(made.signature().input_arg(0).type(), tensorflow::DT_FLOAT);
  EXPECT_EQ(made.signature().input_arg(1).type(), tensorflow::DT_HALF);
  EXPECT_EQ(made.signature().input_arg(1).name(), "w");
  EXPECT_EQ(made.signature().output_arg(0).type(), tensorflow::DT_FLOAT);
  EXPECT_EQ(made.signature().output_arg(1).type(), tensorflow::DT_HALF);
  ASSERT_EQ(made.node_def_size(), 1);
  EXPECT_EQ(made.node_def(0).name(), "new");
  EXPECT_EQ(made.ret_size(), 2);
}

// An attribute with a list of two shapes, [3] and [].
tensorflow::AttrValue two_shapes() {
  tensorflow::AttrValue value;
  value.mutable_list()->add_shape()->add_dim()->set_size(3);
  value.mutable_list()->add_shape();
  return value;
}

TEST(RetypedFunction, ForgetsTheShapesOfWhatItRetypes) {
  auto def = body("f", {{"i", kFloat32}, {"w", kResource}}, {}, {});
  for (const char* name : {"_input_shapes", "kept"}) {
    auto& attr = *def.add_attr();
    attr.set_key(name);
    *attr.mutable_value() = two_shapes();
  }
  auto& of_arg = *def.add_arg_attr();
  of_arg.set_key(1);
  auto& attr = *of_arg.mutable_value()->add_attr();
  attr.set_key("_output_shapes");
  *attr.mutable_value() = two_shapes();
  const std::string old = def.SerializeAsString();
  const auto made = parsed(retyped_function(function_of(old), {"g", {{1, DType::kFloat}}, {}, {}}));
  for (const auto& each : made.attr()) {
    EXPECT_EQ(each.value().list().shape(0).dim(0).size(), 3);
    EXPECT_EQ(each.value().list().shape(1).unknown_rank(), each.key() == "_input_shapes");
  }
  const auto& shape = made.arg_attr(0).value().attr(0).value().list().shape(0);
  EXPECT_TRUE(shape.unknown_rank());
  EXPECT_EQ(shape.dim_size(), 0);
}

TEST(RetypedFunction, FailsWhereThereAreTooFewShapes) {
  auto def = body("f", {{"w", kResource}}, {}, {});
  def.add_attr()->set_key("_input_shapes");
  const std::string old = def.SerializeAsString();
  const auto made = retyped_function(function_of(old), {"g", {{0, DType::kFloat}}, {}, {}});
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "tensorflow-fails");
}

TEST(FrozenNames, CountFromZeroInTheOrderOfTheOldNumbers) {
  EXPECT_EQ(frozen_names({"b_10", "a_9", "c", "a_10", "d_x"}, {}), (Names{{"c", "c_frozen_0"},
                                                                          {"d_x", "d_x_frozen_1"},
                                                                          {"a_9", "a_frozen_2"},
                                                                          {"a_10", "a_frozen_3"},
                                                                          {"b_10", "b_frozen_4"}}));
  EXPECT_EQ(frozen_names({"f"}, {{"", "f_frozen_0"}}), (Names{{"f", "f_frozen_1"}}));
}

}  // namespace
}  // namespace cryo
