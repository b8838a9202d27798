#include "passes/set/unused_captures.h"

#include "functions.h"

namespace cryo {
namespace {

Model trimmed(const Model& model, const std::vector<std::string>& named) {
  return without_unused_captures(model, named).value_or(model);
}

const std::vector<Typed> kState = {
    {"i", 3}, {"most", 3}, {"h", kFloat32}, {"noise", kFloat32}, {"w", kFloat32}};

std::string loop(std::string_view name, const Lines& inputs) {
  return node(name, "While", inputs,
              {{"T", type_list_value({3, 3, 1, 1, 1})},
               {"cond", func_value("asks")},
               {"body", func_value("turn")},
               {"_num_original_outputs", int_value(5)},
               {"parallel_iterations", int_value(10)}});
}

tensorflow::FunctionDef asks() {
  return body("asks", kState, {{"more", kBool, "less:z:0"}},
              {typed("less", "Less", {"i", "most"})});
}

tensorflow::FunctionDef turn(const std::string& noise) {
  return body("turn", kState,
              {{"i_out", 3, "next:z:0"},
               {"most_out", 3, "most"},
               {"h_out", kFloat32, "product:product:0"},
               {"noise_out", kFloat32, noise.c_str()},
               {"w_out", kFloat32, "w"}},
              {typed("next", "AddV2", {"i", "i"}, 3), typed("product", "MatMul", {"h", "w"})});
}

Model model(const std::vector<std::string>& nodes, const std::string& noise = "noise") {
  Model model = model_of({});
  model.graph = graph_of(Parts{nodes, {asks(), turn(noise)}});
  return model;
}

const std::vector<std::string> kNodes = {
    placeholder("a"), placeholder("b"), placeholder("x"),
    placeholder("n"), placeholder("v"), loop("while", {"a", "b", "x", "n", "v", "^x"})};

std::vector<std::string> with(std::vector<std::string> more) {
  std::vector<std::string> nodes = kNodes;
  nodes.insert(nodes.end(), more.begin(), more.end());
  return nodes;
}

TEST(UnusedCaptures, ALoopLosesWhatItsBodyOnlyReturns) {
  const Graph graph =
      trimmed(
          model(with({typed("y", "Identity", {"while:2"}), typed("z", "Identity", {"while:4"})})),
          {"y"})
          .graph;
  EXPECT_EQ(described(find(graph, "while")), "while = While(a, b, x, v, ^x)");
  EXPECT_EQ(described(find(graph, "y")), "y = Identity(while:2)");
  EXPECT_EQ(described(find(graph, "z")), "z = Identity(while:3)");
  EXPECT_EQ(int_attr(find(graph, "while"), "_num_original_outputs"), 4);
  EXPECT_EQ(described(graph, "turn"),
            (Lines{"i: 3", "most: 3", "h: 1", "w: 1", "next = AddV2(i, i)",
                   "product = MatMul(h, w)", "return i_out = next:z:0", "return most_out = most",
                   "return h_out = product:product:0", "return w_out = w"}));
  EXPECT_EQ(described(graph, "asks"), (Lines{"i: 3", "most: 3", "h: 1", "w: 1",
                                             "less = Less(i, most)", "return more = less:z:0"}));
}

TEST(UnusedCaptures, AnOutputThatIsTakenOrNamedStays) {
  const Model taken = model(with({typed("y", "Identity", {"while:3"})}));
  EXPECT_EQ(trimmed(taken, {"y"}).graph.skeleton(), taken.graph.skeleton());
  for (const char* name : {"while:3", "while:4"}) {
    EXPECT_EQ(trimmed(model(kNodes), {name}).graph.skeleton(), model(kNodes).graph.skeleton());
  }
  EXPECT_NE(trimmed(model(kNodes), {"while:2"}).graph.skeleton(), model(kNodes).graph.skeleton());
}

TEST(UnusedCaptures, WhatTheBodyChangesOrUsesStays) {
  EXPECT_EQ(trimmed(model(kNodes, "product:product:0"), {}).graph.skeleton(),
            model(kNodes, "product:product:0").graph.skeleton());
}

// outer(a, u) hands u on to inner, which does not use it.
TEST(UnusedCaptures, WhatACallOnlyHandsOnIsRemovedEverywhere) {
  const std::vector<Typed> args = {{"a", kFloat32}, {"u", kFloat32}};
  Model model = model_of({});
  model.graph = graph_of(
      Parts{{placeholder("x"), placeholder("n"), call_of("y", "outer", {"x", "n"}, {1, 1}, {1})},
            {body("outer", args, {{"r", kFloat32, "c:output:0"}},
                  {call_of("c", "inner", {"a", "u"}, {1, 1}, {1})}),
             body("inner", args, {{"r", kFloat32, "t:y:0"}}, {typed("t", "Tanh", {"a"})})}});
  const Graph graph = trimmed(model, {"y"}).graph;
  EXPECT_EQ(described(find(graph, "y")), "y = PartitionedCall(x)");
  EXPECT_EQ(described(graph, "outer"),
            (Lines{"a: 1", "c = PartitionedCall(a)", "return r = c:output:0"}));
  EXPECT_EQ(described(graph, "inner"), (Lines{"a: 1", "t = Tanh(a)", "return r = t:y:0"}));
}

// The branches of an If have the same arguments: what one of them uses stays.
TEST(UnusedCaptures, BranchesLoseTheSameArguments) {
  const std::vector<Typed> args = {{"a", kFloat32}, {"u", kFloat32}, {"v", kFloat32}};
  const auto branch = [&](const char* name, const char* arg) {
    return body(name, args, {{"r", kFloat32, "t:y:0"}}, {typed("t", "Tanh", {arg})});
  };
  Model model = model_of({});
  model.graph = graph_of(Parts{{placeholder("p"), placeholder("x"),
                                node("y", "If", {"p", "x", "x", "x"},
                                     {{"Tin", type_list_value({1, 1, 1})},
                                      {"then_branch", func_value("one")},
                                      {"else_branch", func_value("other")}})},
                               {branch("one", "a"), branch("other", "v")}});
  const Graph graph = trimmed(model, {}).graph;
  EXPECT_EQ(described(find(graph, "y")), "y = If(p, x, x)");
  EXPECT_EQ(described(graph, "one"), (Lines{"a: 1", "v: 1", "t = Tanh(a)", "return r = t:y:0"}));
}

}  // namespace
}  // namespace cryo
