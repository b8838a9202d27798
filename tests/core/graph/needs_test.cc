#include "graph/needs.h"

#include "graphs.h"

namespace cryo {
namespace {

TEST(Needs, EachNodeIsNeededByTheNextOnAShortestWayToAnOutput) {
  const Graph graph =
      graph_of({placeholder("x"), node("a", "Op", {"x"}), node("b", "Op", {"a"}),
                node("y", "Op", {"b", "^x"}), node("z", "Op", {"b"}), node("loss", "Op", {"z"})});
  const NodeNames names(graph.nodes());
  const Edges edges(graph.nodes(), names);
  const auto by = needed_by(edges, {names.find("y"), kNoNode, names.find("z")});
  const auto path = [&](const char* from) {
    return path_text(graph.nodes(), by, names.find(from));
  };
  EXPECT_EQ(path("x"), "x -> y");
  EXPECT_EQ(path("a"), "a -> b -> y");
  EXPECT_EQ(path("z"), "z");
  EXPECT_EQ(by[names.find("loss")], kNoNode);
}

}  // namespace
}  // namespace cryo
