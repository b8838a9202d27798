#include "passes/variables/listed_variables.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/meta.h"

namespace cryo {
namespace {

constexpr int kFloat = 1;  // DT_FLOAT

// "w: w/Assign, w/read, trainable" of each variable that a collection lists.
Lines listed(const Model& model, const char* collection = "variables") {
  Lines lines;
  for (const auto& def : variable_defs(parse_meta(model), collection)) {
    lines.push_back(cat(parse_tensor_name(def.variable_name()).node, ": ", def.initializer_name(),
                        ", ", parse_tensor_name(def.snapshot_name()).node,
                        def.trainable() ? ", trainable" : ""));
  }
  return lines;
}

// A layer with its slot, its statistics and a counter, as a bare GraphDef next to its checkpoint.
Model layer(const std::vector<std::string>& more = {}) {
  std::vector<std::string> nodes = {
      placeholder("x", {-1, 2}),
      variable("w", {2}),
      node("w/Assign", "Assign", {"w", "x"}),
      node("w/read", "Identity", {"w"}, {{"T", type_value(kFloat)}}),
      node("y", "BiasAdd", {"x", "w/read"}),
      variable("w/Momentum", {2}),
      node("w/Momentum/read", "Identity", {"w/Momentum"}),
      variable("bn/moving_mean", {2}),
      variable("global_step", {}),
  };
  nodes.insert(nodes.end(), more.begin(), more.end());
  Model model = model_of(
      nodes,
      checkpoint_of(
          {{"w", {1, 2}}, {"w/Momentum", {0, 0}}, {"bn/moving_mean", {3, 4}}, {"v", {5, 6}}}));
  model.kind = Kind::kGraphDef;
  return model;
}

Result<Model> listing(const Model& model) { return with_listed_variables(model, model); }

TEST(ListedVariables, AreThoseWithAnInitialValue) {
  const auto made = listing(layer());
  ASSERT_TRUE(made.ok()) << failure_of(made);
  EXPECT_EQ(listed(*made), (Lines{"w: w/Assign, w/read, trainable",
                                  "w/Momentum: w/Momentum/Assign, w/Momentum/read",
                                  "bn/moving_mean: bn/moving_mean/Assign, bn/moving_mean/read"}));
  EXPECT_EQ(listed(*made, "trainable_variables"), Lines{"w: w/Assign, w/read, trainable"});
  EXPECT_EQ(described(find(made->graph, "w/Momentum/Assign")),
            "w/Momentum/Assign = Assign(w/Momentum, w/Momentum/Initializer/RestoreV2)");
}

TEST(ListedVariables, HaveReadsOfHandles) {
  const auto made =
      listing(layer({variable("v", {2}, "VarHandleOp"), node("z", "ReadVariableOp", {"v"}),
                     node("m", "MatMul", {"x", "z"})}));
  ASSERT_TRUE(made.ok()) << failure_of(made);
  EXPECT_EQ(listed(*made).back(), "v: v/Assign, v/Read/ReadVariableOp, trainable");
}

// A frozen layer in a graph with steps of an optimizer is not trained by them.
TEST(ListedVariables, AreTrainableIfTheStepsOfAGraphChangeThem) {
  const std::vector<std::string> step = {
      node("train", "ApplyMomentum", {"w", "w/Momentum", "x", "x", "x"}),
      variable("v", {2}),
      node("m", "MatMul", {"x", "v"}),
  };
  const auto made = listing(layer(step));
  ASSERT_TRUE(made.ok()) << failure_of(made);
  EXPECT_EQ(listed(*made, "trainable_variables"), Lines{"w: w/Assign, w/read, trainable"});
  std::vector<std::string> sparse = step;
  sparse.push_back(node("rows", "ScatterSub", {"v", "x", "x"}));
  const auto both = listing(layer(sparse));
  ASSERT_TRUE(both.ok()) << failure_of(both);
  EXPECT_EQ(listed(*both, "trainable_variables").size(), 2U);
}

TEST(ListedVariables, StayAsTheCollectionsHaveThem) {
  Model model = layer();
  tensorflow::MetaGraphDef meta;
  meta.add_collection_def()->set_key("variables");
  set_meta(model, meta);
  const auto made = listing(model);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(described(made->graph), described(model.graph));
}

// A cut graph lists as trainable the variables that the whole one trains.
TEST(ListedVariables, AreJudgedByTheWholeModel) {
  const Model whole = layer({node("train", "ApplyMomentum", {"w", "w/Momentum", "x", "x", "x"}),
                             variable("v", {2}), node("m", "MatMul", {"x", "v"})});
  const Model part = layer({variable("v", {2}), node("m", "MatMul", {"x", "v"})});
  const auto made = with_listed_variables(part, whole);
  ASSERT_TRUE(made.ok()) << failure_of(made);
  EXPECT_EQ(listed(*made, "trainable_variables"), Lines{"w: w/Assign, w/read, trainable"});
}

// A format without collections is written as before.
TEST(ListedVariables, AreForFormatsWithCollections) {
  const Model model = layer();
  const auto made = listing(model);
  ASSERT_TRUE(made.ok());
  const auto plain = for_collections(*made, {"pb", "a.pb"});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(described(plain->graph), described(model.graph));
  const auto meta = for_collections(model, {"meta", "a.meta"});
  ASSERT_TRUE(meta.ok());
  EXPECT_EQ(listed(*meta), listed(*made));
  Model opened = model;
  opened.kind = Kind::kMetaGraph;
  opened.graph = *Graph::parse(std::string(model.graph.skeleton()));
  const auto same = for_collections(opened, {"meta", "a.meta"});
  ASSERT_TRUE(same.ok());
  EXPECT_TRUE(listed(*same).empty());
}

}  // namespace
}  // namespace cryo
