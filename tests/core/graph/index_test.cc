#include "graph/index.h"

#include "graphs.h"
#include "model/model.h"

namespace cryo {
namespace {

TEST(GraphIndex, HasNamesEdgesAndConsumers) {
  const Graph graph =
      graph_of({placeholder("x"), node("y", "Op", {"x", "^x"}), node("z", "Op", {"y:1"})});
  const GraphIndex& index = graph.index();
  EXPECT_EQ(index.names().find("z"), 2U);
  EXPECT_EQ(index.edges().inputs(2)[0].port, 1U);
  ASSERT_EQ(index.consumers().of(0).size(), 2U);
  EXPECT_TRUE(index.consumers().of(0)[1].control);
}

TEST(GraphIndex, IsBuiltOnceForAllCopiesOfAGraph) {
  Model model{Kind::kGraphDef, "model.pb", {}, true, graph_of({placeholder("x")})};
  const Model copy = model;
  const Edges& edges = model.graph.index().edges();
  EXPECT_EQ(&copy.graph.index().edges(), &edges);
  EXPECT_EQ(&copy.graph.index().consumers(), &edges.consumers());
  EXPECT_EQ(&copy.graph.nodes(), &model.graph.nodes());
  model = Model();
  EXPECT_EQ(copy.graph.index().names().find("x"), 0U);
}

TEST(GraphIndex, IsThatOfItsOwnGraph) {
  const Graph graph = graph_of({placeholder("x"), node("y", "Op", {"x"})});
  EXPECT_EQ(graph.index().names().find("y"), 1U);
  GraphBuilder builder(graph);
  builder.add(graph.nodes()[1]);
  const Graph made = builder.finish();
  EXPECT_EQ(made.index().names().find("y"), 0U);
  EXPECT_EQ(made.index().names().find("x"), kNoNode);
  EXPECT_EQ(made.index().edges().inputs(0)[0].node, kNoNode);
}

}  // namespace
}  // namespace cryo
