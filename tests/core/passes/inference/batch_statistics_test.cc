#include "passes/inference/batch_statistics.h"

#include "functions.h"

namespace cryo {
namespace {

std::string batch_norm(bool is_training) {
  return node("bn", "FusedBatchNormV3", {"x", "scale", "offset", "none", "none"},
              {{"T", type_value(kFloat32)}, {"is_training", bool_value(is_training)}});
}

// The update of a moving average: AssignSub(variable, (variable - statistic) * rate).
Lines average(const std::string& name, const std::string& statistic) {
  return {variable(name, {3}), typed(name + "/read", "Identity", {name}),
          typed(name + "/sub", "Sub", {name + "/read", statistic}),
          typed(name + "/mul", "Mul", {name + "/sub", "rate"}),
          typed(name + "/assign", "AssignSub", {name, name + "/mul"})};
}

Lines joined(const std::vector<Lines>& parts) {
  Lines all;
  for (const Lines& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const Lines kInputs = {placeholder("x", {-1, 4, 4, 3}), variable("scale", {3}),
                       variable("offset", {3}), constant("none", {}, {0}),
                       constant("rate", {0.1F}, {})};

TEST(BatchStatistics, AreReplacedByTheirMovingAverages) {
  GraphChanges changes;
  const Model made = with_moving_averages(
      model_of(joined(
          {kInputs, {batch_norm(true)}, average("mean", "bn:1"), average("variance", "bn:2")})),
      changes);
  EXPECT_EQ(described(made.graph).at(5),
            "bn = FusedBatchNormV3(x, scale, offset, mean/read, variance/read)");
  EXPECT_EQ(bool_attr(find(made.graph, "bn"), "is_training"), false);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(changes[0].changes_numbers);
}

TEST(BatchStatistics, AreKeptWhereOneHasNoAverage) {
  GraphChanges changes;
  const Model model = model_of(joined({kInputs, {batch_norm(true)}, average("mean", "bn:1")}));
  EXPECT_EQ(described(with_moving_averages(model, changes).graph), described(model.graph));
  EXPECT_TRUE(changes.empty());
}

TEST(BatchStatistics, AreNotThoseOfInference) {
  GraphChanges changes;
  const Model model = model_of(
      joined({kInputs, {batch_norm(false)}, average("mean", "bn:1"), average("variance", "bn:2")}));
  EXPECT_EQ(described(with_moving_averages(model, changes).graph), described(model.graph));
}

// Returns the graph that normalizes by the averages of a batch norm whose updates are `nodes`.
Lines inference_of(const std::vector<Lines>& parts) {
  GraphChanges changes;
  return described(with_moving_averages(model_of(joined(parts)), changes).graph);
}

// FusedBatchNorm averages by itself where it is given a factor, and its outputs are assigned.
TEST(BatchStatistics, AreThoseThatFusedBatchNormAverages) {
  const std::string bn =
      node("bn", "FusedBatchNormV3", {"x", "scale", "offset", "m", "v"},
           {{"is_training", bool_value(true)}, {"exponential_avg_factor", float_value(0.1F)}});
  const Lines graph =
      inference_of({kInputs,
                    {variable("m", {3}), variable("v", {3}), bn,
                     typed("a", "Assign", {"m", "bn:1"}), typed("b", "Assign", {"v", "bn:2"})}});
  EXPECT_EQ(graph.at(7), "bn = FusedBatchNormV3(x, scale, offset, m/read, v/read)");
}

// Nodes after the layer may wait for its updates: inference makes none.
TEST(BatchStatistics, LeaveNothingThatWaitsForTheirUpdates) {
  const Lines graph =
      inference_of({kInputs,
                    {batch_norm(true)},
                    average("mean", "bn:1"),
                    average("variance", "bn:2"),
                    {typed("y", "Relu", {"bn", "^mean/assign", "^variance/assign"})}});
  EXPECT_EQ(graph.back(), "y = Relu(bn)");
}

// The average of a loss is no statistic that anything is normalized by.
TEST(BatchStatistics, AreNotEveryMean) {
  const Model model =
      model_of(joined({kInputs, {typed("loss", "Mean", {"x", "rate"})}, average("mean", "loss")}));
  GraphChanges changes;
  EXPECT_EQ(described(with_moving_averages(model, changes).graph), described(model.graph));
}

}  // namespace
}  // namespace cryo
