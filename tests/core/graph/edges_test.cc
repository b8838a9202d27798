#include "graph/edges.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "graph/fresh_names.h"
#include "graphs.h"

namespace cryo {
namespace {

// Random nodes; some inputs name none.
std::vector<std::string> random_nodes(std::mt19937& random, size_t count) {
  std::vector<std::string> nodes;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::string> inputs;
    for (auto left = random() % 4; left > 0; --left) {
      const std::string from = cat("n", random() % (count + 2));
      const auto kind = random() % 3;
      inputs.push_back(kind == 0   ? cat("^", from)
                       : kind == 1 ? cat(from, ":", random() % 5)
                                   : from);
    }
    nodes.push_back(node(cat("n", i), "Op", inputs));
  }
  return nodes;
}

TEST(NodeNames, FindsWhatAMapFinds) {
  std::mt19937 random(1);
  for (const size_t count : {0U, 1U, 2U, 3U, 64U, 1000U}) {
    const Graph graph = graph_of(random_nodes(random, count));
    const NodeNames names(graph.nodes());
    std::map<std::string_view, uint32_t> map;
    for (uint32_t i = 0; i < count; ++i) map.emplace(graph.nodes()[i].name, i);
    for (size_t i = 0; i < count + 50; ++i) {
      const std::string name = cat("n", i);
      const auto found = map.find(name);
      EXPECT_EQ(names.find(name), found == map.end() ? kNoNode : found->second);
    }
  }
}

TEST(NodeNames, FindTheFirstOfEquals) {
  const Graph graph = graph_of({node("a", "First"), node("a", "Second"), node("", "Third")});
  const NodeNames names(graph.nodes());
  EXPECT_EQ(names.find("a"), 0U);
  EXPECT_EQ(names.find(""), 2U);
}

TEST(Edges, AreInputsByNameInTheirOrder) {
  const Graph graph = graph_of({node("y", "Op", {"x:3", "nope", "x", "^x"}), node("x", "Op")});
  const NodeNames names(graph.nodes());
  const Edges edges(graph.nodes(), names);
  ASSERT_EQ(edges.node_count(), 2U);
  ASSERT_EQ(edges.inputs(0).size(), 4U);
  EXPECT_TRUE(edges.inputs(1).empty());
  EXPECT_EQ(edges.inputs(0)[0].node, 1U);
  EXPECT_EQ(edges.inputs(0)[0].port, 3U);
  EXPECT_EQ(edges.inputs(0)[1].node, kNoNode);
  EXPECT_FALSE(edges.inputs(0)[2].control);
  EXPECT_TRUE(edges.inputs(0)[3].control);
}

using Seen = std::multimap<uint32_t, std::string>;

TEST(Consumers, AreTheEdgesTheOtherWay) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    const Graph graph = graph_of(random_nodes(random, random() % 40));
    const NodeNames names(graph.nodes());
    const Edges edges(graph.nodes(), names);
    const Consumers consumers(edges);
    const auto line = [](uint32_t taker, uint32_t input, uint32_t port, bool control) {
      return cat(taker, ".", input, " takes ", port, control ? " control" : "");
    };
    Seen expected;
    Seen found;
    for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
      uint32_t input = 0;
      for (const Edge& edge : edges.inputs(i)) {
        if (edge.node != kNoNode)
          expected.emplace(edge.node, line(i, input, edge.port, edge.control));
        ++input;
      }
      for (const Consumer& each : consumers.of(i)) {
        found.emplace(i, line(each.node, each.input, each.port, each.control));
      }
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(FreshNames, AreTakenByNobody) {
  const Graph graph = graph_of({node("w", "Op"), node("w_1", "Op")});
  const NodeNames names(graph.nodes());
  FreshNames fresh(names);
  EXPECT_EQ(fresh.take("new"), "new");
  EXPECT_EQ(fresh.take("new"), "new_1");
  EXPECT_EQ(fresh.take("w"), "w_2");
  EXPECT_EQ(fresh.take("w"), "w_3");
  EXPECT_EQ(fresh.take("w_2"), "w_2_1");
}

TEST(FreshNames, OfOneNameManyTimesComeSoon) {
  const Graph graph;
  const NodeNames names(graph.nodes());
  FreshNames fresh(names);
  std::string last;
  for (int i = 0; i <= 200000; ++i) last = fresh.take("w");
  EXPECT_EQ(last, "w_200000");
}

}  // namespace
}  // namespace cryo
