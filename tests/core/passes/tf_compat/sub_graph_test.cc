#include "passes/tf_compat/sub_graph.h"

#include "graphs.h"

namespace cryo {
namespace {

Lines kept(const std::vector<std::string>& nodes, const std::vector<std::string>& outputs) {
  const Graph graph = graph_of(nodes);
  const auto found = sub_graph(graph.nodes(), NodeNames(graph.nodes()), outputs);
  if (!found) return {failure_of(found)};
  Lines names;
  for (const uint32_t index : *found) names.emplace_back(graph.nodes()[index].name);
  return names;
}

const std::string kColocated = node("mm", "MatMul", {"x", "w:0", "^init"},
                                    {{"_class", string_list_value({"loc:@slot", "other"})}});

TEST(SubGraph, FollowsDataControlAndColocation) {
  EXPECT_EQ(kept({node("y", "Tanh", {"mm"}), kColocated, placeholder("x"), variable("w", {2}),
                  node("init", "NoOp"), node("slot", "Const"), node("other", "NoOp"),
                  node("loss", "Sum", {"y"})},
                 {"y"}),
            (Lines{"y", "mm", "x", "w", "init", "slot", "other"}));
}

TEST(SubGraph, FailsWhereTheToolDoes) {
  EXPECT_EQ(kept({kColocated, placeholder("x"), variable("w", {2}), node("init", "NoOp")}, {"mm"}),
            Lines{"tensorflow-fails: TensorFlow's own tool fails on this graph: mm needs 'slot', "
                  "which is not in graph"});
  EXPECT_EQ(kept({node("y", "Tanh", {"gone:1"})}, {"y"})[0].substr(0, 16), "tensorflow-fails");
}

TEST(PythonGraph, HasALibraryAndVersionsEvenIfTheyAreEmpty) {
  const Model model = model_of({node("a", "NoOp")});
  const auto graph = python_graph(model, {node("a", "NoOp")}, {});
  std::string expected;
  put_bytes_field(expected, 1, node("a", "NoOp"));
  put_bytes_field(expected, 2, "");
  put_bytes_field(expected, 4, "");
  EXPECT_EQ(graph->skeleton(), expected);
}

}  // namespace
}  // namespace cryo
