#include "passes/weights/find_weights.h"

#include "graphs.h"
#include "model/string_tensor.h"
#include "model/variables.h"
#include "model/written_prefix.h"
#include "only_model.h"
#include "passes/freeze/training_switch.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/weights/weight_names.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

TEST(Weights, HaveNames) {
  for (const char* name : {"conv1/kernel", "W_conv1", "b", "b2", "w", "a/weights_1", "ln/gamma",
                           "layer_norm_bias", "embedding", "position_embeddings", "alpha1"}) {
    EXPECT_EQ(name_hint(name), NameHint::kWeight) << name;
  }
  for (const char* name : {"bn/moving_mean", "moving_variance_1", "running_var"}) {
    EXPECT_EQ(name_hint(name), NameHint::kStatistics) << name;
  }
  for (const char* name : {"sub/y", "a/mul_3/x", "Const", "a/Const_12"}) {
    EXPECT_EQ(name_hint(name), NameHint::kLiteral) << name;
  }
  for (const char* name : {"anchors", "mean", "y", "x", "Constant", "Const_a", "base", "pcmax"}) {
    EXPECT_EQ(name_hint(name), NameHint::kNone) << name;
  }
}

// "c: confidence" of each, "c: confidence, statistics" of what training does not change.
Lines judged(std::vector<std::string> nodes) {
  nodes.push_back(placeholder("x", {-1, 2}));
  nodes.push_back(constant("k", {1, 2, 3, 4, 5, 6}, {2, 3}));
  nodes.push_back(node("mm", "MatMul", {"x", "k"}));
  const Graph graph = graph_of(nodes);
  Lines lines;
  for (const Weight& each : find_weights(graph, {})) {
    const std::string_view name = graph.nodes()[each.node].name;
    if (name == "k") continue;
    lines.push_back(cat(name, ": ", each.confidence, each.trainable ? "" : ", statistics"));
  }
  return lines;
}

std::string three(std::string_view name) { return constant(name, {1, 2, 3}, {3}); }

TEST(Weights, AreAddedToALayer) {
  EXPECT_EQ(judged({three("c"), node("y", "AddV2", {"mm", "c"})}), Lines{"c: high"});
  EXPECT_EQ(judged({three("c"), node("r", "Reshape", {"mm", "s"}), node("y", "Add", {"r", "c"})}),
            Lines{"c: high"});
  EXPECT_EQ(judged({three("y/y"), node("y", "AddV2", {"mm", "y/y"})}), Lines{"y/y: high"});
  EXPECT_EQ(judged({constant("c", {1, 2}, {2}), node("y", "AddV2", {"mm", "c"})}),
            Lines{"c: fair"});
  EXPECT_EQ(judged({constant("c", {1, 2, 3, 4, 5, 6}, {2, 3}), node("y", "AddV2", {"mm", "c"})}),
            Lines{"c: fair"});
  EXPECT_EQ(judged({three("c"), node("y", "AddV2", {"z", "c"})}), Lines{"c: fair"});
}

TEST(Weights, AreSlopesOfALayersChannels) {
  const std::string a = node("a", "Abs", {"mm"}), s = node("s", "Sub", {"mm", "a"});
  EXPECT_EQ(judged({three("c"), a, s, node("y", "Mul", {"s", "c"})}), Lines{"c: high"});
  EXPECT_EQ(judged({three("y/y"), a, s, node("y", "Mul", {"s", "y/y"})}), Lines{"y/y: fair"});
  EXPECT_EQ(judged({three("c"), node("s", "Softmax", {"mm"}), node("y", "Mul", {"s", "c"})}),
            Lines{"c: fair"});
}

TEST(Weights, AreOfNormalizations) {
  EXPECT_EQ(judged({three("v"), three("g"), three("m"), three("b"), constant("eps", {0.1F}, {}),
                    node("e", "Add", {"v", "eps"}), node("r", "Rsqrt", {"e"}),
                    node("rg", "Mul", {"r", "g"}), node("xg", "Mul", {"z", "rg"}),
                    node("mg", "Mul", {"m", "rg"}), node("o", "Sub", {"b", "mg"}),
                    node("y", "AddV2", {"xg", "o"})}),
            (Lines{"v: high, statistics", "g: high", "m: high, statistics", "b: high"}));
}

