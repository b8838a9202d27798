#include "compat/runtimes.h"

#include "checked.h"
#include "functions.h"

namespace cryo {
namespace {

uint64_t bit(DType type) { return 1ULL << static_cast<unsigned>(type); }

TargetVerdict judged(const Graph& graph, const Runtime& runtime) {
  return judge_runtimes(graph, Payloads(), {runtime}, ops(), verdict_of(graph)).front();
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
    const Runtime runtime{
        .name = "r", .ops = {{"Placeholder", {}}, {"Relu", {}}}, .ranked = {ranked}};
    const Graph of = graph(known);
    TensorShapes shapes;
    add_deciding_shapes(of, runtime, shapes);
    CheckOptions options;
    options.shapes = &shapes;
    return judge_runtimes(of, Payloads(), {runtime}, ops(),
                          check_graph(of, ops(), Payloads(), options), shapes)
        .front();
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

}  // namespace
}  // namespace cryo
