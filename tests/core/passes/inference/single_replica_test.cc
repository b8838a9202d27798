#include "passes/inference/single_replica.h"

#include "functions.h"

namespace cryo {
namespace {

TEST(SingleReplica, TakesTheFirstOfEach) {
  GraphChanges changes;
  const Model made = with_single_replica(
      model_of({placeholder("x"), placeholder("x_1"), node("meta", "TPUReplicateMetadata"),
                typed("in", "TPUReplicatedInput", {"x", "x_1", "^meta"}),
                node("c", "Const", {"^meta"}, {{"_tpu_replicate", string_value("cluster")}}),
                typed("out", "TPUReplicatedOutput", {"in"}), typed("y", "Relu", {"out:1"})}),
      changes);
  EXPECT_EQ(described(made.graph),
            (Lines{"x = Placeholder()", "x_1 = Placeholder()", "meta = TPUReplicateMetadata()",
                   "in = Identity(x)", "c = Const()", "out = Identity(in)", "y = Relu(out)"}));
  EXPECT_FALSE(find_attr(find(made.graph, "c"), "_tpu_replicate"));
  EXPECT_EQ(changes.size(), 3U);
}

TEST(SingleReplica, LeavesOtherGraphsAsTheyAre) {
  GraphChanges changes;
  const Model model = model_of({placeholder("x"), typed("y", "Relu", {"x"})});
  EXPECT_EQ(&with_single_replica(model, changes).graph.index(), &model.graph.index());
}

}  // namespace
}  // namespace cryo
