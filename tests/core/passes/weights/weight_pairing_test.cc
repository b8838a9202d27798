#include "passes/weights/weight_pairing.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace cryo {
namespace {

using Weights = std::vector<NamedWeight>;

// Floats of a shape, all of one value.
NamedWeight weight(const std::string& name, const std::vector<int64_t>& dims = {2},
                   float value = 0) {
  NamedWeight weight{name};
  weight.entry = checkpoint_of({{name, std::vector<float>(2, value)}})->entries[0];
  weight.entry.shape = Shape{false, dims};
  return weight;
}

NamedWeight also(NamedWeight weight, const std::string& other) {
  weight.others.push_back(other);
  return weight;
}

// "into <- from (why)" of each pair.
Lines described(const WeightPairing& pairing, const Weights& from, const Weights& into) {
  Lines lines;
  for (uint32_t i = 0; i < into.size(); ++i) {
    if (pairing.from_of(i) == WeightPairing::kNone) continue;
    lines.push_back(
        cat(into[i].name, " <- ", from[pairing.from_of(i)].name, " (", pairing.why(i), ")"));
  }
  return lines;
}

Lines by_name(const Weights& from, const Weights& into) {
  WeightPairing pairing(from, into);
  Diagnostics diagnostics;
  pairing.by_name(diagnostics);
  Lines lines = described(pairing, from, into);
  for (const std::string& code : codes(diagnostics)) lines.push_back(code);
  return lines;
}

Lines by_value(const Weights& from, const Weights& into) {
  WeightPairing pairing(from, into);
  EXPECT_TRUE(pairing.by_value().ok());
  return described(pairing, from, into);
}

TEST(ByName, TheNameItselfComesBeforeWhatItIsCalledBesides) {
  EXPECT_EQ(by_name({weight("a"), also(weight("b"), "a")}, {weight("a"), weight("b")}),
            (Lines{"a <- a (same name)", "b <- b (same name)"}));
  EXPECT_EQ(by_name({also(weight("model/d/kernel"), "dense/kernel")}, {weight("dense/kernel")}),
            Lines{"dense/kernel <- model/d/kernel (the name it was saved by)"});
  EXPECT_EQ(by_name({weight("model/d/kernel")}, {also(weight("dense/kernel"), "model/d/kernel")}),
            Lines{"dense/kernel <- model/d/kernel (the name of its key)"});
}

// A saver may save w as b and b as w; a checkpoint alone has only its names.
TEST(ByName, GoesByTheKeyWhereOneSideHasNoGraph) {
  const auto saved_as = [](const std::string& name, const std::string& key, uint32_t node) {
    NamedWeight saved = weight(name);
    saved.key = key;
    saved.node = node;
    return saved;
  };
  const Weights graph = {saved_as("b", "w", 1), saved_as("w", "b", 0)};
  const Weights alone = {saved_as("b", "b", kNoNode), saved_as("w", "w", kNoNode)};
  EXPECT_EQ(by_name(alone, graph),
            (Lines{"b <- w (the name of its key)", "w <- b (the name of its key)"}));
  EXPECT_EQ(by_name(graph, alone),
            (Lines{"b <- w (the name of its key)", "w <- b (the name of its key)"}));
  EXPECT_EQ(by_name(graph, graph), (Lines{"b <- b (same name)", "w <- w (same name)"}));
}

TEST(ByName, SeesThroughWhatStandsBehindAName) {
  constexpr std::string_view kWhy = "same name, but for its ending";
  for (const char* name : {"conv/w:0", "conv/w/read", "conv/w/read:0", "conv/w/Read/ReadVariableOp",
                           "conv/w/.ATTRIBUTES/VARIABLE_VALUE"}) {
    EXPECT_EQ(by_name({weight(name)}, {weight("conv/w")}),
              Lines{cat("conv/w <- ", name, " (", kWhy, ")")});
  }
  EXPECT_EQ(by_name({weight("w:0"), weight("w/read")}, {weight("w")}), Lines());
}

TEST(ByName, SeesThroughAScopeOfEitherSide) {
  EXPECT_EQ(by_name({weight("conv/w"), weight("b")}, {weight("net/conv/w"), weight("net/b")}),
            (Lines{"net/conv/w <- conv/w (same name below net/ here)",
                   "net/b <- b (same name below net/ here)"}));
  EXPECT_EQ(by_name({weight("import/a/w:0")}, {weight("a/w")}),
            Lines{"a/w <- import/a/w:0 (same name below import/ there)"});
}

TEST(ByName, TakesTheScopeThatMakesTheMostPairs) {
  EXPECT_EQ(
      by_name({weight("w"), weight("b")}, {weight("new/b"), weight("new/w"), weight("old/w")}),
      (Lines{"new/b <- b (same name below new/ here)", "new/w <- w (same name below new/ here)"}));
}

TEST(ByName, TakesNoneOfTwoScopesThatAreAsGood) {
  EXPECT_EQ(by_name({weight("w")}, {weight("new/w"), weight("old/w")}), Lines{"ambiguous-scope"});
}

// The pair that the names give is kept even if it is invalid: it is reported as a mismatch.
TEST(ByName, PairsUnderAScopeWhatDoesNotFit) {
  EXPECT_EQ(by_name({weight("w"), weight("logits", {3})}, {weight("net/logits"), weight("net/w")}),
            (Lines{"net/logits <- logits (same name below net/ here)",
                   "net/w <- w (same name below net/ here)"}));
  EXPECT_EQ(by_name({weight("logits", {3})}, {weight("net/logits")}), Lines());
}

TEST(ByValue, PairsEqualBytesOfOneTypeAndShape) {
  EXPECT_EQ(by_value({weight("a", {2}, 1), weight("b", {2}, 2)},
                     {weight("x", {2}, 2), weight("y", {2, 1}, 1)}),
            Lines{"x <- b (same bytes)"});
}

TEST(ByValue, PairsEachOnce) {
  EXPECT_EQ(by_value({weight("a"), weight("b")}, {weight("x"), weight("y"), weight("z")}),
            (Lines{"x <- a (same bytes)", "y <- b (same bytes)"}));
}

TEST(ByShape, PairsWhatIsTheOnlyOneOfItsShape) {
  const Weights from = {weight("a", {2}), weight("b", {3}), weight("c", {3}), weight("d", {4})};
  const Weights into = {weight("x", {2}), weight("y", {3}), weight("z", {5})};
  WeightPairing pairing(from, into);
  pairing.by_shape(Graph(), Graph());
  EXPECT_EQ(described(pairing, from, into), Lines{"x <- a (unique shape: the only float32 [2])"});
}

// Weights of a graph, by their nodes.
Weights placed(const Graph& graph, const Lines& names) {
  Weights weights;
  for (const std::string& name : names) {
    weights.push_back(weight(name));
    while (graph.nodes()[++weights.back().node].name != name) {
    }
  }
  return weights;
}

TEST(ByShape, PairsAsManyAsStandInOnePlaceInTheirOrder) {
  const Graph from_graph =
      graph_of({constant("k1", {}, {0}), constant("c1", {}, {0}), constant("k2", {}, {0}),
                node("m1", "MatMul", {"x", "k1"}), node("a1", "BiasAdd", {"m1", "c1"}),
                node("m2", "MatMul", {"a1", "k2"})});
  const Graph into_graph =
      graph_of({variable("one", {2}), node("r1", "Identity", {"one"}),
                node("n1", "MatMul", {"x", "r1"}), variable("bias", {2}), variable("two", {2}),
                node("r2", "Identity", {"two"}), node("p", "BiasAdd", {"n1", "bias"}),
                node("n2", "MatMul", {"p", "r2"}), node("save", "SaveV2", {"one", "bias", "two"})});
  const Weights from = placed(from_graph, {"c1", "k2", "k1"});
  const Weights into = placed(into_graph, {"bias", "one", "two"});
  WeightPairing pairing(from, into);
  pairing.by_shape(from_graph, into_graph);
  EXPECT_EQ(
      described(pairing, from, into),
      (Lines{"bias <- c1 (same place in the graph: input 1 of BiasAdd, number 1 of 1 of float32 "
             "[2])",
             "one <- k1 (same place in the graph: input 1 of MatMul, number 1 of 2 of float32 [2])",
             "two <- k2 (same place in the graph: input 1 of MatMul, number 2 of 2 of float32 "
             "[2])"}));
}

TEST(Match, KnowsTwoWords) {
  const Weights none;
  WeightPairing pairing(none, none);
  EXPECT_TRUE(pairing.match({"value", "shape"}, Graph(), Graph()).ok());
  EXPECT_EQ(pairing.match({"size"}, Graph(), Graph()).error().code, "bad-option");
}

}  // namespace
}  // namespace cryo
