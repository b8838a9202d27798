#include "passes/unfreeze/hoist_weights.h"

#include "functions.h"
#include "graph/attr_value.h"
#include "only_model.h"
#include "passes/freeze/sink_weights.h"
#include "passes/unfreeze/unfreeze.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

Model model_with(const std::vector<std::string>& nodes, const Functions& functions) {
  return {Kind::kGraphDef, "graph.pb", {}, true, graph_of(Parts{nodes, functions})};
}

Model hoisted(const Model& model, const WeightSelection& selection = {}) {
  const auto made = hoist_weights(model, selection);
  EXPECT_TRUE(made.ok()) << failure_of(made);
  return made.ok() ? made->model : Model();
}

std::string matmul(std::string_view name, const Lines& inputs) {
  return typed(name, "MatMul", inputs);
}

const std::string kWeight = constant("w", {1, 2, 3, 4}, {2, 2});

const tensorflow::FunctionDef kDense =
    body("dense", {{"x", kFloat32}}, {{"y", kFloat32, "m:product:0"}},
         {kWeight, constant("half", {0.5}, {}), matmul("m", {"x", "w:output:0"}),
          typed("n", "Mul", {"m:product:0", "half:output:0", "^w"})});

std::string dense(std::string_view name, const std::string& input) {
  return call_of(name, "dense", {input, "^x"}, {kFloat32}, {kFloat32});
}

