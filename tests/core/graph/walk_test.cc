#include "graph/walk.h"

#include "base/text.h"
#include "graphs.h"

namespace cryo {
namespace {

// a --> b --> d, a --(control)--> c --> d, and e alone.
const Lines kNodes = {node("a", "Const"), node("b", "Neg", {"a"}), node("c", "Neg", {"^a"}),
                      node("d", "Add", {"b", "c", "gone"}), node("e", "Const")};

Lines names(const Graph& graph, const NodeSet& reached) {
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
  EXPECT_EQ(names(graph, walk_forward(edges, first)), Lines({"a", "b", "c", "d"}));
  EXPECT_EQ(names(graph, walk_forward(edges, first, kDataEdge)), Lines({"a", "b", "d"}));
  EXPECT_EQ(names(graph, walk_back(edges, last)), Lines({"a", "b", "c", "d"}));
  const auto from_last = [](uint32_t node, const Edge&) { return node == 3; };
  EXPECT_EQ(names(graph, walk_back(edges, last, from_last)), Lines({"b", "c", "d"}));
}

TEST(Walk, SkipsInputsWithoutAValue) {
  const Graph graph = graph_of(kNodes);
  Lines found;
  for (uint32_t i = 0; i < 5; ++i) {
    for (const Edge& input : data_inputs(graph.index().edges(), i)) {
      found.push_back(cat(graph.nodes()[i].name, " takes ", graph.nodes()[input.node].name));
    }
  }
  EXPECT_EQ(found, Lines({"b takes a", "d takes b", "d takes c"}));
}

}  // namespace
}  // namespace cryo
