#include "compat/opencv.h"

#include "checked.h"
#include "compat/opencv_graph.h"
#include "compat/runtimes.h"

namespace cryo {
namespace {

// "y: why", and "y (loads): why" for what does not stop it from loading.
Lines faults(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const Runtime opencv{.name = "opencv", .ops = {{"Relu", {}}, {"Softplus", {}}}};
  TensorShapes shapes;
  add_opencv_shapes(graph, shapes);
  CheckOptions options;
  options.shapes = &shapes;
  check_graph(graph, ops(), Payloads(), options);
  Lines lines;
  for (const auto& [index, fault] : opencv_faults(graph, Payloads(), shapes, opencv)) {
    lines.push_back(
        cat(graph.nodes()[index].name, fault.stops_loading ? ": " : " (loads): ", fault.why));
  }
  return lines;
}

// The same of nodes that read the placeholder "x".
Lines faults_after(const std::vector<std::string>& nodes) {
  std::vector<std::string> all = {placeholder("x", {2, 3})};
  all.insert(all.end(), nodes.begin(), nodes.end());
  return faults(all);
}

const std::string kWeights = constant("w", {1, 2, 3, 4, 5, 6}, {3, 2});
const std::string kFilter = constant("f", std::vector<float>(9), {3, 3, 1, 1});
const Lines kNone;

// float32 [dims], of which one element is stored: the others are the same.
std::string repeated(std::string_view name, const std::vector<int64_t>& dims) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_FLOAT);
  *tensor.mutable_tensor_shape() = to_proto(Shape{false, dims});
  tensor.add_float_val(1);
  return node(name, "Const", {}, {{"value", tensor_value(tensor.SerializeAsString())}});
}

// How nodes are after it has fused patterns: "y = Softmax(x)".
Lines simplified(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const Payloads payloads;
  const TensorShapes shapes;
  const OpencvGraph seen(graph, payloads, shapes);
  Lines lines;
  for (uint32_t i = 0; i < seen.size(); ++i) {
    if (seen[i].is_removed || seen[i].op == "Const" || seen[i].op == "Placeholder") continue;
    std::vector<std::string> inputs;
    for (const OpencvInput& each : seen[i].inputs)
      inputs.emplace_back(seen.definition(each.node).name);
    lines.push_back(cat(seen.definition(i).name, " = ", seen[i].op, "(", join(inputs, ", "), ")"));
  }
  return lines;
}

TEST(Opencv, ReadsThroughIdentitiesAndDefaults) {
  EXPECT_EQ(simplified({placeholder("x"), node("i", "Identity", {"x"}),
                        node("d", "PlaceholderWithDefault", {"i"}), node("j", "Identity", {"d"}),
                        node("y", "Relu", {"j"})}),
            Lines({"y = Relu(x)"}));
}

TEST(Opencv, FusesPatterns) {
  const std::vector<std::string> flatten = {
      placeholder("x"),
      node("shape", "Shape", {"x"}),
      ints("zero", {0}),
      ints("one", {1}),
      ints("rest", {-1}, true),
      node("batch", "StridedSlice", {"shape", "zero", "one", "one"}),
      node("sizes", "Pack", {"batch", "rest"}),
      node("y", "Reshape", {"x", "sizes"})};
  EXPECT_EQ(simplified(flatten), Lines({"y = Flatten(x)"}));
  std::vector<std::string> read = flatten;
  read.push_back(node("z", "Relu", {"batch"}));
  EXPECT_EQ(simplified(read),
            Lines({"shape = Shape(x)", "batch = StridedSlice(shape, zero, one, one)",
                   "y = Flatten(x)", "z = Relu(batch)"}))
      << "nodes that others read stay";
}

TEST(Opencv, FusesCommutativeOpsInAnyOrder) {
  const auto clip = [](const Lines& least, const Lines& most) {
    return simplified({placeholder("x"), constant("low", {0}, {}), constant("high", {9}, {}),
                       node("most", "Minimum", most), node("y", "Maximum", least)});
  };
  EXPECT_EQ(clip({"most", "low"}, {"x", "high"}), Lines({"y = ClipByValue(x)"}));
  EXPECT_EQ(clip({"low", "most"}, {"high", "x"}), Lines({"y = ClipByValue(x)"}));
  EXPECT_EQ(clip({"most", "x"}, {"x", "high"}),
            Lines({"most = Minimum(x, high)", "y = Maximum(most, x)"}));
}

TEST(Opencv, TakesOneConstantInAProductAndItsSum) {
  EXPECT_EQ(faults_after({kWeights, node("y", "MatMul", {"x", "w"})}), kNone);
  EXPECT_EQ(faults_after({kWeights, node("y", "MatMul", {"w", "w"})}),
            Lines({"y: both inputs are constants"}));
  EXPECT_EQ(faults_after({repeated("w", {3, 2}), node("y", "MatMul", {"x", "w"})}),
            Lines({"y: input 1 stores 1 element of 6"}));
  EXPECT_EQ(faults_after({kWeights, constant("b", {1, 2}, {2}), node("y", "MatMul", {"x", "w"}),
                          node("z", "AddV2", {"y", "b"})}),
            kNone);
  EXPECT_EQ(faults_after({kWeights, node("y", "MatMul", {"x", "w"}), node("z", "Add", {"y", "x"})}),
            Lines({"y: it is added to no constant, by z"}));
  EXPECT_EQ(faults_after({kWeights, constant("b", {1}, {}), node("y", "MatMul", {"x", "w"}),
                          node("z", "Add", {"y", "b"})}),
            Lines({"y (loads): z, which becomes a part, adds 1 element to 2"}));
}

