#include "graph/walk.h"

#include "graphs.h"

namespace cryo {
namespace {

// a --> b --> d, a --(control)--> c --> d, and e alone.
const Lines kNodes = {node("a", "Const"), node("b", "Neg", {"a"}), node("c", "Neg", {"^a"}),
                      node("d", "Add", {"b", "c", "gone"}), node("e", "Const")};

Lines names(const Graph& graph, const std::vector<bool>& reached) {
  Lines all;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (reached[i]) all.emplace_back(graph.nodes()[i].name);
  }
  return all;
}

TEST(Walk, ReachesWhatItsEdgesLeadTo) {
  const Graph graph = graph_of(kNodes);
  const Edges& edges = graph.index().edges();
  const uint32_t first[] = {0, kNoNode, 0};
  const uint32_t last[] = {3};
  const auto any = [](uint32_t, const auto&) { return true; };
  const auto data = [](uint32_t, const auto& edge) { return !edge.control; };
  EXPECT_EQ(names(graph, walk_forward(edges, first, any)), Lines({"a", "b", "c", "d"}));
  EXPECT_EQ(names(graph, walk_forward(edges, first, data)), Lines({"a", "b", "d"}));
  EXPECT_EQ(names(graph, walk_back(edges, last, any)), Lines({"a", "b", "c", "d"}));
  const auto from_last = [](uint32_t node, const Edge&) { return node == 3; };
  EXPECT_EQ(names(graph, walk_back(edges, last, from_last)), Lines({"b", "c", "d"}));
}

}  // namespace
}  // namespace cryo
