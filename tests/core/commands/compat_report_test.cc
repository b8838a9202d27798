#include "commands/compat_report.h"

#include "functions.h"
#include "histories.h"
#include "only_model.h"
#include "reports.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

constexpr std::string_view kFrozen = "freeze it: cryograph freeze PATH -o OUT.pb";

Json target_of(const Graph& graph, const std::string& target) {
  Options options;
  options.targets = {target};
  options.compat = {embedded_histories(), embedded_runtimes()};
  const Model model{Kind::kGraphDef, "graph.pb", {}, true, graph};
  const Outcome outcome = run_compat(model, options, &ops(), {});
  const Json report = report_of(outcome);
  EXPECT_TRUE(report.contains("targets")) << report.dump();
  return report["targets"][0];
}

// "FUNCTION/OP: fix", one for each blocker in a function's body.
Lines fixes_in_bodies(const Graph& graph, const std::string& target) {
  Lines lines;
  const Json judged = target_of(graph, target);
  for (const Json& each : judged["blockers"]) {
    if (!each.contains("function")) continue;
    lines.push_back(cat(each["function"].get<std::string>(), "/", each["op"].get<std::string>(),
                        ": ", each.value("fix", "")));
  }
  return lines;
}

// "runs", or the failure, of the graph that `freeze --for` makes.
std::string fitted(const Graph& graph, const std::string& release) {
  const FreezeOptions options{.for_release = release};
  const OpData data{&ops(), embedded_histories()};
  Diagnostics diagnostics;
  const auto made = only_model(
      freeze({Kind::kGraphDef, "graph.pb", {}, true, graph}, options, data, diagnostics));
  if (!made) return made.error().code;
  return target_of(made->graph, release)["runs"].get<bool>() ? "runs" : "does not run";
}

tensorflow::FunctionDef of_one_node(const std::string& name, const std::string& node) {
  return body(name, {{"a", kFloat32}}, {{"r", kFloat32, "n:z:0"}}, {node});
}

tensorflow::FunctionDef sum() { return of_one_node("sum", typed("n", "AddV2", {"a", "a"})); }

// TensorFlow has the op since 2.6.
tensorflow::FunctionDef product() {
  const std::string multiplied = node(
      "n", "BatchMatMulV3", {"a", "a"},
      {{"Ta", type_value(kFloat32)}, {"Tb", type_value(kFloat32)}, {"Tout", type_value(kFloat32)}});
  return body("product", {{"a", kFloat32}}, {{"r", kFloat32, "n:output:0"}}, {multiplied});
}

std::string called(const std::string& function, const Attrs& more = {}) {
  Attrs attrs = {{"Tin", type_list_value({kFloat32})},
                 {"Tout", type_list_value({kFloat32})},
                 {"f", func_value(function)}};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return node("c", "PartitionedCall", {"x"}, attrs);
}

// A list of one shape, [].
std::string scalars() {
  std::string list;
  put_bytes_field(list, fields::AttrValue::ListValue::kShape, shape_bytes({}));
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

// Nodes that apply `product` to the elements of a data set.
Lines mapped() {
  const Attrs about = {{"output_types", type_list_value({kFloat32})}, {"output_shapes", scalars()}};
  Attrs of_map = about;
  of_map.emplace_back("f", func_value("product"));
  of_map.emplace_back("Targuments", type_list_value({}));
  return {node("slices", "TensorSliceDataset", {"x"},
               {{"Toutput_types", type_list_value({kFloat32})}, about[1]}),
          node("map", "MapDataset", {"slices"}, of_map),
          node("y", "DatasetToSingleElement", {"map"}, about)};
}

TEST(CompatReport, ABlockerInACalledBodyIsFixedByInliningIt) {
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x", {2}), called("sum"), typed("y", "Relu", {"c"})},
                     .functions = {sum()}});
  EXPECT_EQ(fixes_in_bodies(graph, "tensorflow-1.4"),
            Lines({"sum/AddV2: freeze with --for RELEASE"}));
  EXPECT_EQ(target_of(graph, "tensorflow-1.4")["fix"], "freeze with --for tensorflow-1.4");
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "runs");
}

TEST(CompatReport, ABlockerInALoopsBodyIsFixedByLoweringIt) {
  const auto more = body("more", {{"a", kFloat32}}, {{"r", kBool, "n:z:0"}},
                         {node("n", "Less", {"a", "a"}, {{"T", type_value(kFloat32)}})});
  const Graph graph = graph_of(Parts{.nodes = {placeholder("x", {}),
                                               node("loop", "While", {"x"},
                                                    {{"T", type_list_value({kFloat32})},
                                                     {"cond", func_value("more")},
                                                     {"body", func_value("sum")}}),
                                               typed("y", "Relu", {"loop"})},
                                     .functions = {sum(), more}});
  EXPECT_EQ(fixes_in_bodies(graph, "tensorflow-1.4"),
            Lines({"sum/AddV2: freeze with --for RELEASE"}));
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "runs");
}

