#include "passes/prune/cleanup.h"

#include "functions.h"

namespace cryo {
namespace {

Lines cleaned_lines(const std::vector<std::string>& nodes, const Cleanup& cleanup) {
  Diagnostics diagnostics;
  const auto made = clean(model_of(nodes), cleanup, {"y"}, nullptr, diagnostics);
  return made ? described(made->graph) : Lines{failure_of(made)};
}

Lines without_checks_of(const std::vector<std::string>& nodes) {
  return cleaned_lines(nodes, {.drop_checks = true});
}

Lines spliced(const std::vector<std::string>& nodes) {
  return cleaned_lines(nodes, {.splice_identities = true});
}

TEST(Cleaning, ChecksGoAndTheirTakersTakeWhatTheyTook) {
  EXPECT_EQ(
      without_checks_of({placeholder("x"), node("c", "NoOp"),
                         typed("check", "CheckNumerics", {"x:0", "^c"}),
                         node("print", "Print", {"check", "x"}), typed("y", "Relu", {"print"})}),
      (Lines{"x = Placeholder()", "c = NoOp()", "y = Relu(x, ^c)"}));
}

TEST(Cleaning, WhatOnlyAnAssertionAskedForGoesToo) {
  EXPECT_EQ(
      without_checks_of({placeholder("x"), placeholder("p"), node("assert", "Assert", {"p", "x"}),
                         typed("a", "Relu", {"x", "^assert"}), typed("y", "Relu", {"a"})}),
      (Lines{"x = Placeholder()", "a = Relu(x)", "y = Relu(a)"}));
}

TEST(Cleaning, WithinBranchesWhatAnAssertionWaitedForIsStillWaitedFor) {
  // Else the constant would be alive in a branch that is not taken.
  EXPECT_EQ(without_checks_of({placeholder("x"), placeholder("p"), typed("s", "Switch", {"x", "p"}),
                               typed("i", "Identity", {"s:1"}), node("assert", "Assert", {"i"}),
                               node("k", "Const", {"^assert"}), typed("y", "Merge", {"s", "k"})})
                .at(4),
            "k = Const(^i)");
}

TEST(Cleaning, OutputsAndWhatNobodyUsesStay) {
  const Lines lines = {"x = Placeholder()", "y = CheckNumerics(x)", "assert = Assert(x)"};
  EXPECT_EQ(without_checks_of({placeholder("x"), typed("y", "CheckNumerics", {"x"}),
                               node("assert", "Assert", {"x"})}),
            lines);
}

TEST(Cleaning, IdentitiesGoWhereThatIsSafe) {
  EXPECT_EQ(spliced({placeholder("x"), typed("a", "Identity", {"x"}), typed("b", "Identity", {"a"}),
                     typed("s", "Relu", {"b", "^a"}), typed("y", "Identity", {"s"})}),
            (Lines{"x = Placeholder()", "s = Relu(x, ^x)", "y = Identity(s)"}));
}

TEST(Cleaning, IdentitiesStayWhereTheyWaitReadOrSayWhichBranchLives) {
  const std::vector<std::string> nodes = {placeholder("x"),
                                          placeholder("p"),
                                          variable("w", {2}),
                                          typed("read", "Identity", {"w"}),
                                          typed("waits", "Identity", {"x", "^p"}),
                                          typed("s", "Switch", {"x", "p"}),
                                          typed("alive", "Identity", {"s:1"}),
                                          typed("y", "Op", {"read", "waits", "alive"})};
  EXPECT_EQ(spliced(nodes), described(graph_of(nodes)));
}

TEST(Cleaning, AColocationWithAnIdentityThatWentGoesToo) {
  NodeEditor partner(*scan_node(typed("y", "Relu", {"a"})));
  partner.set_attr("_class", string_list_value({"loc:@a", "loc:@x"}));
  Diagnostics diagnostics;
  const auto made =
      clean(model_of({placeholder("x"), typed("a", "Identity", {"x"}), partner.finish()}),
            {.splice_identities = true}, {"y"}, nullptr, diagnostics);
  EXPECT_EQ(colocations(find(made->graph, "y")), std::vector<std::string_view>{"x"});
}

TEST(Cleaning, NoNodeAsksForADeviceAnyMore) {
  const auto f =
      body("f", {{"a", kFloat32}}, {{"y", kFloat32, "r:activations:0"}},
           {NodeEditor(*scan_node(typed("r", "Relu", {"a"}))).set_device("/cpu:1").finish()});
  const Model model{
      Kind::kGraphDef,
      "model.pb",
      {},
      true,
      graph_of(Parts{{NodeEditor(*scan_node(placeholder("x"))).set_device("/gpu:0").finish(),
                      call_of("y", "f", {"x"}, {1}, {1})},
                     {f}})};
  const Model cleared = without_devices(model);
  EXPECT_EQ(device_of(find(cleared.graph, "x")), "");
  EXPECT_EQ(device_of(body_nodes(cleared.graph.functions().front())->front()), "");
  EXPECT_EQ(described(cleared.graph, "f"), described(model.graph, "f"));
}

TEST(Cleaning, BodiesAreCleanedToo) {
  const auto f =
      body("f", {{"a", kFloat32}}, {{"y", kFloat32, "out:output:0"}},
           {typed("same", "Identity", {"a"}), node("alone", "Assert", {"same:output:0"}),
            node("less", "Less", {"same:output:0", "a"}), node("assert", "Assert", {"less:z:0"}),
            typed("check", "CheckNumerics", {"same:output:0", "^assert"}),
            typed("abs", "Abs", {"check:output:0"}), typed("out", "Identity", {"abs:y:0"}),
            typed("waits", "Abs", {"a"}), typed("step", "AssignAdd", {"a", "a"}),
            node("print", "PrintV2", {"step:output_ref:0"})},
           {"assert", "waits"});
  Model model = model_of({});
  model.graph = graph_of(Parts{{placeholder("x"), call_of("y", "f", {"x"}, {1}, {1})}, {f}});
  const Cleanup cleanup{.drop_checks = true, .splice_identities = true};
  Diagnostics diagnostics;
  EXPECT_EQ(described(clean(model, cleanup, {"y"}, &ops(), diagnostics)->graph, "f"),
            (Lines{"a: 1", "abs = Abs(a)", "waits = Abs(a)", "step = AssignAdd(a, a)",
                   "control_output = NoOp()", "return y = abs:y:0"}));
}

TEST(Cleaning, DefaultsGoAndOtherValuesStay) {
  const Model stripped =
      without_defaults(model_of({placeholder("x"),
                                 node("y", "MatMul", {"x", "x"},
                                      {{"T", type_value(1)},
                                       {"transpose_a", bool_value(false)},
                                       {"transpose_b", bool_value(true)}}),
                                 node("z", "Custom", {}, {{"transpose_a", bool_value(false)}})}),
                       ops());
  const Node y = find(stripped.graph, "y");
  EXPECT_FALSE(find_attr(y, "transpose_a"));
  EXPECT_TRUE(find_attr(y, "transpose_b"));
  EXPECT_TRUE(find_attr(y, "T"));
  EXPECT_TRUE(find_attr(find(stripped.graph, "z"), "transpose_a"));
}

}  // namespace
}  // namespace cryo
