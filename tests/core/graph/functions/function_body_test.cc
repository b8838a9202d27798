#include "graph/functions/function_body.h"

#include <gtest/gtest.h>

#include "functions.h"

namespace cryo {
namespace {

FunctionBody view_of(const tensorflow::FunctionDef& function) {
  const Graph graph = graph_of(Parts{{}, {function}});
  auto view = resolve_body(graph.functions()[0]);
  EXPECT_TRUE(view.ok());
  for (Node& node : view->nodes) node = {};  // their bytes go with the graph
  return *view;
}

std::string described(const Edge& edge) {
  if (edge.node == kNoNode) return "none";
  return edge.control ? cat("^", edge.node) : cat(edge.node, ":", edge.port);
}

Lines described(std::span<const Edge> edges) {
  Lines lines;
  for (const Edge& edge : edges) lines.push_back(described(edge));
  return lines;
}

TEST(FunctionBody, HasTheArgumentsFirstAndEdgesByNumber) {
  const FunctionBody view = view_of(
      body("f", {{"x", kFloat32}, {"w", kFloat32}}, {{"y", kFloat32, "id:output:0"}},
           {typed("mm", "MatMul", {"x", "w"}), typed("id", "Identity", {"mm:product:0", "^x"}),
            typed("switch", "Switch", {"id:output:0", "no:such:0"}),
            typed("two", "NoOp", {"switch:output_true:0", "split:output:3"}),
            typed("split", "Split", {"x", "mm:product:0"})}));
  EXPECT_EQ(view.arg_count, 2U);
  ASSERT_EQ(view.edges.node_count(), 7U);
  EXPECT_EQ(described(view.edges.inputs(0)), Lines{});
  EXPECT_EQ(described(view.edges.inputs(2)), (Lines{"0:0", "1:0"}));
  EXPECT_EQ(described(view.edges.inputs(3)), (Lines{"2:0", "^0"}));
  EXPECT_EQ(described(view.edges.inputs(4)), (Lines{"3:0", "none"}));
  EXPECT_EQ(described(view.edges.inputs(5)), (Lines{"4:1", "6:3"}));
}

TEST(FunctionBody, HasReturnsInTheSignaturesOrder) {
  tensorflow::FunctionDef function = body("f", {{"x", kFloat32}, {"w", kFloat32}},
                                          {{"a", kFloat32, "x"}, {"b", kFloat32, "no"}}, {});
  function.mutable_ret()->SwapElements(0, 1);
  auto& again = *function.add_ret();  // the last of a key counts
  again.set_key("a");
  again.set_value("w");
  function.mutable_signature()->add_output_arg()->set_name("c");
  EXPECT_EQ(described(view_of(function).returns), (Lines{"1:0", "none", "none"}));
}

TEST(FunctionBody, OfManyOutputsIsMadeInOnePass) {
  const std::vector<Return> outputs(100'000, {"a", kFloat32, "x"});
  EXPECT_EQ(view_of(body("f", {{"x", kFloat32}}, outputs, {})).returns.size(), outputs.size());
}

}  // namespace
}  // namespace cryo