// The release has PartitionedCall and refuses what the body has.
TEST(CompatReport, ACallThatTheReleaseHasIsInlinedForItsBody) {
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2, 2}), called("product"), typed("y", "Relu", {"c"})},
            .functions = {product()}});
  EXPECT_EQ(fixes_in_bodies(graph, "tensorflow-1.15"),
            Lines({"product/BatchMatMulV3: freeze with --for RELEASE"}));
  EXPECT_EQ(fitted(graph, "tensorflow-1.15"), "runs");
}

TEST(CompatReport, ABodysOpWithoutOlderFormHasNoFix) {
  const auto function =
      of_one_node("sum", node("n", "TheirOwn", {"a"}, {{"T", type_value(kFloat32)}}));
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x", {2}), called("sum"), typed("y", "Relu", {"c"})},
                     .functions = {function}});
  EXPECT_EQ(fixes_in_bodies(graph, "tensorflow-1.4"), Lines({"sum/TheirOwn: "}));
  EXPECT_FALSE(target_of(graph, "tensorflow-1.4").contains("fix"));
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "release-refused");
}

TEST(CompatReport, ABodyThatIsNotInlinedHasNoFix) {
  const Lines unfixed = {"product/BatchMatMulV3: "};
  Lines nodes = {placeholder("x", {2, 2, 2})};
  for (const std::string& each : mapped()) nodes.push_back(each);
  const Graph data_set = graph_of(Parts{.nodes = nodes, .functions = {product()}});
  EXPECT_EQ(fixes_in_bodies(data_set, "tensorflow-2.4"), unfixed);
  EXPECT_EQ(fitted(data_set, "tensorflow-2.4"), "release-refused");
  nodes.push_back(called("product"));
  nodes.push_back(typed("z", "Add", {"c", "y"}));
  const Graph both = graph_of(Parts{.nodes = nodes, .functions = {product()}});
  EXPECT_EQ(fixes_in_bodies(both, "tensorflow-2.4"), unfixed) << "the data set still has it";
  EXPECT_EQ(fitted(both, "tensorflow-2.4"), "release-refused");
  const Graph compiled =
      graph_of(Parts{.nodes = {placeholder("x", {2, 2, 2}),
                               called("product", {{"_XlaMustCompile", bool_value(true)}}),
                               typed("y", "Relu", {"c"})},
                     .functions = {product()}});
  EXPECT_EQ(fixes_in_bodies(compiled, "tensorflow-2.4"), unfixed);
  EXPECT_EQ(fitted(compiled, "tensorflow-2.4"), "release-refused");
}

TEST(CompatReport, AGraphThatCannotBeFrozenHasNoFixInBodies) {
  const auto endless = body("sum", {{"a", kFloat32}}, {{"r", kFloat32, "n:z:0"}},
                            {typed("n", "AddV2", {"inner:output:0", "a"}),
                             call_of("inner", "sum", {"a"}, {kFloat32}, {kFloat32})});
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x", {2}), called("sum"), typed("y", "Relu", {"c"})},
                     .functions = {endless}});
  EXPECT_EQ(fixes_in_bodies(graph, "tensorflow-1.4"),
            Lines({"sum/AddV2: ", "sum/PartitionedCall: "}));
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "recursive-function");
}

TEST(CompatReport, ANodeThatNoOutputNeedsIsFixedByFreezing) {
  const Graph graph = graph_of(
      Parts{.nodes = {variable("w", {2}, "VarHandleOp"), node("save", "DisableCopyOnRead", {"w"}),
                      placeholder("x", {2}), typed("y", "Relu", {"x"})}});
  EXPECT_EQ(target_of(graph, "tensorflow-1.4").value("fix", ""), kFrozen);
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "runs");
}

// In place of a loop with two outputs that are the graph's, lowering puts an IdentityN.
TEST(CompatReport, ALoopIsNotFixedByANodeThatTheReleaseLacks) {
  const auto more = body("more", {{"a", kFloat32}, {"b", kFloat32}}, {{"r", kBool, "n:z:0"}},
                         {typed("n", "Less", {"a", "b"})});
  const auto step =
      body("step", {{"a", kFloat32}, {"b", kFloat32}},
           {{"r", kFloat32, "n:y:0"}, {"s", kFloat32, "b"}}, {typed("n", "Neg", {"a"})});
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {}), node("loop", "While", {"x", "x"},
                                                 {{"T", type_list_value({kFloat32, kFloat32})},
                                                  {"cond", func_value("more")},
                                                  {"body", func_value("step")}})},
            .functions = {more, step}});
  EXPECT_FALSE(target_of(graph, "tensorflow-1.2").contains("fix"));
  EXPECT_EQ(fitted(graph, "tensorflow-1.2"), "release-refused");
  EXPECT_EQ(target_of(graph, "tensorflow-1.4").value("fix", ""),
            "freeze with --lower-control-flow");
  EXPECT_EQ(fitted(graph, "tensorflow-1.4"), "runs");
}

// x -> own -> layer (with w) -> y, and the same with an op that the target has in place of `own`.
Graph with_own_beginning(const std::string& op) {
  return graph_of(Parts{.nodes = {placeholder("x", {2}), typed("own", "TheirOwn", {"x"}),
                                  constant("w", {1, 2}, {2}), typed("layer", op, {"own", "w"}),
                                  typed("y", "Relu", {"layer"})}});
}