TEST(HoistedWeights, AreHandedToTheFunctionByAllWhoCallIt) {
  const Model model =
      hoisted(model_with({placeholder("x", {-1, 2}), dense("a", "x"), dense("b", "a")}, {kDense}));
  EXPECT_EQ(described(model.graph), (Lines{"x = Placeholder()", "a = PartitionedCall(x, w, ^x)",
                                           "b = PartitionedCall(a, w, ^x)", "w = Const()"}));
  EXPECT_EQ(described(model.graph, "dense"),
            (Lines{"x: 1", "w_captured: 1", "half = Const()", "m = MatMul(x, w_captured)",
                   "n = Mul(m:product:0, half:output:0, ^w_captured)", "return y = m:product:0"}));
  EXPECT_EQ(floats(model, "w"), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(findings(model.graph), Lines{});
}

TEST(HoistedWeights, AreHandedThroughFunctionsThatCallOthers) {
  const auto outer = body("outer", {{"x", kFloat32}}, {{"y", kFloat32, "inner:output:0"}},
                          {call_of("inner", "dense", {"x"}, {kFloat32}, {kFloat32})});
  const Model model = hoisted(model_with({placeholder("x", {-1, 2}), placeholder("w"),
                                          call_of("y", "outer", {"x"}, {kFloat32}, {kFloat32})},
                                         {outer, kDense}));
  EXPECT_EQ(described(model.graph), (Lines{"x = Placeholder()", "w = Placeholder()",
                                           "y = PartitionedCall(x, w_1)", "w_1 = Const()"}));
  EXPECT_EQ(described(model.graph, "outer"),
            (Lines{"x: 1", "w_captured: 1", "inner = PartitionedCall(x, w_captured)",
                   "return y = inner:output:0"}));
  EXPECT_EQ(findings(model.graph), Lines{});
}

const tensorflow::FunctionDef kCond =
    body("cond", {{"i", kFloat32}}, {{"less", kBool, "less:z:0"}},
         {constant("five", {5}, {}), typed("less", "Less", {"i", "five:output:0"})});
const tensorflow::FunctionDef kBody =
    body("body", {{"i", kFloat32}}, {{"i_out", kFloat32, "m:product:0"}},
         {kWeight, matmul("m", {"i", "w:output:0"})});

std::string loop(std::string_view name) {
  std::string shapes;
  put_bytes_field(shapes, list_field(AttrKind::kShape), "");
  std::string value;
  put_bytes_field(value, 1, shapes);
  return node(name, "While", {"x"},
              {{"T", type_list_value({kFloat32})},
               {"body", func_value("body")},
               {"cond", func_value("cond")},
               {"output_shapes", value}});
}

TEST(HoistedWeights, GoRoundWithALoop) {
  const Model model = hoisted(model_with({placeholder("x", {}), loop("y")}, {kCond, kBody}));
  EXPECT_EQ(described(model.graph), (Lines{"x = Placeholder()", "y = While(x, w)", "w = Const()"}));
  EXPECT_EQ(described(model.graph, "cond"),
            (Lines{"i: 1", "w_captured: 1", "five = Const()", "less = Less(i, five:output:0)",
                   "return less = less:z:0"}));
  EXPECT_EQ(described(model.graph, "body"),
            (Lines{"i: 1", "w_captured: 1", "m = MatMul(i, w_captured)",
                   "return i_out = m:product:0", "return w_captured_returned = w_captured"}));
  const auto shapes = find_attr(find(model.graph, "y"), "output_shapes");
  EXPECT_EQ(AttrValue(*shapes).count(AttrKind::kShape), 2U);
  EXPECT_EQ(findings(model.graph), Lines{});
}

TEST(HoistedWeights, StayWhereOthersThanCallsKnowTheFunction) {
  const std::string map = node("map", "MapDataset", {"set"}, {{"f", func_value("dense")}});
  const Model model = model_with({placeholder("x", {-1, 2}), dense("a", "x"), map}, {kDense});
  EXPECT_EQ(described(hoisted(model).graph), described(model.graph));
  Parts parts{{placeholder("x"), dense("a", "x")}, {kDense}};
  std::string gradient;
  put_bytes_field(gradient, 1, "dense");
  put_bytes_field(parts.library, 2, gradient);
  Model with_gradient = model;
  with_gradient.graph = graph_of(parts);
  EXPECT_EQ(described(hoisted(with_gradient).graph), described(with_gradient.graph));
}

TEST(HoistedWeights, StayWhereTheyAreLeftOutOrNeverCalled) {
  WeightSelection selection;
  selection.exclude = {"w"};
  const Model model = model_with({placeholder("x", {-1, 2}), dense("a", "x")}, {kDense});
  EXPECT_EQ(described(hoisted(model, selection).graph), described(model.graph));
  const Model idle = model_with({placeholder("x")}, {kDense});
  EXPECT_EQ(described(hoisted(idle).graph), described(idle.graph));
}

// All bodies of a graph in lines, arguments and returns too.
Lines functions(const Graph& graph) {
  Lines all;
  for (const Function& each : graph.functions()) {
    for (std::string& line : described(graph, each.name)) all.push_back(cat(each.name, ": ", line));
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(HoistedWeights, AreSunkAgain) {
  const auto outer = body("outer", {{"x", kFloat32}}, {{"y", kFloat32, "inner:output:0"}},
                          {call_of("inner", "dense", {"x"}, {kFloat32}, {kFloat32})});
  for (const Model& model :
       {model_with({placeholder("x", {-1, 2}), dense("a", "x"), dense("y", "a")}, {kDense}),
        model_with({placeholder("x", {-1, 2}), call_of("y", "outer", {"x"}, {1}, {1})},
                   {outer, kDense}),
        model_with({placeholder("x", {}), loop("y")}, {kCond, kBody})}) {
    const auto sunk = sink_weights(hoisted(model));
    ASSERT_TRUE(sunk.ok());
    EXPECT_EQ(functions(sunk->graph), functions(model.graph));
    EXPECT_EQ(find(sunk->graph, "y").bytes, find(model.graph, "y").bytes);
    for (const char* style : {"ref", "resource"}) {
      UnfreezeOptions options;
      options.style = style;
      FreezeOptions freezing;
      freezing.selection.outputs = {"y"};
      Diagnostics diagnostics;
      const auto planned = unfreeze(model, options, diagnostics);
      ASSERT_TRUE(planned.ok()) << failure_of(planned);
      EXPECT_EQ(planned->converted[0].name, "w");
      const auto frozen = only_model(freeze(planned->model, freezing, {}, diagnostics));
      ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
      EXPECT_EQ(described(frozen->graph), described(model.graph)) << style;
      EXPECT_EQ(functions(frozen->graph), functions(model.graph)) << style;
    }
  }
}

// A variable by now, or another value than the other call's.
TEST(HoistedWeights, StayInTheMainGraphWhereTheyAreNotOneConstant) {
  const Model model =
      hoisted(model_with({placeholder("x", {-1, 2}), dense("a", "x"), dense("y", "a")}, {kDense}));
  for (const char* other : {"x", "v"}) {
    GraphBuilder builder(model.graph);
    for (const Node& node : model.graph.nodes()) {
      NodeEditor editor(node);
      if (node.name == "y") editor.inputs()[1] = other;
      builder.add(editor.finish());
    }
    builder.add(constant("v", {5, 6, 7, 8}, {2, 2}));
    builder.add_functions_of(model.graph);
    Model changed = model;
    changed.graph = builder.finish();
    const auto sunk = sink_weights(changed);
    EXPECT_EQ(described(sunk->graph), described(changed.graph)) << other;
    EXPECT_EQ(functions(sunk->graph), functions(changed.graph)) << other;
  }
}

}  // namespace
}  // namespace cryo
