#include "shape_fault.h"
#include "validate/shape/shape_rules.h"

namespace cryo {
namespace {

// An exporter of TensorFlow 1.4 to 1.12 noted [channels] for the reserve spaces, which are empty.
TEST(ShapeRules, GradientsOfBatchNormalizationHaveEmptyReserveSpaces) {
  const std::vector<std::vector<int64_t>> shapes = {{2, 5, 5, 3}, {2, 5, 5, 3}, {3}, {3}, {3}};
  const auto noted = [](int64_t reserve) {
    tensorflow::AttrValue value;
    for (const auto& dims :
         std::vector<std::vector<int64_t>>{{2, 5, 5, 3}, {3}, {3}, {reserve}, {reserve}}) {
      *value.mutable_list()->add_shape() = to_proto(Shape{false, dims});
    }
    return with({{"_output_shapes", value.SerializeAsString()}});
  };
  EXPECT_EQ(fault("FusedBatchNormGrad", shapes, noted(0)), "");
  EXPECT_EQ(fault("FusedBatchNormGrad", shapes, noted(3)).rfind("Node 'n' has an _output", 0), 0U);
  EXPECT_EQ(fault("FusedBatchNormGrad", {{2, 5, 5, 3}, {2, 5, 5, 4}, {3}, {3}, {3}}),
            "Dimensions must be equal, but are 3 and 4");
}

TEST(ShapeRules, ExplicitPaddingsFitThePadding) {
  const auto conv = [](const std::string& padding, const std::vector<int64_t>& explicit_paddings) {
    return fault("Conv2D", {{1, 5, 5, 2}, {3, 3, 2, 4}},
                 with({{"strides", int_list_value({1, 1, 1, 1})},
                       {"padding", string_value(padding)},
                       {"explicit_paddings", int_list_value(explicit_paddings)}}));
  };
  EXPECT_EQ(conv("SAME", {}), "");
  EXPECT_EQ(conv("EXPLICIT", {0, 0, 1, 1, 1, 1, 0, 0}), "");
  EXPECT_EQ(conv("EXPLICIT", {0, 0, 1, 1}),
            "explicit_paddings attribute must contain 8 values, but got: 4");
  EXPECT_NE(conv("EXPLICIT", {0, 0, -1, 1, 1, 1, 0, 0}), "");
  EXPECT_NE(conv("EXPLICIT", {1, 0, 1, 1, 1, 1, 0, 0}), "");
  EXPECT_NE(conv("VALID", {0, 0, 1, 1, 1, 1, 0, 0}), "");
}

TEST(ShapeRules, ResourcesAreGatheredAfterTheirBatch) {
  const auto gather = [](int64_t batch_dims, const std::vector<int64_t>& indices) {
    return fault(
        "ResourceGather", {},
        {{"dtype", type_value(1)},
         {"Tindices", type_value(kInt32)},
         {"batch_dims", int_value(batch_dims)}},
        {variable("v", {4, 3}, "VarHandleOp"),
         node("i", "Placeholder", {},
              {{"dtype", type_value(kInt32)}, {"shape", shape_value(shape_bytes(indices))}})},
        {"v", "i"});
  };
  EXPECT_EQ(gather(0, {}), "");
  EXPECT_EQ(gather(1, {4}), "");
  EXPECT_EQ(gather(2, {4, 3}), "Shape must be at least rank 3 but is rank 2");
  EXPECT_EQ(gather(1, {}), "Shape must be at least rank 1 but is rank 0");
  EXPECT_EQ(gather(-1, {4}), "batch_dims is negative (-1)");
}

TEST(ShapeRules, ASliceBeginsWhereAFillSays) {
  const auto slice = [](int begin) {
    const Attrs index = {
        {"T", type_value(1)}, {"Index", type_value(kInt32)}, {"shrink_axis_mask", int_value(1)}};
    const Attrs fill = {{"T", type_value(kInt32)}, {"index_type", type_value(kInt32)}};
    return fault("StridedSlice", {{3, 2}}, index,
                 {ints("one", {1}), ints("at", {begin}, true), ints("step", {1}),
                  ints("end", {begin + 1}), node("begin", "Fill", {"one", "at"}, fill)},
                 {"begin", "end", "step"});
  };
  EXPECT_EQ(slice(2), "");
  EXPECT_EQ(slice(3), "slice index 3 of dimension 0 out of bounds.");
}

}  // namespace
}  // namespace cryo
