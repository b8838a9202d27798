#include "picture/draw.h"

#include "functions.h"
#include "graphs.h"
#include "picture/glyphs.h"
#include "picture/write/picture_html.h"
#include "picture/write/picture_json.h"
#include "picture/write/picture_svg.h"

namespace cryo {
namespace {

constexpr uint64_t kEverything = 100;

Picture drawn(const Graph& graph, const DrawOptions& options = {}) {
  Result<Picture> picture = draw(graph, options);
  EXPECT_TRUE(picture.ok());
  return picture ? std::move(*picture) : Picture();
}

Picture open_drawn(const Graph& graph) { return drawn(graph, {.opening = {.depth = kEverything}}); }

Picture closed_drawn(const Graph& graph) { return drawn(graph, {.opening = {.depth = 0}}); }

// "group conv {4}": kind, name and nodes of each box.
Lines boxes_of(const Picture& picture) {
  Lines lines;
  for (const Box& box : picture.boxes)
    lines.push_back(cat(box_kind_name(box.kind), " ", box.name, " {", box.nodes, "}"));
  std::sort(lines.begin(), lines.end());
  return lines;
}

// "a -> b": names of the ends; "~" of a stub, "^" of a back edge.
Lines edges_of(const Picture& picture) {
  Lines lines;
  for (const PictureEdge& edge : picture.edges) {
    lines.push_back(cat(picture.boxes[edge.from].name, edge.stub ? " ~> " : " -> ",
                        picture.boxes[edge.to].name, edge.back ? " ^" : ""));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string relu(const std::string& name, const std::string& input) {
  return node(name, "Relu", {input});
}

TEST(Draw, AWeightIsALineOfItsLayer) {
  const Graph graph = graph_of({placeholder("x"), variable("conv/w", {3, 3, 32, 64}),
                                node("conv/w/read", "Identity", {"conv/w"}),
                                node("conv/Conv2D", "Conv2D", {"x", "conv/w/read"})});
  const Picture picture = drawn(graph);
  EXPECT_EQ(boxes_of(picture), (Lines{"node conv/Conv2D {3}", "node x {1}"}));
  EXPECT_EQ(edges_of(picture), (Lines{"x -> conv/Conv2D"}));
  const Box& conv = picture.boxes.back();
  ASSERT_EQ(conv.parameters.size(), 1U);
  EXPECT_EQ(conv.parameters[0].name, "conv/w");
  EXPECT_EQ(to_text(conv.parameters[0].shape), "[3,3,32,64]");
  EXPECT_EQ(conv.bytes, 3U * 3 * 32 * 64 * 4);
}

TEST(Draw, RawFoldsNothing) {
  const Graph graph =
      graph_of({placeholder("x"), constant("w", {1, 2}, {2}), node("y", "Mul", {"x", "w"})});
  EXPECT_EQ(drawn(graph).boxes.size(), 2U);
  EXPECT_EQ(drawn(graph, {.raw = true}).boxes.size(), 3U);
}

TEST(Draw, AWeightOfTwoLayersStaysABox) {
  const std::vector<float> values(16, 1);
  const Graph graph = graph_of({placeholder("x"), constant("w", values, {4, 4}),
                                node("a", "MatMul", {"x", "w"}), node("b", "MatMul", {"a", "w"})});
  EXPECT_EQ(edges_of(drawn(graph)), (Lines{"a -> b", "w -> a", "w -> b", "x -> a"}));
}

TEST(Draw, ScopesOfOneUnitAreJoined) {
  const Graph graph = graph_of(
      {placeholder("x"), relu("a/b/p", "x"), relu("a/b/q", "a/b/p"), relu("c/only", "a/b/q")});
  EXPECT_EQ(boxes_of(open_drawn(graph)), (Lines{"group a/b {2}", "node a/b/p {1}", "node a/b/q {1}",
                                                "node c/only {1}", "node x {1}"}));
}

TEST(Draw, AChainOfEqualGroupsIsAStack) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int i = 1; i <= 4; ++i) {
    nodes.push_back(node(cat("block_", i, "/Tanh"), "Tanh", {last}));
    last = cat("block_", i, "/Relu");
    nodes.push_back(relu(last, cat("block_", i, "/Tanh")));
  }
  const Picture picture = closed_drawn(graph_of(nodes));
  EXPECT_EQ(boxes_of(picture), (Lines{"node x {1}", "stack block_1 … block_4 {8}"}));
  EXPECT_EQ(picture.boxes.back().repeats, 4U);
}

TEST(Draw, EqualNodesSideBySideAreAStackButInputsAreNot) {
  const Graph graph =
      graph_of({placeholder("a"), placeholder("b"), placeholder("c"), placeholder("d"),
                node("s", "Pack", {"a", "b", "c", "d"}), relu("r1", "s"), relu("r2", "s"),
                relu("r3", "s"), relu("r4", "s"), node("t", "Pack", {"r1", "r2", "r3", "r4"})});
  EXPECT_EQ(boxes_of(closed_drawn(graph)),
            (Lines{"node a {1}", "node b {1}", "node c {1}", "node d {1}", "node s {1}",
                   "node t {1}", "stack r1 … r4 {4}"}));
}

TEST(Draw, TheFirstViewHasAboutEightyBoxes) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int i = 0; i < 2'000; ++i) {
    const std::string name = cat("n", i);
    nodes.push_back(node(name, i % 7 == 0 ? "Tanh" : i % 11 == 0 ? "Abs" : "Relu", {last}));
    last = name;
  }
  const Picture picture = drawn(graph_of(nodes));
  EXPECT_GT(picture.boxes.size(), 20U);
  EXPECT_LE(picture.boxes.size(), 80U);
}

