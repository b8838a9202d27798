#include "passes/weights/weight_uses.h"

#include "functions.h"
#include "passes/weights/find_weights.h"

namespace cryo {
namespace {

// Whole numbers, which are no weights by their use.
std::string weight_node(std::string_view name) {
  return node(name, "Const", {}, {{"dtype", type_value(kInt32)}});
}

// "w: why" of each weight.
Lines weights(const Parts& parts) {
  const Graph graph = graph_of(parts);
  Lines lines;
  for (const Weight& each : find_weights(graph, {})) {
    lines.push_back(cat(graph.nodes()[each.node].name, ": ", each.why));
  }
  return lines;
}

// An Identity of such a name was the read of a handle.
TEST(WeightUses, KnowsWhatWasReadInABranch) {
  EXPECT_EQ(weights({{weight_node("w"), typed("s", "Switch", {"w", "p"}),
                      typed("cond/Read/ReadVariableOp_1", "Identity", {"s:1"}),
                      node("y", "Tanh", {"cond/Read/ReadVariableOp_1"})}}),
            Lines{"w: it is read as cond/Read/ReadVariableOp_1"});
  EXPECT_EQ(weights({{weight_node("w"), typed("a/ReadVariableOp_", "Identity", {"w"}),
                      typed("MyReadVariableOp", "Identity", {"w"}),
                      typed("a/ReadVariableOp_1x", "Identity", {"w"})}}),
            Lines{});
}

TEST(WeightUses, KnowsWhatIsReadInABody) {
  const auto f = body(
      "f", {{"a", kFloat32}}, {{"y", kFloat32, "t:y:0"}},
      {typed("ReadVariableOp", "Identity", {"a"}), node("t", "Tanh", {"ReadVariableOp:output:0"})});
  EXPECT_EQ(weights({{weight_node("w"), call_of("y", "f", {"w"}, {1}, {1})}, {f}}),
            Lines{"w: it is read as ReadVariableOp"});
}

}  // namespace
}  // namespace cryo