TEST(Opencv, DoesNotKnowSomeConstantsByTheirOutputs) {
  EXPECT_EQ(faults_after({kWeights, node("y", "MatMul", {"x", "w:0"})}),
            Lines({"y (loads): the constant of input 1 is named with its output"}));
  EXPECT_EQ(faults_after({kFilter, node("y", "Conv2D", {"x", "f:0"})}), kNone);
}

TEST(Opencv, TakesConvolutionsWithAConstantFilter) {
  EXPECT_EQ(faults_after({kFilter, node("y", "Conv2D", {"x", "f"})}), kNone);
  EXPECT_EQ(faults_after({node("y", "Conv2D", {"x", "x"})}),
            Lines({"y: its filter is no constant"}));
  EXPECT_EQ(faults_after({kFilter, node("y", "Conv2D", {"x", "f"},
                                        {{"strides", int_list_value({1, 2, 2, 2})}})}),
            Lines({"y: attribute 'strides' is not 1 along batch and channels"}));
  EXPECT_EQ(faults_after({kFilter, node("y", "Conv2D", {"x", "f"},
                                        {{"data_format", string_value("NWHC")}})}),
            Lines({"y: its layout is NWHC"}));
}

TEST(Opencv, TakesWhatBecomesAPartOfALayer) {
  const std::string slope = constant("alpha", {0.2F}, {});
  EXPECT_EQ(
      faults_after({slope, node("m", "Mul", {"x", "alpha"}), node("y", "Maximum", {"m", "x"})}),
      kNone)
      << "LeakyRelu";
  EXPECT_EQ(faults_after({constant("alpha", {1, 2, 3}, {3}), node("m", "Mul", {"x", "alpha"}),
                          node("y", "Maximum", {"m", "x"})}),
            Lines({"y (loads): it has no layer for the op"}));
  const std::string dilated = node("y", "BatchToSpaceND", {"c", "i", "i"});
  EXPECT_EQ(faults_after({kFilter, ints("i", {1}), node("c", "Conv2D", {"x", "f"}), dilated}),
            kNone);
  EXPECT_EQ(faults_after({ints("i", {1}), node("c", "Relu", {"x"}), dilated}),
            Lines({"y (loads): it has no layer for the op"}));
  EXPECT_EQ(faults_after({kWeights, constant("b", {1}, {}), node("y", "BatchMatMul", {"x", "w"}),
                          node("z", "Add", {"y", "b"})}),
            Lines({"y (loads): z, which becomes a part, adds 1 element to 2"}));
}

// It computes in [N,C,H,W], and moves the axes of what comes and goes.
TEST(Opencv, LosesTheLayoutOfAnImageThatIsMadeOfAMatrix) {
  const auto image = [](const std::vector<int32_t>& sizes) {
    return faults_after({kWeights, ints("sizes", sizes), node("m", "MatMul", {"x", "w"}),
                         node("r", "Relu", {"m"}), node("y", "Reshape", {"r", "sizes"})});
  };
  EXPECT_EQ(image({-1, 2, 1, 1}), Lines({"y (loads): it makes an image of a matrix product"}));
  EXPECT_EQ(image({-1, 1, 1, 2}), kNone) << "the channels remain the last";
  EXPECT_EQ(image({-1, 2}), kNone);
  EXPECT_EQ(faults_after({ints("sizes", {-1, 3, 2, 1}), node("y", "Reshape", {"x", "sizes"})}),
            kNone);
}

TEST(Opencv, LosesTheLayoutOfKerasImages) {
  const auto image = [](int32_t rows) {
    return faults({placeholder("x", {2, 3}), kWeights, ints("zero", {0}), ints("one", {1}),
                   ints("rows", {rows}, true), ints("columns", {1}, true), ints("depth", {2}, true),
                   node("m", "MatMul", {"x", "w"}), node("shape", "Shape", {"m"}),
                   node("batch", "StridedSlice", {"shape", "zero", "one", "one"}),
                   node("sizes", "Pack", {"batch", "rows", "columns", "depth"}),
                   node("y", "Reshape", {"m", "sizes"})});
  };
  EXPECT_EQ(image(2), Lines({"y (loads): it makes an image of a matrix product"}));
  EXPECT_EQ(image(1), kNone);
}

