#include "checked.h"
#include "compat/judge_runtimes.h"
#include "functions.h"

namespace cryo {
namespace {

uint64_t bit(DType type) { return 1ULL << static_cast<unsigned>(type); }

TargetVerdict judged(const Graph& graph, const Runtime& runtime) {
  const Payloads payloads;
  TensorShapes shapes;
  add_deciding_shapes(graph, runtime, shapes);
  CheckOptions options;
  options.shapes = &shapes;
  const GraphVerdict found = check_graph(graph, ops(), payloads, options);
  return judge_runtime(runtime_graph(graph, payloads, ops(), found, shapes), runtime);
}

std::vector<std::string> stopped_by(const Graph& graph, const Runtime& runtime) {
  std::vector<std::string> nodes;
  for (const Blocker& each : judged(graph, runtime).blockers) {
    nodes.push_back(cat(each.node, " x ", each.count));
  }
  return nodes;
}

TEST(Runtimes, TakeTheOpsOfTheirList) {
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x"), node("n", "TheirOwn"), node("m", "TheirOwn"),
                               node("y", "Relu", {"x"}, {{"T", type_value(kFloat32)}})}});
  const Runtime runtime{.name = "r", .ops = {{"Relu", {}}, {"Placeholder", {}}}};
  EXPECT_EQ(stopped_by(graph, runtime), Lines({"n x 2"}));
}

TEST(Runtimes, TakeTheTypesOfTheirList) {
  const auto graph = [](int type) {
    return graph_of(Parts{.nodes = {node("x", "Placeholder", {}, {{"dtype", type_value(type)}}),
                                    node("y", "Relu", {"x"}, {{"T", type_value(type)}})}});
  };
  const Runtime runtime{.name = "r",
                        .ops = {{"Placeholder", {}}, {"Relu", {{"T", bit(DType::kFloat)}}}}};
  EXPECT_EQ(stopped_by(graph(kFloat32), runtime), Lines());
  const Graph wide = graph(static_cast<int>(DType::kDouble));
  EXPECT_EQ(stopped_by(wide, runtime), Lines({"y x 1"}));
  EXPECT_EQ(judged(wide, runtime).blockers[0].why, "it takes no float64 for 'T'");
}

TEST(Runtimes, MayNeedTheRankOfAPlaceholder) {
  const auto graph = [](bool known) {
    const std::string shape = shape_value(known ? shape_bytes({-1, 3}) : "\x18\x01");
    const Attrs type = {{"T", type_value(kFloat32)}};
    return graph_of(Parts{
        .nodes = {node("x", "Placeholder", {}, {{"dtype", type_value(kFloat32)}, {"shape", shape}}),
                  node("y", "Relu", {"x"}, type), node("z", "Relu", {"y"}, type)}});
  };
  const auto verdict = [&](const std::string& ranked, bool known) {
    return judged(graph(known),
                  {.name = "r", .ops = {{"Placeholder", {}}, {"Relu", {}}}, .ranked = {ranked}});
  };
  EXPECT_TRUE(verdict("Relu", true).runs());
  EXPECT_TRUE(verdict("Placeholder", true).runs());
  const TargetVerdict refused = verdict("Relu", false);
  EXPECT_FALSE(refused.loads());
  ASSERT_EQ(refused.blockers.size(), 1U);
  EXPECT_EQ(refused.blockers[0].node, "y");
  EXPECT_EQ(refused.blockers[0].count, 1U);
  const TargetVerdict read = verdict("Placeholder", false);
  EXPECT_TRUE(read.loads());
  EXPECT_FALSE(read.runs());
}

TEST(Runtimes, LookIntoTheFunctionsThatAreCalled) {
  const auto stopped = [](bool called) {
    Parts parts;
    parts.nodes = {placeholder("x")};
    if (called) parts.nodes.push_back(call_of("c", "f", {"x"}, {kFloat32}, {kFloat32}));
    parts.functions = {
        body("f", {{"a", kFloat32}}, {{"r", kFloat32, "n:y:0"}}, {typed("n", "Neg", {"a"})})};
    return stopped_by(graph_of(parts),
                      {.name = "r", .ops = {{"Placeholder", {}}, {"PartitionedCall", {}}}});
  };
  EXPECT_EQ(stopped(false), Lines());
  EXPECT_EQ(stopped(true), Lines({"n x 1"}));
}