TEST(Weights, AreNamedInArithmetic) {
  EXPECT_EQ(judged({three("d/bias"), three("bn/moving_mean"), node("y", "Mul", {"z", "d/bias"}),
                    node("w", "Sub", {"z", "bn/moving_mean"})}),
            (Lines{"d/bias: high", "bn/moving_mean: high, statistics"}));
}

// A literal is not a weight where variables have their reads.
TEST(Weights, AreNoLiteralsAmongVariables) {
  const std::string basis = constant("Const_1", {1, 2, 3, 4}, {2, 2});
  const std::string uses = node("y", "MatMul", {"x", "Const_1"});
  EXPECT_EQ(judged({basis, uses}), Lines{"Const_1: high"});
  EXPECT_EQ(judged({basis, uses, node("k/read", "Identity", {"k"})}), Lines{"Const_1: fair"});
}

TEST(Weights, AreTablesOfRows) {
  const auto gather = [](const std::string& from) {
    return node("y", "GatherV2", {from, "ids", "axis"});
  };
  EXPECT_EQ(judged({constant("t", {1, 2, 3, 4}, {2, 2}), gather("t")}), Lines{"t: high"});
  EXPECT_EQ(judged({three("t"), gather("t")}), Lines{"t: fair"});
}

TEST(Weights, AreQuantized) {
  const std::string q =
      node("q", "Const", {}, {{"dtype", type_value(12)}, {"value", tensor_value("")}});
  EXPECT_EQ(judged({q, node("y", "QuantizedConv2D", {"x", "q"})}), Lines{"q: high, statistics"});
  EXPECT_EQ(judged({q, node("d", "Dequantize", {"q", "a", "b"}), node("y", "MatMul", {"x", "d"})}),
            Lines{"q: high, statistics"});
}

TEST(Weights, AreNoRanges) {
  const std::string op = "FakeQuantWithMinMaxVarsPerChannel";
  EXPECT_EQ(judged({three("lo"), three("hi"), node("y", op, {"mm", "lo", "hi"})}),
            (Lines{"lo: fair, statistics", "hi: fair, statistics"}));
  EXPECT_EQ(judged({three("lo"), node("lo/read", "Identity", {"lo"}),
                    node("y", op, {"mm", "lo/read", "x"})}),
            Lines{"lo: high, statistics"});
}

Lines names(const std::vector<Conversion>& conversions) {
  Lines all;
  for (const Conversion& each : conversions) all.push_back(each.name);
  return all;
}

TEST(Unfreeze, ListsArithmeticConstantsAndTakesThemWhereAsked) {
  const Model model =
      model_of({placeholder("x", {-1, 2}), constant("means", {1, 2}, {2}),
                constant("w", {1, 2, 3, 4}, {2, 2}), constant("c", {5, 6}, {2}),
                constant("anchors", {1, 2, 3, 4}, {2, 2}), node("centered", "Sub", {"x", "means"}),
                node("mm", "MatMul", {"centered", "w"}), node("sum", "AddV2", {"mm", "c"}),
                node("y", "Add", {"sum", "anchors"})});
  Diagnostics diagnostics;
  const auto unfrozen = [&](const UnfreezeOptions& options) {
    return *unfreeze(model, options, diagnostics);
  };
  const UnfreezeResult result = unfrozen({});
  EXPECT_EQ(names(result.converted), (Lines{"w", "c"}));
  EXPECT_EQ(names(result.candidates), (Lines{"means", "anchors"}));
  EXPECT_EQ(codes(diagnostics), Lines{"maybe-weights"});
  UnfreezeOptions options;
  options.weights.constants = {"auto", "anchors"};
  EXPECT_EQ(names(unfrozen(options).converted), (Lines{"w", "c", "anchors"}));
}

