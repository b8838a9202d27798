#include "compat/find_fixes.h"

#include "functions.h"
#include "histories.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

TargetVerdict verdict_of_target(const Graph& graph, const std::string& name) {
  const Model model{Kind::kGraphDef, "graph.pb", {}, true, graph};
  const auto targets = find_targets(embedded_histories(), embedded_runtimes(), {name}, ops());
  EXPECT_TRUE(targets) << name;
  std::vector<TargetVerdict> verdicts = judge_model(model, *targets, {0}, {}, ops());
  find_fixes(model, *targets, ops(), verdicts);
  return verdicts.front();
}

// "FIX | CUT", in the words of the command line.
std::string fixes_of(const Graph& graph, const std::string& target) {
  const TargetVerdict verdict = verdict_of_target(graph, target);
  return in_command_words(cat(verdict.fix, " | ", verdict.cut));
}

// A text that PrintV2 prints.
std::string text(std::string_view name) {
  return node(name, "Const", {},
              {{"dtype", type_value(static_cast<int>(DType::kString))},
               {"value", tensor_value(tensor_of_zeros(DType::kString, Shape{}))}});
}

constexpr std::string_view kFrozen = "freeze it: cryograph freeze PATH -o OUT.pb | ";

TEST(FindFixes, NameNoOptionForWhatFreezingRemoves) {
  const Graph graph = graph_of(Parts{.nodes = {placeholder("x", {2}), typed("y", "Tanh", {"x"}),
                                               text("text"), node("check", "PrintV2", {"text"})}});
  EXPECT_EQ(fixes_of(graph, "tfjs"), kFrozen) << "--drop-checks would remove it, too";
}

TEST(FindFixes, NameAnOptionThatIsNeeded) {
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2}), text("text"), node("check", "PrintV2", {"text"}),
                      typed("y", "Tanh", {"x", "^check"})}});
  EXPECT_EQ(fixes_of(graph, "tfjs"), "freeze with --drop-checks | ");
}

// x -> features -> dropout -> product -> y, as TensorFlow 1.3 expands dropout.
Graph with_dropout() {
  const Attrs number = {{"T", type_value(kFloat32)}};
  return graph_of(Parts{
      .nodes = {placeholder("x", {2, 2}), placeholder("keep_prob", {}),
                constant("w", {1, 2, 3, 4}, {2, 2}), typed("features", "MatMul", {"x", "w"}),
                node("dropout/Shape", "Shape", {"features"},
                     {{"T", type_value(kFloat32)}, {"out_type", type_value(kInt32)}}),
                node("dropout/random", "RandomUniform", {"dropout/Shape"},
                     {{"T", type_value(kInt32)}, {"dtype", type_value(kFloat32)}}),
                typed("dropout/add", "Add", {"keep_prob", "dropout/random"}),
                typed("dropout/Floor", "Floor", {"dropout/add"}),
                typed("dropout/div", "RealDiv", {"features", "keep_prob"}),
                typed("dropout/mul", "Mul", {"dropout/div", "dropout/Floor"}),
                constant("v", {1, 2, 3, 4}, {2, 2}), typed("y", "MatMul", {"dropout/mul", "v"})}});
}

TEST(FindFixes, RemoveDropoutBeforeTheyCut) {
  EXPECT_EQ(fixes_of(with_dropout(), "opencv"), "freeze with --inference | ");
  for (const Blocker& each : verdict_of_target(with_dropout(), "opencv").blockers) {
    EXPECT_EQ(in_command_words(each.fix), "freeze with --inference") << each.node;
  }
}

// Each fix is what freeze is then called with: all that is named is needed, and helps.
TEST(FindFixes, NameACutWithItsLayers) {
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2, 2}), constant("w", {1, 2, 3, 4}, {2, 2}),
                      typed("a", "MatMul", {"x", "w"}), typed("b", "MatMul", {"a", "w"}),
                      typed("own", "TheirOwn", {"b"}), typed("y", "MatMul", {"own", "w"})}});
  EXPECT_EQ(fixes_of(graph, "tfjs"), " | without the last of 3 layers: freeze with --outputs b");
  const TargetVerdict verdict = verdict_of_target(graph, "tfjs");
  ASSERT_EQ(verdict.blockers.size(), 1U);
  EXPECT_EQ(verdict.blockers[0].fix, "") << "what is cut off is not fixed";
}

TEST(FindFixes, AreOfOneTargetEach) {
  const Model model{Kind::kGraphDef, "graph.pb", {}, true, with_dropout()};
  const auto targets = find_targets(embedded_histories(), embedded_runtimes(), {}, ops());
  ASSERT_TRUE(targets);
  std::vector<size_t> places;
  for (size_t i = 0; i < targets->size(); ++i) places.push_back(i);
  std::vector<TargetVerdict> verdicts = judge_model(model, *targets, places, {}, ops());
  find_fixes(model, *targets, ops(), verdicts);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    const TargetVerdict alone = verdict_of_target(with_dropout(), verdicts[i].name);
    EXPECT_EQ(verdicts[i].fix, alone.fix) << verdicts[i].name;
    EXPECT_EQ(verdicts[i].cut, alone.cut) << verdicts[i].name;
  }
}

TEST(FindTargets, AreThoseOfTheNames) {
  const auto found = [](const std::vector<std::string>& names) {
    return find_targets(embedded_histories(), embedded_runtimes(), names, ops());
  };
  const auto two = found({"tfjs", "tensorflow-1.15"});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->size(), 2U);
  EXPECT_TRUE(two->is_release(0));
  EXPECT_EQ(two->runtimes[0].name, "tfjs");
  EXPECT_EQ(found({"tensorflow-1.51"}).error().code, "bad-option");
}

}  // namespace
}  // namespace cryo