// A check runs in a branch if it fails.
TEST(Runtimes, MayNotReachAnOpInABranch) {
  const auto stopped = [](const std::string& source) {
    const Graph graph = graph_of(Parts{.nodes = {placeholder("x"), node("s", source, {"x", "x"}),
                                                 node("check", "Assert", {"s"})}});
    return stopped_by(graph, {.name = "r",
                              .ops = {{"Placeholder", {}}, {"Switch", {}}, {"Add", {}}},
                              .guarded = {"Assert"}});
  };
  EXPECT_EQ(stopped("Switch"), Lines());
  EXPECT_EQ(stopped("Add"), Lines({"check x 1"}));
}

TEST(Runtimes, MayForgetTheInvariantsOfLoops) {
  const auto stopped = [](bool is_constant, const std::string& other) {
    const Graph graph = graph_of(
        Parts{.nodes = {placeholder("x"),
                        node("in", "Enter", {"x"}, {{"is_constant", bool_value(is_constant)}}),
                        node("kept", "Identity", {"in"}), node("both", "Add", {"in", other})}});
    return stopped_by(graph,
                      {.name = "r",
                       .ops = {{"Placeholder", {}}, {"Enter", {}}, {"Identity", {}}, {"Add", {}}},
                       .forgets_invariants = true});
  };
  EXPECT_EQ(stopped(true, "x"), Lines({"kept x 1"}));
  EXPECT_EQ(stopped(true, "in"), Lines({"kept x 1", "both x 1"}));
  EXPECT_EQ(stopped(false, "in"), Lines());
}

TEST(Runtimes, ComputeFirstWhatFollowsFromConstants) {
  const Attrs type = {{"T", type_value(kFloat32)}};
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x"), constant("c", {1}, {}), node("folded", "Acos", {"c"}, type),
                      node("kept", "Acos", {"x"}, type),
                      node("sum", "AddV2", {"folded", "kept"}, type)}});
  Runtime runtime{.name = "r", .ops = {{"AddV2", {}}, {"Const", {}}, {"Placeholder", {}}}};
  EXPECT_EQ(stopped_by(graph, runtime), Lines({"folded x 2"}));
  runtime.folds_constants = true;
  EXPECT_EQ(stopped_by(graph, runtime), Lines({"kept x 1"}));
}

TEST(Runtimes, DoNotTakeADamagedGraph) {
  const Graph graph = graph_of(Parts{
      .nodes = {placeholder("x"), node("y", "Relu", {"gone"}, {{"T", type_value(kFloat32)}})}});
  EXPECT_FALSE(judged(graph, {.name = "r", .ops = {{"Placeholder", {}}, {"Relu", {}}}}).loads());
}

std::string text_value(std::string_view text) {
  std::string value;
  put_bytes_field(value, fields::AttrValue::kS, text);
  return value;
}

TEST(Runtimes, TakeTheTextsOfTheirList) {
  const auto graph = [](const Attrs& layout) {
    Attrs attrs = {{"T", type_value(kFloat32)}};
    attrs.insert(attrs.end(), layout.begin(), layout.end());
    return graph_of(
        Parts{.nodes = {placeholder("x", {4, 4, 4, 4}), constant("b", {1, 1, 1, 1}, {4}),
                        node("y", "BiasAdd", {"x", "b"}, attrs)}});
  };
  const Runtime runtime{
      .name = "r",
      .ops = {{"Placeholder", {}}, {"Const", {}}, {"BiasAdd", {{"data_format", 0, {"NHWC"}}}}}};
  EXPECT_TRUE(judged(graph({}), runtime).runs()) << "it is the op's default";
  EXPECT_TRUE(judged(graph({{"data_format", text_value("NHWC")}}), runtime).runs());
  const TargetVerdict refused = judged(graph({{"data_format", text_value("NCHW")}}), runtime);
  ASSERT_EQ(refused.blockers.size(), 1U);
  EXPECT_EQ(refused.blockers[0].attr, "data_format");
  EXPECT_EQ(refused.blockers[0].why, "it takes no NCHW for 'data_format'");
}

std::string list_of(const std::string& shape) {
  return node("list", "TensorListReserve", {shape, "count"},
              {{"element_dtype", type_value(kFloat32)}, {"shape_type", type_value(kInt32)}});
}