TEST(Unfreeze, MakesNodesOfOneSharedNameOneVariableAgain) {
  const auto handle = [](std::string_view name) {
    return node(name, "VarHandleOp", {},
                {{"dtype", type_value(kFloat32)},
                 {"shape", shape_value(shape_bytes({2}))},
                 {"shared_name", string_value("w")}});
  };
  const auto read = [](std::string_view name, const std::string& of) {
    return node(name, "ReadVariableOp", {of}, {{"dtype", type_value(kFloat32)}});
  };
  const Model model =
      model_of({placeholder("x"), handle("h1"), handle("h2"), read("r1", "h1"), read("r2", "h2"),
                node("m", "Mul", {"x", "r1"}), node("y", "BiasAdd", {"m", "r2"})},
               checkpoint_of({{"w", {3, 4}}}));
  Diagnostics diagnostics;
  FreezeOptions options;
  options.selection.outputs = {"y"};
  const auto frozen = freeze(model, options, {}, diagnostics);
  ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
  const auto back = only_model(unfreeze(frozen->model, {}, diagnostics));
  ASSERT_TRUE(back.ok()) << failure_of(back);
  for (const char* name : {"h1", "h2"}) {
    EXPECT_EQ(string_attr(find(back->graph, name), "shared_name"), "w");
  }
  ASSERT_EQ(back->checkpoint->entries.size(), 1U);
  EXPECT_EQ(back->checkpoint->entries[0].key, "w");
}

TEST(Unfreeze, RestoresFromTheCheckpointThatIsWrittenWithTheGraph) {
  Diagnostics diagnostics;
  const Model model = model_of({placeholder("x", {-1, 2}), constant("w", {1, 2, 3, 4}, {2, 2}),
                                node("y", "MatMul", {"x", "w"})});
  const auto planned = only_model(unfreeze(model, {}, diagnostics));
  for (const char* out : {"a/b.ckpt", "other"}) {
    const Model written = with_written_prefix(*planned, out);
    const Node prefix = find(written.graph, "checkpoint_initializer/prefix");
    const auto strings = read_strings(tensor_attr(prefix, "value").value_or(""), *written.payloads);
    EXPECT_EQ(*strings, Lines{out});
    EXPECT_EQ(described(with_written_prefix(written, out).graph), described(written.graph));
  }
}

std::string against(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const NodeNames names(graph.nodes());
  const Edges edges(graph.nodes(), names);
  return value_against(graph.nodes(), edges, names.find("a"));
}

TEST(TrainingSwitch, IsNamedWithTheValueThatRulesOut) {
  const std::string p = placeholder("p");
  EXPECT_EQ(against({p, node("s", "Switch", {"x", "p"}), node("a", "Assign", {"v", "s:1"})}),
            "p=false");
  EXPECT_EQ(against({p, node("n", "LogicalNot", {"p"}), node("i", "Identity", {"n"}),
                     node("s", "Switch", {"x", "i"}), node("a", "Assign", {"v", "s:1"})}),
            "p=true");
  EXPECT_EQ(against({p, node("s", "Switch", {"x", "p"}), node("a", "Assign", {"v", "s"})}),
            "p=true");
  EXPECT_EQ(against({p, node("a", "If", {"p", "x"})}), "p=false");
  EXPECT_EQ(against({p, node("a", "Assign", {"v", "p"})}), "");
}

TEST(Variables, ShareTheValueOfTheirSharedName) {
  const auto variable = [](std::string_view name, std::string_view shared) {
    return node(name, "VariableV2", {},
                {{"dtype", type_value(kFloat32)},
                 {"shape", shape_value(shape_bytes({1}))},
                 {"shared_name", string_value(shared)}});
  };
  const Model model = model_of({variable("a", ""), variable("b", "a"), variable("c", "other")},
                               checkpoint_of({{"a", {1}}}));
  Lines keys;
  for (const Variable& each : variables_of(model)) keys.push_back(each.key);
  EXPECT_EQ(keys, (Lines{"a", "a", "c"}));
}

}  // namespace
}  // namespace cryo
