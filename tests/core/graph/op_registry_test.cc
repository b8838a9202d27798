#include "graph/op_registry.h"

#include "checked.h"
#include "graph/node_types.h"
#include "native/embedded_ops.h"

namespace cryo {
namespace {

TEST(OpRegistry, KnowsEveryOpOfTheRelease) {
  EXPECT_GT(ops().size(), 1900U);
  EXPECT_EQ(ops().tensorflow_version(), "2.21.0");
  EXPECT_EQ(ops().graph_version(), 2474);
  ASSERT_NE(ops().find("MatMul"), nullptr);
  EXPECT_EQ(summary(*ops().find("MatMul")), "Op<name=MatMul; signature=a:T, b:T -> product:T>");
  EXPECT_EQ(ops().find("matmul"), nullptr);
  EXPECT_EQ(ops().find(""), nullptr);
}

TEST(OpRegistry, ReadsArgumentsAttributesAndDeprecation) {
  const OpDef& assign = *ops().find("Assign");
  EXPECT_TRUE(assign.inputs[0].is_ref);
  EXPECT_FALSE(assign.inputs[1].is_ref);
  const OpDef& sum = *ops().find("AddN");
  EXPECT_EQ(sum.attrs[static_cast<size_t>(sum.inputs[0].number_attr)].name, "N");
  EXPECT_EQ(sum.attrs[static_cast<size_t>(sum.attr_index("N"))].minimum, 1);
  const OpDef& norm = *ops().find("BatchNormWithGlobalNormalization");
  ASSERT_TRUE(norm.deprecation);
  EXPECT_EQ(norm.deprecation->version, 9);
  EXPECT_EQ(norm.attr_index("nothing"), kNoAttr);
  EXPECT_TRUE(ops().find("VariableV2")->is_stateful);
}

TEST(OpRegistry, KnowsWhichRanksAnArgumentMayHave) {
  const OpDef& conv = *ops().find("Conv2D");
  EXPECT_TRUE(conv.takes_rank(0, 4));
  EXPECT_FALSE(conv.takes_rank(0, 3));
  const OpDef& top = *ops().find("TopKV2");
  EXPECT_FALSE(top.takes_rank(0, 0));
  EXPECT_TRUE(top.takes_rank(0, 200));
  EXPECT_TRUE(conv.takes_rank(7, 0)) << "there is no such argument";
  EXPECT_TRUE(ops().find("AddV2")->takes_rank(0, 3)) << "it takes any";
}

TEST(OpRegistry, AModelsOwnOpsAreKnownButNotRegistered) {
  std::string op;
  put_bytes_field(op, 1, "TheirOwn");
  std::string matmul;
  put_bytes_field(matmul, 1, "MatMul");
  std::string list;
  put_bytes_field(list, 1, op);
  put_bytes_field(list, 1, matmul);
  const auto extended = ops().extended(list);
  ASSERT_TRUE(extended);
  EXPECT_NE(extended->find("TheirOwn"), nullptr);
  EXPECT_FALSE(extended->is_registered("TheirOwn"));
  EXPECT_TRUE(extended->is_registered("MatMul"));
  EXPECT_EQ(extended->find("MatMul")->inputs.size(), 2U) << "the release's definition counts";
  EXPECT_EQ(extended->size(), ops().size() + 1);
  EXPECT_EQ(extended->graph_version(), 2474);
}

TEST(OpRegistry, RefusesBytesThatAreNoMessage) {
  const auto registry = OpRegistry::parse(std::string(embedded_ops().substr(0, 1000)));
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().code, "malformed-message");
}

TEST(NodeTypes, AnOutputsTypeComesFromAttributesOrTheirDefaults) {
  const std::string matmul = node("m", "MatMul", {"a", "b"}, {{"T", type_value(2)}});
  EXPECT_EQ(output_type(scanned(matmul), 0, ops()), DType::kDouble);
  EXPECT_EQ(output_type(scanned(matmul), 1, ops()), std::nullopt);
  const std::string shape = node("s", "Shape", {"a"}, kFloats);
  EXPECT_EQ(output_type(scanned(shape), 0, ops()), DType::kInt32) << "out_type's default";
  const std::string variable = node("v", "VariableV2", {}, {{"dtype", type_value(1)}});
  EXPECT_EQ(output_type(scanned(variable), 0, ops()), make_ref(DType::kFloat));
  EXPECT_EQ(output_type(scanned(node("u", "NoSuchOp")), 0, ops()), std::nullopt);
  EXPECT_EQ(output_type(scanned(node("n", "NoOp")), 0, ops()), std::nullopt);
}

TEST(NodeTypes, ListsAndCountsAreNeverSpeltOut) {
  const std::string split = node("s", "Split", {"d", "x"},
                                 {{"T", type_value(1)}, {"num_split", int_value(2'000'000'000)}});
  EXPECT_EQ(output_type(scanned(split), 1'999'999'999, ops()), DType::kFloat);
  EXPECT_EQ(output_type(scanned(split), 2'000'000'000, ops()), std::nullopt);
  const std::string many = node("i", "IdentityN", {"a", "b"}, {{"T", type_list_value({1, 3})}});
  EXPECT_EQ(output_type(scanned(many), 0, ops()), DType::kFloat);
  EXPECT_EQ(output_type(scanned(many), 1, ops()), DType::kInt32);
  EXPECT_EQ(output_type(scanned(many), 2, ops()), std::nullopt);
}

TEST(NodeTypes, AreToldAsTensorFlowTellsThem) {
  const std::vector<TypeRun> types = {
      {DType::kFloat, 2}, {DType::kHalf, 3}, {make_ref(DType::kDouble), 4}};
  EXPECT_EQ(to_text(std::span(types)), "float, float, half, double_ref");
  const std::vector<TypeRun> many = {{DType::kInt32, 1000}};
  EXPECT_NE(to_text(std::span(many)).find(" and 980 more"), std::string::npos);
}

}  // namespace
}  // namespace cryo
