#include "passes/optimize/folded_batch_norm.h"

#include "functions.h"

namespace cryo {
namespace {

const std::string kFormat = "data_format";

std::string formatted(std::string_view name, std::string_view op, const Lines& inputs,
                      std::string_view format) {
  return node(name, op, inputs, {{"T", type_value(kFloat32)}, {kFormat, string_value(format)}});
}

std::string batch_norm(std::string_view name, std::string_view x, std::string_view format) {
  return node(name, "FusedBatchNormV3", {std::string(x), "two", "shift", "mean", "variance"},
              {{"T", type_value(kFloat32)},
               {kFormat, string_value(format)},
               {"epsilon", float_value(0)},
               {"is_training", bool_value(false)}});
}

// A convolution of one pixel: 1 channel in, 2 out.
Lines layer_in(std::string_view format) {
  return {placeholder("x", {-1, -1, -1, -1}),
          constant("w", {1.0F, 3.0F}, {1, 1, 1, 2}),
          constant("two", {2.0F, 2.0F}, {2}),
          constant("shift", {5.0F, 6.0F}, {2}),
          constant("mean", {0.0F, 1.0F}, {2}),
          constant("variance", {1.0F, 4.0F}, {2}),
          constant("column", {10.0F, 20.0F}, {2, 1, 1}),
          constant("row", {10.0F, 20.0F}, {2}),
          formatted("conv", "Conv2D", {"x", "w"}, format)};
}

Model folded(Lines nodes, const Lines& more, GraphChanges& changes) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  Result<Model> made = with_folded_batch_norm(model_of(nodes), {"y"}, changes);
  EXPECT_TRUE(made.ok());
  return *made;
}

TEST(FoldedBatchNorm, WithChannelsFirstScalesTheSameWeights) {
  GraphChanges changes;
  const Model made = folded(layer_in("NCHW"), {batch_norm("y", "conv", "NCHW")}, changes);
  EXPECT_EQ(described(find(made.graph, "y")), "y = BiasAdd(conv, y/bias)");
  EXPECT_EQ(string_attr(find(made.graph, "y"), kFormat), "NCHW");
  EXPECT_EQ(floats(made, "w"), (std::vector<float>{2, 3}));
  EXPECT_EQ(floats(made, "y/bias"), (std::vector<float>{5, 5}));
}

// With channels first a vector is added along the width, a column to the channels.
TEST(FoldedBatchNorm, KnowsWhichDimensionAConstantIsAddedAlong) {
  GraphChanges changes;
  const Model by_column =
      folded(layer_in("NCHW"),
             {batch_norm("bn", "conv", "NCHW"), typed("y", "AddV2", {"bn", "column"})}, changes);
  EXPECT_EQ(floats(by_column, "y/bias"), (std::vector<float>{15, 25}));
  const Model by_row =
      folded(layer_in("NCHW"),
             {batch_norm("bn", "conv", "NCHW"), typed("y", "AddV2", {"bn", "row"})}, changes);
  EXPECT_EQ(described(find(by_row.graph, "y")), "y = AddV2(bn, row)");
  const Model last =
      folded(layer_in("NHWC"),
             {batch_norm("bn", "conv", "NHWC"), typed("y", "AddV2", {"bn", "row"})}, changes);
  EXPECT_EQ(floats(last, "y/bias"), (std::vector<float>{15, 25}));
}

TEST(FoldedBatchNorm, OfAnotherFormatStays) {
  GraphChanges changes;
  folded(layer_in("NHWC"), {batch_norm("y", "conv", "NCHW")}, changes);
  folded(layer_in("NCHW_VECT_C"), {batch_norm("y", "conv", "NCHW_VECT_C")}, changes);
  EXPECT_TRUE(changes.empty());
}

// A control edge, and an output that somebody asks for.
TEST(FoldedBatchNorm, WhatIsUsedOtherwiseStays) {
  GraphChanges changes;
  const Lines normalized = {batch_norm("y", "conv", "NHWC")};
  Lines waits = normalized;
  waits.push_back(node("after", "NoOp", {"^conv"}));
  folded(layer_in("NHWC"), waits, changes);
  EXPECT_TRUE(changes.empty());
  Lines nodes = layer_in("NHWC");
  nodes.insert(nodes.end(), normalized.begin(), normalized.end());
  EXPECT_TRUE(with_folded_batch_norm(model_of(nodes), {"conv", "y"}, changes).ok());
  EXPECT_TRUE(with_folded_batch_norm(model_of(nodes), {"y:1"}, changes).ok());
  EXPECT_TRUE(changes.empty());
}

}  // namespace
}  // namespace cryo