TEST(CompatReport, AnOpWithoutFixIsCutOffIfTheWeightsRemain) {
  const Json cut = target_of(with_own_beginning("Mul"), "tfjs");
  EXPECT_EQ(cut.value("cut", ""), "without the first 2 of 4 nodes: freeze with --inputs own");
  EXPECT_FALSE(cut.contains("fix")) << "a part is not the model";
  EXPECT_FALSE(cut["blockers"][0].contains("fix"));
  EXPECT_EQ(target_of(with_own_beginning("AddV2"), "tensorflow-1.4").value("cut", ""),
            "without the first 2 of 4 nodes: freeze with --for tensorflow-1.4 and --inputs own");
}

// The part still has the body's AddV2, which TensorFlow 1.4 lacks.
TEST(CompatReport, APartMayNeedOpDowngradesToo) {
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2}), typed("own", "TheirOwn", {"x"}), called("sum"),
                      constant("w", {1, 2}, {2}), typed("layer", "Mul", {"own", "w"}),
                      typed("y", "Mul", {"layer", "c"})},
            .functions = {sum()}});
  EXPECT_EQ(target_of(graph, "tensorflow-1.4").value("cut", ""),
            "without the first of 5 nodes: freeze with --for tensorflow-1.4 and --inputs own");
}

TEST(CompatReport, AnOpWithoutTypeIsNotCutOff) {
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x", {2}), node("own", "TheirOwn", {"x"}),
                               constant("w", {1, 2}, {2}), typed("layer", "Mul", {"own", "w"})}});
  EXPECT_FALSE(target_of(graph, "tfjs").contains("cut")) << "freeze could make no placeholder";
}

// OpenCV takes weights that are a constant, and not those that a node gives.
TEST(CompatReport, ARuntimeThatDoesNotFoldConstantsTakesTheFoldedGraph) {
  const auto product = [](const std::string& op) {
    const Attrs type = {{"T", type_value(kFloat32)}, {"Tshape", type_value(kInt32)}};
    return target_of(
        graph_of(Parts{.nodes = {placeholder("x", {2, 3}), constant("stored", {1, 2, 3}, {3}),
                                 ints("sizes", {3, 1}), node("w", op, {"stored", "sizes"}, type),
                                 typed("y", "MatMul", {"x", "w"})}}),
        "opencv");
  };
  EXPECT_EQ(product("Reshape").value("fix", ""), "freeze with --fold-constants");
  EXPECT_FALSE(product("TheirOwn").contains("fix"));
}

TEST(CompatReport, TheBatchMayBeAllThatIsMissing) {
  const auto fix = [](const std::vector<int64_t>& dims) {
    const Graph graph = graph_of(Parts{.nodes = {placeholder("x", dims), ints("axis", {1}, true),
                                                 typed("y", "ExpandDims", {"x", "axis"})}});
    return target_of(graph, "opencv")["blockers"][0].value("fix", "");
  };
  EXPECT_EQ(fix({-1, 3}), "edit with --batch 1");
  EXPECT_EQ(fix({-1, -1}), "edit with --placeholder NAME=KIND");
}

// A batch normalization whose scale is in the way of its pattern.
TEST(CompatReport, ARuntimeMayTakeFoldedBatchNormalization) {
  const std::vector<float> ones = {1, 1};
  const Graph graph = graph_of(Parts{
      .nodes = {placeholder("x", {2, 3}), constant("w", {1, 2, 3, 4, 5, 6}, {3, 2}),
                constant("variance", ones, {2}), constant("gamma", ones, {2}),
                constant("mean", ones, {2}), constant("beta", ones, {2}),
                typed("product", "MatMul", {"x", "w"}), typed("deviation", "Rsqrt", {"variance"}),
                typed("scale", "Mul", {"deviation", "gamma"}),
                typed("scaled", "Mul", {"product", "scale"}),
                typed("moved", "Mul", {"mean", "scale"}), typed("offset", "Sub", {"beta", "moved"}),
                typed("y", "AddV2", {"scaled", "offset"})}});
  EXPECT_EQ(target_of(graph, "opencv").value("fix", ""),
            "freeze with --fold-constants and --fold-batch-norm");
}

TEST(CompatReport, ARuntimeThatMakesNoCallsTakesTheLoweredGraph) {
  const auto fix = [](const std::string& op) {
    const auto function =
        body("sum", {{"a", kFloat32}}, {{"r", kFloat32, "n:y:0"}}, {typed("n", op, {"a"})});
    return target_of(graph_of(Parts{
                         .nodes = {placeholder("x", {2}), called("sum"), typed("y", "Relu", {"c"})},
                         .functions = {function}}),
                     "tfjs")
        .value("fix", "");
  };
  EXPECT_EQ(fix("Tanh"), "freeze with --lower-control-flow");
  EXPECT_EQ(fix("TheirOwn"), "");
}

}  // namespace
}  // namespace cryo