TEST(Runtimes, MayNeedTheSizesOfListElements) {
  const auto stopped = [](const std::vector<std::string>& shape) {
    Lines nodes = {placeholder("x", {2, -1}), ints("count", {3}, true)};
    nodes.insert(nodes.end(), shape.begin(), shape.end());
    nodes.push_back(list_of("shape"));
    return stopped_by(graph_of(nodes), {.name = "r",
                                        .ops = {{"Placeholder", {}},
                                                {"Const", {}},
                                                {"Shape", {}},
                                                {"StridedSlice", {}},
                                                {"TensorListReserve", {}}},
                                        .sized_lists = {"TensorListReserve"}});
  };
  EXPECT_EQ(stopped({ints("shape", {2, 4})}), Lines());
  EXPECT_EQ(stopped({ints("shape", {-1, 4})}), Lines({"list x 1"}));
  EXPECT_EQ(stopped({ints("shape", {-1}, true)}), Lines({"list x 1"})) << "of any shape";
  const Attrs type = {{"T", type_value(kFloat32)}, {"out_type", type_value(kInt32)}};
  EXPECT_EQ(stopped({node("shape", "Shape", {"x"}, type)}), Lines({"list x 1"}));
  const auto part = [&](int begin) {
    return Lines{node("sizes", "Shape", {"x"}, type), ints("begin", {begin}),
                 ints("end", {begin + 1}), ints("step", {1}),
                 node("shape", "StridedSlice", {"sizes", "begin", "end", "step"},
                      {{"T", type_value(kInt32)}, {"Index", type_value(kInt32)}})};
  };
  EXPECT_EQ(stopped(part(0)), Lines()) << "[2] of [2,?]";
  EXPECT_EQ(stopped(part(1)), Lines({"list x 1"}));
}

TEST(Runtimes, MayNeedTheSizesOfListElementsInBodies) {
  const auto stopped = [](const std::vector<int32_t>& sizes) {
    const auto function =
        body("f", {{"a", kFloat32}}, {{"r", kFloat32, "a"}},
             {ints("shape", sizes), ints("count", {3}, true), list_of("shape:output:0")});
    return stopped_by(graph_of(Parts{.nodes = {placeholder("x"),
                                               call_of("c", "f", {"x"}, {kFloat32}, {kFloat32})},
                                     .functions = {function}}),
                      {.name = "r",
                       .ops = {{"Placeholder", {}},
                               {"Const", {}},
                               {"PartitionedCall", {}},
                               {"TensorListReserve", {}}},
                       .sized_lists = {"TensorListReserve"}});
  };
  EXPECT_EQ(stopped({2, 4}), Lines());
  EXPECT_EQ(stopped({-1, 4}), Lines({"list x 1"}));
}

// One double, as a Const.
std::string number(double value) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_DOUBLE);
  tensor.mutable_tensor_shape();
  tensor.add_double_val(value);
  return node("c", "Const", {},
              {{"dtype", type_value(static_cast<int>(DType::kDouble))},
               {"value", tensor_value(tensor.SerializeAsString())}});
}

TEST(Runtimes, MayStoreConstantsInFewerTypes) {
  const Runtime tfjs{.name = "r", .ops = {{"Const", {}}}, .has_tfjs_constants = true};
  EXPECT_TRUE(judged(graph_of(Lines{number(0.5)}), tfjs).runs());
  const TargetVerdict refused = judged(graph_of(Lines{number(0.1)}), tfjs);
  ASSERT_EQ(refused.blockers.size(), 1U);
  EXPECT_FALSE(refused.loads());
  EXPECT_EQ(refused.blockers[0].why,
            "TensorFlow.js has no float64, and float32 does not hold its values");
}

TEST(Runtimes, AreReadFromTheirTable) {
  const auto runtimes = read_runtimes(
      R"([{"name": "r", "version": "1", "folds_constants": true, "ranked": ["Roll"],
           "ops": {"Conv2D": {"T": ["float32", "half"], "data_format": ["NHWC"]}, "Add": {}}}])");
  ASSERT_TRUE(runtimes);
  ASSERT_EQ(runtimes->size(), 1U);
  const Runtime& runtime = (*runtimes)[0];
  EXPECT_EQ(runtime.name, "r");
  EXPECT_TRUE(runtime.folds_constants);
  EXPECT_FALSE(runtime.forgets_invariants);
  EXPECT_TRUE(runtime.ranked.contains("Roll"));
  const AttrLimits& limits = runtime.ops.at("Conv2D");
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[1].attr, "data_format");
  EXPECT_EQ(limits[1].texts, std::vector<std::string>{"NHWC"});
  EXPECT_TRUE(runtime.ops.at("Add").empty());
}

}  // namespace
}  // namespace cryo
