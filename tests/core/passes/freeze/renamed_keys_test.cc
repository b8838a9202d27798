#include "passes/freeze/renamed_keys.h"

#include "base/reference.h"
#include "graphs.h"
#include "only_model.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

Model model() {
  return model_of(
      {variable("net/w", {2}), variable("net/mean", {2}), node("y", "Op", {"net/w", "net/mean"})},
      checkpoint_of(
          {{"net/mean", {5, 6}}, {"net/w", {1, 2}}, {"net/w/ExponentialMovingAverage", {3, 4}}}));
}

struct FrozenRenamed {
  FrozenRenamed(const Model& model, const Lines& rename) {
    result = only_model(
        freeze(model, {.selection = {.outputs = {"y"}}, .rename = rename}, {}, diagnostics));
  }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(RenamedKeys, AVariableTakesItsAverageAndOneWithoutKeepsItsValue) {
  const FrozenRenamed frozen(model(), {"**=**/ExponentialMovingAverage"});
  ASSERT_EQ(failure_of(frozen.result), "ok");
  EXPECT_EQ(floats(*frozen.result, "net/w"), (std::vector<float>{3, 4}));
  EXPECT_EQ(floats(*frozen.result, "net/mean"), (std::vector<float>{5, 6}));
  EXPECT_EQ(codes(frozen.diagnostics), Lines{"values-renamed"});
}

TEST(RenamedKeys, ARuleThatGivesNobodyAValueIsAnError) {
  EXPECT_EQ(failure_of(FrozenRenamed(model(), {"other/**=**"}).result),
            "rename-unused: --rename other/**=** matches no variable");
  EXPECT_EQ(failure_of(FrozenRenamed(model(), {"**=**/ExponentialMovinAverage"}).result),
            "rename-unused: --rename **=**/ExponentialMovinAverage matches no variable (did you "
            "mean net/w/ExponentialMovingAverage?)");
  EXPECT_EQ(FrozenRenamed(model(), {"no rule"}).result.error().code, "bad-option");
}

// The advice of the error is a rule that works.
TEST(RenamedKeys, WhatIsMissingIsToldWithWhatIsNear) {
  Model lacking = model_of({variable("tower/w", {2}), variable("v", {2}),
                            node("y", "Op", {"tower/w"}), node("z", "Op", {"v"})},
                           checkpoint_of({{"v/ExponentialMovingAverage", {3, 4}}, {"w", {1, 2}}}));
  EXPECT_EQ(in_command_words(FrozenRenamed(lacking, {}).result.error().fix),
            "the checkpoint has w: to take that, freeze with --rename tower/w=w");
  EXPECT_EQ(floats(*FrozenRenamed(lacking, {"tower/w=w"}).result, "tower/w"),
            (std::vector<float>{1, 2}));
  FreezeOptions options;
  Diagnostics diagnostics;
  options.selection.outputs = {"z"};
  EXPECT_EQ(in_command_words(freeze(lacking, options, {}, diagnostics).error().fix),
            "the checkpoint has v/ExponentialMovingAverage: to take that, freeze with --rename "
            "v=v/ExponentialMovingAverage");
}

}  // namespace
}  // namespace cryo