TEST(Draw, WhatOnlyTrainingNeedsIsAside) {
  const Graph graph =
      graph_of({placeholder("x", {1, 4}), variable("w", {4, 4}), node("w/read", "Identity", {"w"}),
                node("y", "MatMul", {"x", "w/read"}),
                node("save/SaveV2", "SaveV2", {"save/Const", "w"}), constant("save/Const", {1}, {}),
                constant("init", {1}, {}), node("w/Assign", "Assign", {"w", "init"})});
  EXPECT_EQ(boxes_of(drawn(graph)),
            (Lines{"node x {1}", "node y {3}", "tray :initialization {2}", "tray :saving {2}"}));
}

TEST(Draw, ALoopIsClosedByABackEdge) {
  const Attrs frame = {{"frame_name", string_value("f")}};
  const Graph graph = graph_of({placeholder("x"), node("while/Enter", "Enter", {"x"}, frame),
                                node("while/Merge", "Merge", {"while/Enter", "while/Next"}),
                                node("while/Cond", "LoopCond", {"while/Merge"}),
                                node("while/Switch", "Switch", {"while/Merge", "while/Cond"}),
                                node("while/Next", "NextIteration", {"while/Switch:1"}),
                                node("while/Exit", "Exit", {"while/Switch"})});
  const Lines edges = edges_of(open_drawn(graph));
  EXPECT_NE(std::find(edges.begin(), edges.end(), "while/Next ~> while/Merge ^"), edges.end());
  EXPECT_EQ(std::count_if(edges.begin(), edges.end(),
                          [](const std::string& edge) { return edge.ends_with("^"); }),
            1);
}

TEST(Draw, NamesAreEscapedInSvgAndHtml) {
  const Graph graph = graph_of({placeholder("<script>alert(1)</script>&\x1b[2J")});
  for (const std::string& text :
       {picture_svg(drawn(graph), "<b>\"m\""), picture_html(drawn(graph), "<b>\"m\"")}) {
    EXPECT_EQ(text.find("<script>alert"), std::string::npos);
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("<b>"), std::string::npos);
    EXPECT_NE(text.find("&lt;script&gt;"), std::string::npos);
  }
}

// The body of a function is drawn in place of its call, and on its own.
Graph calling_graph() {
  GraphBuilder builder{Graph()};
  for (const std::string& each :
       {placeholder("x"), variable("w", {4, 4}, "VarHandleOp"),
        call_of("call", "f", {"x", "w"}, {kFloat32, kResource}, {kFloat32}), relu("y", "call")})
    builder.add(each);
  builder.add_function(body("f", {{"a", kFloat32}, {"v", kResource}},
                            {{"out", kFloat32, "dense/Tanh:y:0"}},
                            {read_of("dense/read", "v"),
                             typed("dense/MatMul", "MatMul", {"a", "dense/read:value:0"}),
                             typed("dense/Tanh", "Tanh", {"dense/MatMul:product:0"})})
                           .SerializeAsString());
  return builder.finish();
}

TEST(Draw, ACallIsDrawnAsTheBodyOfItsFunction) {
  const Picture picture = open_drawn(calling_graph());
  EXPECT_EQ(boxes_of(picture), (Lines{"group call/dense {4}", "node call/dense/MatMul {3}",
                                      "node call/dense/Tanh {1}", "node x {1}", "node y {1}"}));
  EXPECT_EQ(edges_of(picture), (Lines{"call/dense/MatMul -> call/dense/Tanh",
                                      "call/dense/Tanh -> y", "x -> call/dense/MatMul"}));
}

TEST(Draw, AFunctionIsDrawnWithItsArguments) {
  const Picture picture =
      drawn(calling_graph(), {.opening = {.depth = kEverything}, .function = "f"});
  EXPECT_EQ(picture.nodes, 5U);
  EXPECT_EQ(edges_of(picture), (Lines{"a -> dense/MatMul", "dense/MatMul -> dense/Tanh"}));
}

TEST(Draw, ThereIsNoSuchFunction) {
  const auto picture = draw(graph_of({placeholder("x")}), {.function = "f"});
  EXPECT_EQ(failure_of(picture), "not-in-graph: there is no function 'f'");
}

TEST(Draw, LengthsAreQuarters) {
  EXPECT_EQ(length_text(12), "12");
  EXPECT_EQ(length_text(0.25), "0.25");
  EXPECT_EQ(length_text(-1.75), "-1.75");
  EXPECT_EQ(length_text(0.13), "0.25");
}

TEST(Draw, LongTextIsElidedInItsMiddle) {
  const std::string text = elided("a_very_long_name_of_a_node", TextStyle::kDetail, 80);
  EXPECT_LE(text_width(text, TextStyle::kDetail), 80);
  EXPECT_TRUE(text.starts_with("a_ver")) << text;
  EXPECT_TRUE(text.ends_with("_node")) << text;
  EXPECT_EQ(elided("short", TextStyle::kDetail, 80), "short");
}

}  // namespace
}  // namespace cryo
