#include "picture/draw.h"

#include "functions.h"
#include "graphs.h"
#include "picture/glyphs.h"
#include "picture/groups/labels.h"
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
  EXPECT_EQ(boxes_of(picture), (Lines{"node x {1}", "stack block_1 to 4 {8}"}));
  EXPECT_EQ(picture.boxes.back().repeats, 4U);
}

TEST(Draw, EqualNodesSideBySideAreAStackButInputsAreNot) {
  const Graph graph =
      graph_of({placeholder("a"), placeholder("b"), placeholder("c"), placeholder("d"),
                node("s", "Pack", {"a", "b", "c", "d"}), relu("r1", "s"), relu("r2", "s"),
                relu("r3", "s"), relu("r4", "s"), node("t", "Pack", {"r1", "r2", "r3", "r4"})});
  EXPECT_EQ(boxes_of(closed_drawn(graph)),
            (Lines{"node a {1}", "node b {1}", "node c {1}", "node d {1}", "node s {1}",
                   "node t {1}", "stack Relu {4}"}));
}

// "conv_7": a convolution, its bias and its activation.
void add_layer(std::vector<std::string>& nodes, const std::string& name, std::string& last) {
  nodes.push_back(variable(name + "/weights", {3, 3, 8, 8}));
  nodes.push_back(node(name + "/read", "Identity", {name + "/weights"}));
  nodes.push_back(node(name + "/Conv2D", "Conv2D", {last, name + "/read"}));
  nodes.push_back(node(name + "/Tanh", "Tanh", {name + "/Conv2D"}));
  last = name + "/Relu";
  nodes.push_back(relu(last, name + "/Tanh"));
}

Lines labels_of(const Picture& picture) {
  Lines labels;
  for (const Box& box : picture.boxes)
    labels.push_back(cat(box_kind_name(box.kind), " ", box.label));
  return labels;
}

const Box& box_named(const Picture& picture, const std::string& label) {
  const auto found = std::find_if(picture.boxes.begin(), picture.boxes.end(),
                                  [&](const Box& box) { return box.label == label; });
  EXPECT_NE(found, picture.boxes.end()) << label;
  return found == picture.boxes.end() ? picture.boxes.front() : *found;
}

TEST(Draw, TwoHundredEqualLayersAreOneStack) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int i = 0; i < 200; ++i) add_layer(nodes, cat("conv_", i), last);
  const Picture picture = drawn(graph_of(nodes));
  EXPECT_EQ(labels_of(picture), (Lines{"node x", "stack conv_0 to 199"}));
  EXPECT_EQ(picture.boxes.back().repeats, 200U);
}

TEST(Draw, ARunIsNamedAfterItsEnds) {
  EXPECT_EQ(range_label("block_1", "block_16"), "block_1 to 16");
  EXPECT_EQ(range_label("Mixed_5b", "Mixed_5d"), "Mixed_5b to 5d");
  EXPECT_EQ(range_label("conv2d", "conv2d_7"), "conv2d to 7");
  EXPECT_EQ(range_label("encoder", "head"), "");
}

TEST(Draw, ANodeBetweenRepeatsIsInTheirStack) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int i = 0; i < 5; ++i) {
    add_layer(nodes, cat("conv_", i), last);
    nodes.push_back(node(cat("pool_", i), "Abs", {last}));
    last = cat("pool_", i);
  }
  const Picture picture = closed_drawn(graph_of(nodes));
  EXPECT_EQ(labels_of(picture), (Lines{"node x", "stack conv_0 to 4", "node pool_4"}));
  EXPECT_EQ(box_named(picture, "conv_0 to 4").repeats, 5U);
}

TEST(Draw, RepeatsMayDifferALittle) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (const char* each : {"5b", "5c", "5d"}) {
    const std::string name = cat("Mixed_", each);
    add_layer(nodes, name, last);
    if (name != "Mixed_5c") continue;
    nodes.push_back(relu(name + "/more", last));
    last = name + "/more";
  }
  EXPECT_EQ(labels_of(closed_drawn(graph_of(nodes))), (Lines{"node x", "stack Mixed_5b to 5d"}));
}

