#include "validate/shape/shape_rules.h"

#include "shape_fault.h"

namespace cryo {
namespace {

TEST(ShapeRules, TheMessageIsTensorFlows) {
  const Lines all = findings({placeholder("x", {-1, 2}), placeholder("w", {3, 2}),
                              node("mm", "MatMul", {"x", "w"}, kFloats)});
  EXPECT_EQ(all, Lines{"error shape-mismatch mm: Dimensions must be equal, but are 2 and 3 for "
                       "'{{node mm}} = MatMul(x, w)' with input shapes: [?,2], [3,2]."});
}

TEST(ShapeRules, MatricesMultiply) {
  EXPECT_EQ(fault("MatMul", {{4, 2}, {2, 3}}), "");
  EXPECT_EQ(fault("MatMul", {{4, 2}, {3, 2}}), "Dimensions must be equal, but are 2 and 3");
  EXPECT_EQ(fault("MatMul", {{4, 2}, {3, 2}}, with({{"transpose_b", bool_value(true)}})), "");
  EXPECT_EQ(fault("MatMul", {{2}, {2, 3}}), "Shape must be rank 2 but is rank 1");
  EXPECT_EQ(fault("BatchMatMulV2", {{5, 4, 2}, {2, 3}}), "");
  EXPECT_EQ(fault("BatchMatMulV2", {{5, 4, 2}, {7, 2, 3}}),
            "Dimensions must be equal, but are 5 and 7");
}

TEST(ShapeRules, ShapesBroadcast) {
  for (const char* op : {"Add", "AddV2", "Mul", "Sub", "Maximum"}) {
    EXPECT_EQ(fault(op, {{4, 1}, {3}}), "") << op;
    EXPECT_EQ(fault(op, {{-1, 3}, {2, -1}}), "") << op;
    EXPECT_EQ(fault(op, {{4, 2}, {3}}), "Dimensions must be equal, but are 2 and 3") << op;
  }
  EXPECT_EQ(fault("Equal", {{2}, {3}}), "Dimensions must be equal, but are 2 and 3");
  EXPECT_EQ(fault("Equal", {{2}, {3}}, with({{"incompatible_shape_error", bool_value(false)}})),
            "");
}

TEST(ShapeRules, ABiasHasAsManyAsThereAreChannels) {
  EXPECT_EQ(fault("BiasAdd", {{4, 3}, {3}}), "");
  EXPECT_EQ(fault("BiasAdd", {{4, 3}, {4}}), "Dimensions must be equal, but are 3 and 4");
  EXPECT_EQ(fault("BiasAdd", {{3}, {3}}), "Shape must be at least rank 2 but is rank 1");
  EXPECT_EQ(fault("BiasAdd", {{1, 3, 5, 5}, {3}}, with({{"data_format", string_value("NCHW")}})),
            "");
}

TEST(ShapeRules, AReshapeKeepsTheElements) {
  const auto reshape = [](const std::vector<int64_t>& from, const std::vector<int32_t>& to) {
    return fault("Reshape", {from}, kFloats, {ints("to", to)}, {"to"});
  };
  EXPECT_EQ(reshape({2, 3}, {6}), "");
  EXPECT_EQ(reshape({2, 3}, {3, -1}), "");
  EXPECT_EQ(reshape({-1, 3}, {-1, 1}), "");
  EXPECT_EQ(reshape({2, 3}, {4}),
            "Cannot reshape a tensor with 6 elements to shape [4] (4 elements)");
  EXPECT_EQ(reshape({2, 3}, {4, -1}), "Dimension size must be evenly divisible by 4 but is 6");
}

TEST(ShapeRules, WhatIsJoinedFits) {
  const std::string axis = ints("axis", {1}, true);
  const Attrs two = with({{"N", int_value(2)}});
  EXPECT_EQ(fault("ConcatV2", {{2, 3}, {2, 4}}, two, {axis}, {"axis"}), "");
  EXPECT_EQ(fault("ConcatV2", {{2, 3}, {5, 3}}, two, {axis}, {"axis"}),
            "Dimension 0 in both shapes must be equal, but are 2 and 5. Shapes are [2,?] and "
            "[5,?].");
  EXPECT_EQ(fault("Pack", {{2}, {2}}, two), "");
  EXPECT_EQ(fault("Pack", {{2}, {3}}, two),
            "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3] and [2].");
}

TEST(ShapeRules, ConvolutionsFitTheirFilters) {
  const auto conv = [](const std::vector<int64_t>& image, const std::vector<int64_t>& filter,
                       const std::string& padding) {
    return fault(
        "Conv2D", {image, filter},
        with({{"padding", string_value(padding)}, {"strides", int_list_value({1, 1, 1, 1})}}));
  };
  EXPECT_EQ(conv({1, 8, 8, 3}, {3, 3, 3, 16}, "SAME"), "");
  EXPECT_EQ(conv({1, 8, 8, 3}, {3, 3, 4, 16}, "SAME"),
            "Depth of input (3) is not a multiple of input depth of filter (4)");
  EXPECT_EQ(conv({1, 2, 8, 3}, {3, 3, 3, 16}, "VALID"),
            "Negative dimension size caused by subtracting 3 from 2");
  EXPECT_EQ(conv({8, 8, 3}, {3, 3, 3, 16}, "SAME"), "Shape must be rank 4 but is rank 3");
}

TEST(ShapeRules, ConvolutionsAndPoolsMoveAlongAsManyAxesAsTheyHave) {
  const auto volume = [](const std::vector<int64_t>& strides, const std::vector<int64_t>& image) {
    return fault("Conv3D", {image, {3, 3, 3, 2, 7}},
                 with({{"padding", string_value("VALID")}, {"strides", int_list_value(strides)}}));
  };
  EXPECT_EQ(volume({1, 1, 1, 1, 1}, {1, 5, 5, 5, 2}), "");
  EXPECT_EQ(volume({1, 1, 1, 1, 1, 1}, {1, 5, 5, 5, 2}),
            "Conv3D requires the stride attribute to contain 5 values, but got: 6");
  EXPECT_EQ(volume({1, 1, 1, 1, 1}, {1, 5, 5, 2, 2}),
            "Negative dimension size caused by subtracting 3 from 2");
  EXPECT_EQ(volume({1, 1, 1, 1, 1}, {1, 5, 5, 2}), "Shape must be rank 5 but is rank 4");
  const Attrs pool = with({{"padding", string_value("VALID")},
                           {"ksize", int_list_value({1, 2, 2, 1})},
                           {"strides", int_list_value({1, 2, 2, 1})}});
  EXPECT_EQ(fault("MaxPool", {{1, 4, 4, 3}}, pool), "");
  EXPECT_EQ(fault("MaxPool", {{1, 4, 1, 3}}, pool),
            "Negative dimension size caused by subtracting 2 from 1");
}

TEST(ShapeRules, WhatTheRegistryKnowsOfAnOpCounts) {
  EXPECT_EQ(fault("MatrixDiag", {{5, 4}}), "");
  EXPECT_EQ(fault("MatrixDiag", {{}}), "Shape must be at least rank 1 but is rank 0");
  EXPECT_EQ(fault("Diag", {{5, 4}}), "");
  EXPECT_EQ(fault("LRN", {{5, 4}}), "Shape must be rank 4 but is rank 2");
  const std::string out = node("y", "Acosh", {"a"}, kFloats);
  EXPECT_EQ(fault("MatMul", {{4, 2}, {2, 3}}, kFloats, {out}), "");
  EXPECT_EQ(found({placeholder("a", {4, 2}), out, node("m", "MatMul", {"y", "y"}, kFloats)}),
            "error shape-mismatch")
      << "Acosh hands on the shape";
  EXPECT_EQ(found({placeholder("a", {4, 2}), node("l", "L2Loss", {"a"}, kFloats),
                   node("m", "MatMul", {"a", "l"}, kFloats)}),
            "error shape-mismatch")
      << "L2Loss gives a scalar";
}

TEST(ShapeRules, SlicesAreAsLongAsTheirIndicesSay) {
  const auto slice = [](const std::vector<int32_t>& begin, const std::vector<int32_t>& end,
                        const std::vector<int32_t>& strides, const std::vector<int64_t>& shape,
                        const Attrs& masks = {}) {
    Attrs attrs = with({{"Index", type_value(kInt32)}});
    attrs.insert(attrs.end(), masks.begin(), masks.end());
    const Lines all =
        findings({placeholder("x", {6, 8}), ints("b", begin), ints("e", end), ints("s", strides),
                  node("n", "StridedSlice", {"x", "b", "e", "s"}, attrs), placeholder("y", shape),
                  node("sum", "AddN", {"n", "y"}, with({{"N", int_value(2)}}))});
    return all.empty() ? "" : all[0].substr(0, all[0].find(" for '"));
  };
  EXPECT_EQ(slice({1, 2}, {5, 8}, {1, 3}, {4, 2}), "");
  EXPECT_EQ(slice({-1, -1}, {0, -9}, {-2, -1}, {3, 8}), "");
  EXPECT_EQ(slice({1, 2}, {5, 8}, {1, 3}, {4, 3}).substr(0, 27), "error shape-mismatch sum: D");
  EXPECT_EQ(slice({1}, {5}, {1}, {4, 8}), "") << "what is not said is whole";
  EXPECT_EQ(slice({0, 2}, {0, 3}, {1, 1}, {6},
                  {{"begin_mask", int_value(1)},
                   {"end_mask", int_value(1)},
                   {"shrink_axis_mask", int_value(2)}}),
            "");
  EXPECT_EQ(slice({0, 1}, {0, 2}, {1, 1}, {6, 1}, {{"ellipsis_mask", int_value(1)}}), "");
  EXPECT_EQ(slice({0, 0}, {0, 2}, {1, 1}, {1, 2, 8}, {{"new_axis_mask", int_value(1)}}), "");
  EXPECT_EQ(slice({0}, {1}, {1}, {1, 8}, {{"end_mask", int_value(int64_t{1} << 40)}}),
            "error shape-mismatch n: Attr end_mask has value 1099511627776 out of range for an "
            "int32");
  EXPECT_EQ(slice({9}, {0}, {1}, {8}, {{"shrink_axis_mask", int_value(1)}}),
            "error shape-mismatch n: slice index 9 of dimension 0 out of bounds.");
  EXPECT_EQ(slice({0}, {1}, {0}, {8}), "error shape-mismatch n: strides[0] must be non-zero");
  EXPECT_EQ(slice({0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {8}),
            "error shape-mismatch n: Index out of range using input dim 2; input has only 2 dims");
}

TEST(ShapeRules, WhatIsTakenApartAddsUp) {
  const Attrs two = with({{"num", int_value(2)}});
  EXPECT_EQ(fault("Unpack", {{2, 5}}, two), "");
  EXPECT_EQ(fault("Unpack", {{3, 5}}, two), "Dimension must be 2 but is 3");
  EXPECT_EQ(fault("Unpack", {{2}}, with({{"num", int_value(2)}, {"axis", int_value(1)}})),
            "Invalid axis: 1; must be in [-1,1)");
  const auto split = [](const std::vector<int32_t>& sizes) {
    return fault("SplitV", {{4, 7}},
                 with({{"num_split", int_value(static_cast<int64_t>(sizes.size()))},
                       {"Tlen", type_value(kInt32)}}),
                 {ints("sizes", sizes), ints("axis", {-1}, true)}, {"sizes", "axis"});
  };
  EXPECT_EQ(split({2, 1, 4}), "");
  EXPECT_EQ(split({2, -1}), "");
  EXPECT_EQ(split({2, 1}), "can't split axis of size 7 into pieces of sizes that sum to 3");
}

TEST(ShapeRules, SegmentsAreAsManyAsIsSaid) {
  const auto sum = [](const std::vector<int64_t>& data, const std::vector<int32_t>& ids) {
    return fault("UnsortedSegmentSum", {data}, with({{"Tindices", type_value(kInt32)}}),
                 {ints("ids", ids), ints("count", {4}, true)}, {"ids", "count"});
  };
  EXPECT_EQ(sum({2, 5}, {0, 3}), "");
  EXPECT_EQ(sum({3, 5}, {0, 3}),
            "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3] and [2].");
}

TEST(ShapeRules, WhatIsGatheredStandsWhereTheAxisWas) {
  const auto gathered = [](int32_t axis, const std::vector<int64_t>& shape) {
    const Attrs attrs = {{"Tparams", type_value(1)},
                         {"Tindices", type_value(kInt32)},
                         {"Taxis", type_value(kInt32)}};
    return found({placeholder("x", {2, 3, 4}), ints("i", {0, 1, 0, 1, 0}),
                  ints("axis", {axis}, true), node("g", "GatherV2", {"x", "i", "axis"}, attrs),
                  placeholder("y", shape),
                  node("n", "AddN", {"g", "y"}, with({{"N", int_value(2)}}))});
  };
  EXPECT_EQ(gathered(1, {2, 5, 4}), "");
  EXPECT_EQ(gathered(-1, {2, 3, 5}), "");
  EXPECT_EQ(gathered(0, {2, 3, 4}), "error shape-mismatch");
  EXPECT_EQ(gathered(3, {2, 3, 4}), "error shape-mismatch") << "there is no such axis";
}

TEST(ShapeRules, AConvolutionIsTurnedBackToTheSizesThatAreSaid) {
  const auto back = [](const std::vector<int32_t>& sizes, const std::vector<int64_t>& gradient) {
    return found({ints("sizes", sizes), placeholder("f", {3, 3, 5, 7}), placeholder("g", gradient),
                  node("n", "Conv2DBackpropInput", {"sizes", "f", "g"},
                       with({{"strides", int_list_value({1, 1, 1, 1})},
                             {"padding", string_value("SAME")}}))});
  };
  EXPECT_EQ(back({2, 8, 8, 5}, {2, 8, 8, 7}), "");
  EXPECT_EQ(back({8, 8}, {2, 8, 8, 7}), "");
  EXPECT_EQ(back({2, 8, 8, 5}, {2, 8, 8, 6}), "error shape-mismatch") << "channels";
  EXPECT_EQ(back({4, 8, 8, 5}, {2, 8, 8, 7}), "error shape-mismatch") << "batch";
  EXPECT_EQ(back({8, 8, 5}, {2, 8, 8, 7}), "error shape-mismatch") << "neither four nor two";
}

TEST(ShapeRules, ADimensionIsTurnedRoundOnce) {
  const auto turned = [](const std::vector<int32_t>& axes) {
    return fault("ReverseV2", {{2, 3}}, kFloats, {ints("axes", axes)}, {"axes"});
  };
  EXPECT_EQ(turned({0, -1}), "");
  EXPECT_EQ(turned({1, -1}), "axis -1 specified more than once.");
  EXPECT_EQ(turned({2}), "'axis'[0] = 2 is out of valid range [0, 1");
}

TEST(ShapeRules, ElementsOfAnArrayHaveItsShape) {
  const auto write = [](const std::vector<int64_t>& shape) {
    return found(
        {ints("size", {3}, true),
         node("array", "TensorArrayV3", {"size"},
              {{"dtype", type_value(1)}, {"element_shape", shape_value(shape_bytes({2}))}}),
         placeholder("x", shape),
         node("n", "TensorArrayWriteV3", {"array", "size", "x", "array:1"}, kFloats)});
  };
  EXPECT_EQ(write({2}), "");
  EXPECT_EQ(write({3}), "error shape-mismatch");
}

TEST(ShapeRules, MatricesAreSquareWhereTheyHaveToBe) {
  EXPECT_EQ(fault("MatrixInverse", {{5, 3, 3}}), "");
  EXPECT_EQ(fault("MatrixInverse", {{3, 4}}), "Dimensions must be equal, but are 3 and 4");
  EXPECT_EQ(fault("MatrixSetDiag", {{5, 4}, {4}}), "");
  EXPECT_EQ(fault("MatrixSetDiag", {{5, 4}, {5}}), "Dimensions must be equal, but are 4 and 5");
  EXPECT_EQ(fault("MatrixSetDiag", {{5, 4}, {5, 4}}), "Shape must be rank 1 but is rank 2");
  const std::string three = ints("k", {3}, true);
  EXPECT_EQ(fault("TopKV2", {{2, 5}}, kFloats, {three}, {"k"}), "");
  EXPECT_EQ(fault("TopKV2", {{2, 2}}, kFloats, {three}, {"k"}),
            "input must have last dimension >= k = 3 but is 2");
  EXPECT_EQ(fault("NthElement", {{2, 5}}, kFloats, {three}, {"k"}), "");
  EXPECT_EQ(fault("NthElement", {{2, 3}}, kFloats, {three}, {"k"}),
            "Input must have last dimension > n = 3 but is 3");
}

TEST(ShapeRules, AnAttributeThatIsReadIsNoPlaceholder) {
  tensorflow::AttrValue stands;
  stands.set_placeholder("T");
  EXPECT_EQ(
      found({placeholder("a", {4, 2}), placeholder("b", {2, 3}),
             node("n", "MatMul", {"a", "b"}, with({{"transpose_a", stands.SerializeAsString()}}))}),
      "error attr-wrong-kind");
}

TEST(ShapeRules, VariablesTakeValuesOfTheirShape) {
  const auto assign = [](const std::vector<int64_t>& shape) {
    return found(
        {variable("v", {4}), placeholder("x", shape), node("a", "Assign", {"v", "x"}, kFloats)});
  };
  EXPECT_EQ(assign({4}), "");
  EXPECT_EQ(assign({3}), "error shape-mismatch");
  const auto by_handle = [](const std::vector<int64_t>& shape) {
    return found({variable("v", {4}, "VarHandleOp"), placeholder("x", shape),
                  node("a", "AssignVariableOp", {"v", "x"}, {{"dtype", type_value(1)}}),
                  node("r", "ReadVariableOp", {"v"}, {{"dtype", type_value(1)}}),
                  node("s", "Add", {"r", "x"}, kFloats)});
  };
  EXPECT_EQ(by_handle({4}), "");
  EXPECT_EQ(by_handle({3}), "error shape-mismatch, error shape-mismatch");
}

TEST(ShapeRules, AnnotationsCountAndMustNotContradict) {
  tensorflow::AttrValue shapes;
  *shapes.mutable_list()->add_shape() = to_proto({false, {-1, 7}});
  const auto annotated = [&](const std::vector<int64_t>& shape) {
    return base_with("x", {node("x", "Placeholder", {},
                                {{"_output_shapes", shapes.SerializeAsString()},
                                 {"dtype", type_value(1)},
                                 {"shape", shape_value(shape_bytes(shape))}})});
  };
  EXPECT_EQ(found(annotated({-1, 2})), "error output-shapes-wrong");
  EXPECT_EQ(found(annotated({-1, -1})), "error shape-mismatch") << "7 columns, 2 rows";
}

TEST(ShapeRules, ATransposeHasAPlaceOfEachDimension) {
  const std::string any = node("any", "Placeholder", {},
                               {{"dtype", type_value(1)}, {"shape", shape_value("\x18\x01")}});
  EXPECT_EQ(fault("Transpose", {{2, 3}}, kFloats, {ints("p", {1, 0})}, {"p"}), "");
  EXPECT_EQ(fault("Transpose", {{2, 3, 4}}, kFloats, {ints("p", {1, 0})}, {"p"}),
            "Dimension must be 3 but is 2");
  EXPECT_EQ(fault("Transpose", {{2, 3}}, kFloats, {ints("p", {2, 0})}, {"p"}),
            "perm dim 2 is out of range of input rank 2");
  // With an unknown rank.
  EXPECT_EQ(found({any, ints("p", {3}), node("n", "Transpose", {"any", "p"}, kFloats)}), "");
  EXPECT_EQ(found({any, ints("p", {0}, true), node("n", "Transpose", {"any", "p"}, kFloats)}), "");
  EXPECT_EQ(found({any, ints("p", {0, 2}), node("n", "Transpose", {"any", "p"}, kFloats)}),
            "error shape-mismatch");
}

TEST(ShapeRules, ASplitReadsItsAxisWhereItIsKnown) {
  const Attrs two = with({{"num_split", int_value(2)}});
  const std::string axis =
      node("axis", "Placeholder", {},
           {{"dtype", type_value(kInt32)}, {"shape", shape_value(shape_bytes({1}))}});
  EXPECT_EQ(found({placeholder("x", {2, 4}), axis, node("n", "Split", {"axis", "x"}, two)}), "");
  EXPECT_EQ(
      found({placeholder("x", {2, 4}), ints("axis", {1}), node("n", "Split", {"axis", "x"}, two)}),
      "error shape-mismatch");
}

TEST(ShapeRules, WhatIsBroadcastFitsItsShape) {
  const auto to = [](const std::vector<int64_t>& from, const std::vector<int32_t>& shape) {
    return fault("BroadcastTo", {from}, kFloats, {ints("to", shape)}, {"to"});
  };
  EXPECT_EQ(to({3}, {2, 3}), "");
  EXPECT_EQ(to({1}, {2}), "");
  EXPECT_EQ(to({3}, {-1}), "");
  EXPECT_EQ(to({3}, {2}), "Dimensions must be equal, but are 3 and 2");
  EXPECT_EQ(to({2, 3}, {3}), "Shape must be at most rank 1 but is rank 2");
}

TEST(ShapeRules, AnEnsuredShapeIsThatOfTheTensor) {
  const auto ensured = [](const std::vector<int64_t>& from, const std::vector<int64_t>& shape) {
    return fault("EnsureShape", {from}, with({{"shape", shape_value(shape_bytes(shape))}}));
  };
  EXPECT_EQ(ensured({3}, {-1}), "");
  EXPECT_EQ(ensured({3, 4}, {3}), "Shape must be rank 1 but is rank 2");
  EXPECT_EQ(ensured({3}, {2}),
            "Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are [2] and [3].");
}

TEST(ShapeRules, WhatIsUnknownFitsAnything) {
  const std::string any = node("any", "Placeholder", {},
                               {{"dtype", type_value(1)}, {"shape", shape_value("\x18\x01")}});
  for (const char* op : {"MatMul", "Add", "BiasAdd", "SquaredDifference"}) {
    EXPECT_EQ(found({any, placeholder("x", {2, 3}), node("n", op, {"any", "x"}, kFloats)}),
              std::string_view(op) == "BiasAdd" ? "error shape-mismatch" : "")
        << op;
  }
}

}  // namespace
}  // namespace cryo
