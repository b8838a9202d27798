#include "shape_fault.h"

// Ops that take places of a tensor, equations of labels, or an image apart.

namespace cryo {
namespace {

std::string whole(const std::string& name, const std::vector<int64_t>& dims) {
  return node(name, "Placeholder", {},
              {{"dtype", type_value(kInt32)}, {"shape", shape_value(shape_bytes(dims))}});
}

TEST(ShapeIndices, WhatIsGatheredByPlacesHasTheRest) {
  const auto gather = [](const std::vector<int64_t>& indices, const std::vector<int64_t>& added) {
    return found({placeholder("x", {4, 5, 6}), whole("i", indices),
                  node("g", "GatherNd", {"x", "i"},
                       {{"Tparams", type_value(kFloat32)}, {"Tindices", type_value(kInt32)}}),
                  placeholder("y", added), node("n", "AddV2", {"g", "y"}, kFloats)});
  };
  EXPECT_EQ(gather({7, 2}, {7, 6}), "");
  EXPECT_EQ(gather({7, 2}, {8, 6}), "error shape-mismatch");
  EXPECT_EQ(gather({7, 4}, {1}), "error shape-mismatch");
}

TEST(ShapeIndices, UpdatesHaveAPlaceForEachRowOfIndices) {
  const auto update = [](const std::vector<int64_t>& indices, const std::vector<int64_t>& updates) {
    return found({placeholder("x", {4, 5, 6}), whole("i", indices), placeholder("u", updates),
                  node("n", "TensorScatterUpdate", {"x", "i", "u"},
                       {{"T", type_value(kFloat32)}, {"Tindices", type_value(kInt32)}})});
  };
  EXPECT_EQ(update({7, 2}, {7, 6}), "");
  EXPECT_EQ(update({7, 1}, {7, 5, 6}), "");
  EXPECT_EQ(update({7, 2}, {8, 6}), "error shape-mismatch");
  EXPECT_EQ(update({7, 2}, {7, 5}), "error shape-mismatch");
}

TEST(ShapeIndices, AnEquationNamesDimensions) {
  const auto einsum = [](const std::string& equation,
                         const std::vector<std::vector<int64_t>>& shapes) {
    return fault("Einsum", shapes,
                 {{"T", type_value(kFloat32)},
                  {"N", int_value(static_cast<int64_t>(shapes.size()))},
                  {"equation", string_value(equation)}});
  };
  EXPECT_EQ(einsum("ij,jk->ik", {{2, 3}, {3, 4}}), "");
  EXPECT_EQ(einsum("ij,jk->ik", {{2, 3}, {2, 4}}), "Dimensions must be equal, but are 3 and 2");
  EXPECT_EQ(einsum("ij,jk->ik", {{2, 3}, {3}}), "Shape must be rank 2 but is rank 1");
  EXPECT_EQ(einsum("...ij,...jk->...ik", {{5, 1, 2, 3}, {7, 3, 4}}), "");
  EXPECT_EQ(einsum("...ij,...jk->...ik", {{5, 2, 3}, {7, 3, 4}}),
            "Dimensions must be equal, but are 5 and 7");
  EXPECT_EQ(einsum("ij,jk", {{2, 3}, {3, 4}}),
            "Expecting exactly one '->' in einsum equation: ij,jk");
  EXPECT_EQ(einsum("ij->iz", {{2, 3}}),
            "Einsum output subscripts for equation 'ij->iz' has label 'z' which is not present in "
            "the input subscripts");
}

TEST(ShapeIndices, BlocksOfAnImageBecomeChannels) {
  const Attrs two = with({{"block_size", int_value(2)}, {"data_format", string_value("NHWC")}});
  EXPECT_EQ(fault("SpaceToDepth", {{1, 4, 6, 3}}, two), "");
  EXPECT_EQ(fault("SpaceToDepth", {{1, 4, 5, 3}}, two),
            "Dimension size must be evenly divisible by 2 but is 5");
  EXPECT_EQ(fault("DepthToSpace", {{1, 4, 6, 8}}, two), "");
  EXPECT_EQ(fault("DepthToSpace", {{1, 4, 6, 6}}, two),
            "Dimension size must be evenly divisible by 4 but is 6");
}

TEST(ShapeIndices, SequencesAreAsManyAsTheBatch) {
  const auto reverse = [](int64_t lengths, int64_t axis) {
    return found({placeholder("x", {4, 5}), whole("lengths", {lengths}),
                  node("n", "ReverseSequence", {"x", "lengths"},
                       {{"T", type_value(kFloat32)},
                        {"Tlen", type_value(kInt32)},
                        {"seq_dim", int_value(axis)},
                        {"batch_dim", int_value(0)}})});
  };
  EXPECT_EQ(reverse(4, 1), "");
  EXPECT_EQ(reverse(5, 1), "error shape-mismatch");
  EXPECT_EQ(reverse(4, 2), "error shape-mismatch");
}

TEST(ShapeIndices, LogitsAndLabelsMayBeBroadcastToAMatrix) {
  EXPECT_EQ(fault("SoftmaxCrossEntropyWithLogits", {{2, 3}, {2, 3}}), "");
  EXPECT_EQ(fault("SoftmaxCrossEntropyWithLogits", {{1, 4}, {4}}), "");
  EXPECT_EQ(fault("SoftmaxCrossEntropyWithLogits", {{4}, {4}}),
            "Shape must be broadcasted with rank 2, but is rank 1");
  EXPECT_EQ(fault("SoftmaxCrossEntropyWithLogits", {{2, 3}, {2, 4}}),
            "Dimensions must be equal, but are 3 and 4");
}

}  // namespace
}  // namespace cryo
