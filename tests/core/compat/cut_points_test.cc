#include "compat/cut_points.h"

#include "checked.h"
#include "functions.h"

namespace cryo {
namespace {

// "inputs, ... | outputs, ...", or "none". `refused`: nodes with a blocker without a fix.
std::string ends_of(const Graph& graph, const Lines& refused, const Lines& outputs) {
  TargetVerdict verdict;
  for (const std::string& each : refused) {
    verdict.blockers.push_back({.node = each, .why = "the op is not known", .count = 1});
    verdict.unfixed.push_back(graph.index().names().find(each));
  }
  const auto ends = find_cut_points(graph, verdict, outputs, ops());
  return ends ? cat(join(ends->inputs, ", "), " | ", join(ends->outputs, ", ")) : "none";
}

std::string weights(std::string_view name, int64_t count) {
  return constant(name, std::vector<float>(static_cast<size_t>(count), 1), {count});
}

std::string sum(std::string_view name, const Lines& inputs) { return typed(name, "Add", inputs); }

// x -> first -> layer (with w) -> last -> y
std::vector<std::string> chain() {
  return {
      placeholder("x", {4}),        typed("first", "Tanh", {"x"}),    weights("w", 4),
      sum("layer", {"first", "w"}), typed("last", "Tanh", {"layer"}), typed("y", "Relu", {"last"})};
}

TEST(CutPoints, AreOnTheSideOfTheWeights) {
  const Graph graph = graph_of(chain());
  EXPECT_EQ(ends_of(graph, {"first"}, {"y"}), "first | ");
  EXPECT_EQ(ends_of(graph, {"last"}, {"y"}), " | layer");
  EXPECT_EQ(ends_of(graph, {"first", "last"}, {"y:0"}), "first | layer");
  EXPECT_EQ(ends_of(graph, {"y"}, {"y"}), " | last");
  EXPECT_EQ(ends_of(graph, {"first"}, {"y", "last"}), "first | ");
  EXPECT_EQ(ends_of(graph, {"last"}, {"y", "layer"}), " | layer");
}

TEST(CutPoints, HaveMostOfTheWeights) {
  std::vector<std::string> nodes = chain();
  nodes.push_back(weights("v", 6));
  nodes.push_back(sum("z", {"y", "v"}));
  const Graph graph = graph_of(nodes);
  EXPECT_EQ(ends_of(graph, {"last"}, {"z"}), "last | ") << "4 of 10 are before it";
  EXPECT_EQ(ends_of(graph, {"layer", "z"}, {"z"}), "none") << "between them are none";
}

TEST(CutPoints, WithoutWeightsHaveMostOfTheNodes) {
  const auto end = [](const std::string& refused) {
    return ends_of(
        graph_of({placeholder("x", {4}), typed("a", "Tanh", {"x"}), typed("b", "Tanh", {"a"}),
                  typed("c", "Tanh", {"b"}), typed("d", "Tanh", {"c"})}),
        {refused}, {"d"});
  };
  EXPECT_EQ(end("a"), "a | ");
  EXPECT_EQ(end("c"), " | b");
}

TEST(CutPoints, AreNamedWithTheirOutput) {
  std::vector<std::string> nodes = chain();
  nodes[1] = node("first", "Unpack", {"x"}, {{"T", type_value(kFloat32)}, {"num", int_value(4)}});
  nodes[3] = sum("layer", {"first:2", "w"});
  nodes.push_back(sum("z", {"y", "first"}));
  EXPECT_EQ(ends_of(graph_of(nodes), {"first"}, {"z"}), "first:2, first | ");
}

// A constant that only the nodes after the weights take is no output.
TEST(CutPoints, AreNoConstants) {
  std::vector<std::string> nodes = chain();
  nodes[4] = sum("last", {"layer", "one"});
  nodes.push_back(constant("one", {1}, {}));
  EXPECT_EQ(ends_of(graph_of(nodes), {"last"}, {"y"}), " | layer");
}

TEST(CutPoints, HoldPlainValues) {
  const Attrs about = {{"output_types", type_list_value({kFloat32})},
                       {"output_shapes", type_list_value({})}};
  const auto slices = [&](const std::string& of) {
    return node("slices", "TensorSliceDataset", {of},
                {{"Toutput_types", type_list_value({kFloat32})}, about[1]});
  };
  const Graph graph = graph_of(
      {placeholder("x", {4}), slices("x"), node("get", "DatasetToSingleElement", {"slices"}, about),
       weights("w", 4), sum("layer", {"get", "w"}), typed("y", "Relu", {"layer"})});
  EXPECT_EQ(ends_of(graph, {"slices"}, {"y"}), "get | ");
  EXPECT_EQ(ends_of(graph, {"slices"}, {"get"}), "none");
}

// x -> |in -> merge -> switch -> exit| -> y: a placeholder cannot be in a loop.
TEST(CutPoints, AreOutsideOfLoops) {
  const auto loop = [](bool weights_before) {
    const std::string before = weights_before ? "layer" : "x";
    const std::string after = weights_before ? "exit" : "layer";
    const Attrs frame = {{"T", type_value(kFloat32)}, {"frame_name", string_value("loop")}};
    return graph_of({placeholder("x", {4}), weights("w", 4),
                     sum("layer", {weights_before ? "x" : "exit", "w"}),
                     node("in", "Enter", {before}, frame), typed("merge", "Merge", {"in", "next"}),
                     node("more", "Placeholder", {}, {{"dtype", type_value(kBool)}}),
                     typed("switch", "Switch", {"merge", "more"}),
                     typed("body", "Tanh", {"switch:1"}), typed("next", "NextIteration", {"body"}),
                     typed("exit", "Exit", {"switch"}), typed("y", "Relu", {after})});
  };
  EXPECT_EQ(ends_of(loop(false), {"body"}, {"y"}), "exit | ");
  EXPECT_EQ(ends_of(loop(true), {"body"}, {"y"}), " | layer");
}

// A value of one branch alone is not always there.
TEST(CutPoints, AreOutsideOfBranches) {
  const auto branches = [](bool weights_before) {
    const std::string before = weights_before ? "layer" : "x";
    const std::string after = weights_before ? "merge" : "layer";
    return graph_of({placeholder("x", {4}), weights("w", 4),
                     sum("layer", {weights_before ? "x" : "merge", "w"}),
                     node("p", "Placeholder", {}, {{"dtype", type_value(kBool)}}),
                     typed("switch", "Switch", {before, "p"}), typed("a", "Tanh", {"switch:1"}),
                     typed("b", "Neg", {"a"}),
                     node("merge", "Merge", {"switch", "b"},
                          {{"T", type_value(kFloat32)}, {"N", int_value(2)}}),
                     typed("y", "Relu", {after})});
  };
  EXPECT_EQ(ends_of(branches(false), {"a"}, {"y"}), "merge | ");
  EXPECT_EQ(ends_of(branches(true), {"b"}, {"y"}), " | layer");
}

TEST(CutPoints, AreBehindTheNodesThatNeedARefusedFunction) {
  std::vector<std::string> nodes = chain();
  nodes[1] = call("first", "f");
  const Graph graph = graph_of(Parts{.nodes = nodes, .functions = {function("f")}});
  TargetVerdict verdict;
  verdict.blockers.push_back({.function = "f", .node = "n", .op = "Tanh", .why = "no", .count = 1});
  const auto ends = find_cut_points(graph, verdict, {"y"}, ops());
  ASSERT_TRUE(ends);
  EXPECT_EQ(ends->inputs, Lines({"first"}));
  EXPECT_EQ(ends->outputs, Lines());
}

TEST(CutPoints, DoNotHelpAgainstACauseOfTheGraph) {
  const Graph graph = graph_of(chain());
  TargetVerdict verdict;
  verdict.blockers.push_back({.why = "the graph's producer is negative"});
  verdict.blockers.push_back({.node = "first", .why = "no", .count = 1});
  EXPECT_FALSE(find_cut_points(graph, verdict, {"y"}, ops()));
}

TEST(CutPoints, AreNotTooMany) {
  const auto of_outputs = [](size_t count) {
    std::vector<std::string> nodes = {
        placeholder("x", {64}), weights("w", 64),
        node("first", "Unpack", {"x"},
             {{"T", type_value(kFloat32)}, {"num", int_value(static_cast<int64_t>(count))}})};
    std::string before = "w";
    for (size_t i = 0; i < count; ++i) {
      const std::string name = cat("add", i);
      nodes.push_back(sum(name, {before, cat("first:", i)}));
      before = name;
    }
    return ends_of(graph_of(nodes), {"first"}, {before});
  };
  EXPECT_NE(of_outputs(kMaxEnds), "none");
  EXPECT_EQ(of_outputs(kMaxEnds + 1), "none");
}

// Dropout takes the shape alone of its input, for the random numbers.
TEST(CutPoints, AreNoTensorsOfWhichTheShapeIsRead) {
  std::vector<std::string> nodes = chain();
  nodes[5] = node("sizes", "Shape", {"layer"},
                  {{"T", type_value(kFloat32)}, {"out_type", type_value(kInt32)}});
  nodes.push_back(typed("half", "Neg", {"last"}));
  nodes.push_back(node("random", "RandomUniform", {"sizes"},
                       {{"T", type_value(kInt32)}, {"dtype", type_value(kFloat32)}}));
  nodes.push_back(typed("y", "Mul", {"half", "random"}));
  EXPECT_EQ(ends_of(graph_of(nodes), {"random"}, {"y"}), " | half");
}

std::string remainder_of(const std::string& refused) {
  const auto product = [](std::string_view name, std::string_view x) {
    return typed(name, "MatMul", {std::string(x), "w"});
  };
  const Graph graph = graph_of({placeholder("x", {2, 2}), constant("w", {1, 2, 3, 4}, {2, 2}),
                                typed("a", "Tanh", {"x"}), product("b", "a"), product("c", "b"),
                                typed("d", "Tanh", {"c"}), product("y", "d")});
  TargetVerdict verdict;
  verdict.blockers.push_back({.node = refused, .why = "no", .count = 1});
  verdict.unfixed.push_back(graph.index().names().find(refused));
  const auto points = find_cut_points(graph, verdict, {"y"}, ops());
  return points ? points->remainder() : "none";
}

TEST(CutPoints, HaveTheLayersThatAreLost) {
  EXPECT_EQ(remainder_of("a"), "with all 3 layers");
  EXPECT_EQ(remainder_of("d"), "without the last of 3 layers");
}

TEST(CutPoints, OfNoBlockerAreNone) {
  EXPECT_EQ(ends_of(graph_of(chain()), {}, {"y"}), "none");
  EXPECT_EQ(ends_of(graph_of(chain()), {"first"}, {"no-such"}), "none");
}

}  // namespace
}  // namespace cryo