TEST(Draw, FlatNamesOfOneBlockAreAGroup) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int block = 1; block <= 5; ++block) {
    for (const char* each : {"conv", "norm", "relu"}) {
      const std::string name = cat("block_", block, "_", each);
      nodes.push_back(node(name, block % 2 == 0 ? "Tanh" : "Abs", {last}));
      last = name;
    }
  }
  const Picture picture = drawn(graph_of(nodes), {.opening = {.groups = {Glob("block_1 to 5")}}});
  EXPECT_EQ(box_named(picture, "block_4").nodes, 3U);
}

TEST(Draw, ALayerHasWhatFollowsIt) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (const char* each : {"stem", "body", "neck", "head"}) {
    nodes.push_back(variable(cat(each, "_w"), {8, 8}));
    nodes.push_back(node(each, "MatMul", {last, cat(each, "_w")}));
    nodes.push_back(node(cat("tanh", each), "Tanh", {each}));
    last = cat("relu", each);
    nodes.push_back(relu(last, cat("tanh", each)));
  }
  const Picture picture = drawn(graph_of(nodes), {.opening = {.depth = 1}});
  EXPECT_EQ(box_named(picture, "stem").nodes, 4U);
  EXPECT_EQ(box_named(picture, "stem").kind, BoxKind::kGroup);
}

TEST(Draw, WhatHasNoWeightsAndNoInputIsAtTheSide) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  add_layer(nodes, "conv", last);
  nodes.push_back(node("size", "Shape", {"x"}));
  nodes.push_back(node("half", "Abs", {"size"}));
  nodes.push_back(node("grid", "Tanh", {"half"}));
  nodes.push_back(node("boxes", "Mul", {last, "grid"}));
  const Picture picture = drawn(graph_of(nodes), {.ends = {.outputs = {{"boxes", "detections"}}}});
  const Box& aside = box_named(picture, "side computations");
  EXPECT_EQ(aside.kind, BoxKind::kTray);
  EXPECT_EQ(aside.nodes, 3U);
  EXPECT_TRUE(box_named(picture, "detections").is_end);
}

TEST(Draw, ManyInputsAreOneStack) {
  std::vector<std::string> nodes;
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) {
    names.push_back(cat("x", i));
    nodes.push_back(placeholder(names.back()));
  }
  nodes.push_back(node("all", "Pack", names));
  nodes.push_back(relu("y", "all"));
  EXPECT_EQ(labels_of(drawn(graph_of(nodes))), (Lines{"stack 12 inputs", "node Pack", "node y"}));
}

// Chains of layers of several kinds.
Graph large_graph(int layers) {
  std::vector<std::string> nodes = {placeholder("x")};
  std::string last = "x";
  for (int i = 0; i < layers; ++i) {
    const std::string name = cat("n", i);
    nodes.push_back(node(name, i % 7 == 0 ? "Tanh" : i % 11 == 0 ? "Abs" : "Relu", {last}));
    last = name;
  }
  return graph_of(nodes);
}

TEST(Draw, TheFirstViewFitsItsPane) {
  const Graph graph = large_graph(2'000);
  for (const Pane pane : {Pane(), Pane{400, 1'200}, Pane{1'600, 500}}) {
    const Picture picture = drawn(graph, {.pane = pane});
    EXPECT_GE(scale_in(pane, picture), kFirstScale) << pane.width;
    EXPECT_LE(picture.boxes.size(), 40U);
  }
  EXPECT_GE(drawn(graph).boxes.size(), 10U);
}

TEST(Draw, AChainHigherThanThePaneIsWrapped) {
  const Picture picture = drawn(large_graph(18), {.opening = {.depth = kEverything}});
  const Box& first = picture.boxes.front();
  const Box& last = picture.boxes.back();
  EXPECT_GT(last.x, first.x + first.w);
  EXPECT_LT(picture.height, 900);
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

TEST(Draw, LongTextIsCutAtItsEnd) {
  const std::string text = elided("a_very_long_name_of_a_node", TextStyle::kDetail, 80);
  EXPECT_LE(text_width(text, TextStyle::kDetail), 80);
  EXPECT_TRUE(text.starts_with("a_very_")) << text;
  EXPECT_TRUE(text.ends_with("…")) << text;
  EXPECT_EQ(elided("short", TextStyle::kDetail, 80), "short");
}

}  // namespace
}  // namespace cryo
