#include "model/analysis/auxiliary_variables.h"

#include <gtest/gtest.h>

#include "files.h"
#include "formats/open.h"
#include "graphs.h"

namespace cryo {
namespace {

// "w/Adam: slot of w"
Lines described(const Model& model) {
  Lines lines;
  for (const auto& each : side_variables(model)) {
    EXPECT_NE(each.second.why, "");
    lines.push_back(
        cat(each.first, ": ", each.second.average ? "average" : "slot", " of ", each.second.of));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(SideVariables, AreWhatAnOptimizersStepTakesBesideTheVariable) {
  EXPECT_EQ(
      described(model_of({variable("w", {2}), variable("memory", {2}), variable("rate", {}),
                          node("rate/read", "Identity", {"rate"}),
                          node("step", "ApplyMomentum", {"w", "memory", "rate/read", "g", "m"}),
                          node("dense", "ResourceSparseApplyAdagrad", {"w", "rate", "g"})})),
      Lines{"memory: slot of w"});
}

TEST(SideVariables, HaveTheNameTypeAndShapeOfAnother) {
  const Model model =
      model_of({variable("w", {2}), variable("w/Adam_1", {2}), variable("w/Adam", {3}),
                variable("w/ExponentialMovingAverage", {2}), variable("w/other", {2}),
                variable("Adam", {2}), variable("alone/Momentum", {2})});
  const Lines expected = {"w/Adam_1: slot of w", "w/ExponentialMovingAverage: average of w"};
  EXPECT_EQ(described(model), expected);
}

TEST(SideVariables, OfACheckpointAloneAreToldByName) {
  Model model;
  model.checkpoint = checkpoint_of({{"w", {1}},
                                    {"w/Momentum", {1}},
                                    {"w/moving", {1}},
                                    {"a/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE", {1}},
                                    {"optimizer/_variables/2/.ATTRIBUTES/VARIABLE_VALUE", {1}}});
  const Lines expected = {"a/.OPTIMIZER_SLOT/opt/m/.ATTRIBUTES/VARIABLE_VALUE: slot of a",
                          "optimizer/_variables/2/.ATTRIBUTES/VARIABLE_VALUE: slot of ",
                          "w/Momentum: slot of w"};
  EXPECT_EQ(described(model), expected);
}

// Training fixtures: of w and b each a slot.
TEST(SideVariables, OfATrainingGraphAreItsSlots) {
  for (const char* name : {"ref", "resource"}) {
    Diagnostics diagnostics;
    const auto model = open({file_source(fixture(cat(name, "/model.ckpt.meta")))}, {}, diagnostics);
    ASSERT_TRUE(model.ok()) << failure_of(model);
    for (const auto& each : side_variables(*model)) {
      EXPECT_EQ(each.first, cat(each.second.of, "/Momentum"));
    }
    EXPECT_GE(side_variables(*model).size(), 2U) << name;
  }
}

}  // namespace
}  // namespace cryo