TEST(Opencv, NeedsTheLayoutOfAVolume) {
  EXPECT_EQ(faults_after({node("y", "MaxPool3D", {"x"})}),
            Lines({"y (loads): it has no attribute 'data_format'"}));
  EXPECT_EQ(faults_after({node("y", "MaxPool3D", {"x"}, {{"data_format", string_value("NDHWC")}})}),
            kNone);
}

TEST(Opencv, AddsAndMultipliesByFloats) {
  const std::string number = constant("c", {2}, {});
  EXPECT_EQ(faults_after({number, node("y", "Sub", {"x", "c"}), node("z", "RealDiv", {"y", "c"})}),
            kNone);
  EXPECT_EQ(faults_after({number, node("y", "RealDiv", {"c", "x"})}),
            Lines({"y: the dividend is a constant"}));
  EXPECT_EQ(faults_after({ints("i", {2}, true), node("y", "Mul", {"x", "i"})}),
            Lines({"y: input 1 is not of float32"}));
  EXPECT_EQ(faults_after({ints("i", {2}, true), node("y", "AddN", {"x", "x", "x"})}), kNone);
}

TEST(Opencv, ReducesOneAxisOrTheImage) {
  for (const char* op : {"Mean", "Sum", "Max"}) {
    const auto found = [&](const std::vector<int32_t>& axes) {
      return faults(
          {placeholder("x", {1, 4, 4, 2}), ints("axes", axes), node("y", op, {"x", "axes"})});
    };
    EXPECT_EQ(faults_after({ints("axes", {1}), node("y", op, {"x", "axes"})}),
              Lines({"y (loads): its input has rank 2, not 4"}));
    EXPECT_EQ(found({1, 2}), kNone);
    EXPECT_EQ(found({-1}), kNone);
    EXPECT_EQ(found({2, 3}), Lines({"y: its axes are not one, or [1,2]"}));
    EXPECT_EQ(found({5}), Lines({"y: its axis is not one of four"}));
  }
}

TEST(Opencv, NeedsAxesAndBoundsAsConstants) {
  EXPECT_EQ(faults_after({node("y", "Transpose", {"x", "x"})}),
            Lines({"y: input 1 is no constant"}));
  EXPECT_EQ(faults_after({node("y", "ConcatV2", {"x", "x", "x"})}),
            Lines({"y: input 2 is no constant"}));
  EXPECT_EQ(faults_after({ints("s", {8}), node("y", "ResizeBilinear", {"x", "s"})}),
            Lines({"y: input 1 stores 1 element, not 2"}));
  EXPECT_EQ(faults_after({node("y", "Squeeze", {"x"}, {{"squeeze_dims", int_list_value({1, 3})}})}),
            Lines({"y: its axes do not follow each other"}));
  EXPECT_EQ(faults_after({node("y", "Pack", {"x", "x"}, {{"axis", int_value(1)}})}),
            Lines({"y: its axis is not 0"}));
  EXPECT_EQ(faults_after({ints("i", {0}), node("y", "StridedSlice", {"x", "i", "i", "i"})}),
            Lines({"y: it has no attribute 'end_mask'"}));
  EXPECT_EQ(faults({placeholder("x", {-1, 3}), ints("axis", {1}, true),
                    node("y", "ExpandDims", {"x", "axis"})}),
            Lines({"y: no placeholder has a known shape"}));
}

// The second engine reads them, and makes a layer when it runs.
TEST(Opencv, LoadsAnOpWithoutALayer) {
  EXPECT_EQ(faults_after({node("y", "Erfc", {"x"})}),
            Lines({"y (loads): it has no layer for the op"}));
  EXPECT_EQ(faults_after({node("y", "Softplus", {"x"})}), kNone);
  EXPECT_EQ(faults_after({node("c", "Const", {}), node("y", "Erfc", {"c"})}),
            Lines({"y: it cannot read the constant of input 0"}));
}

// The first engine reads what is no layer's output, and does not run it.
TEST(Opencv, LoadsALayerOfAConstantIfAllOpsHaveLayers) {
  const std::string relu = node("y", "Relu", {"c"});
  EXPECT_EQ(faults_after({constant("c", {1}, {}), relu}),
            Lines({"y (loads): input 0 is a constant"}));
  EXPECT_EQ(faults_after({constant("c", {1}, {}), relu, node("z", "Erfc", {"y"})}),
            Lines({"y: input 0 is a constant", "z (loads): it has no layer for the op"}));
}

TEST(Opencv, CannotFeedAnInputWithADefault) {
  const auto found = [](const std::vector<int64_t>& dims) {
    return faults_after(
        {node("d", "PlaceholderWithDefault", {"x"}, {{"shape", shape_value(shape_bytes(dims))}}),
         node("y", "Relu", {"d"})});
  };
  EXPECT_EQ(found({}), kNone) << "a switch of training";
  EXPECT_EQ(found({2, 3}), Lines({"d (loads): it is replaced by its default"}));
}

TEST(Opencv, RefusesAGraphWithoutLayers) {
  EXPECT_EQ(faults({placeholder("x"), node("y", "Identity", {"x"})}),
            Lines({"x: no node makes a layer"}));
}

}  // namespace
}  // namespace cryo
