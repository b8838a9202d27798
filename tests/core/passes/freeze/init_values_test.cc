// A value that a SavedModel's init op assigns never takes the place of a weight that is missing.
#include <gtest/gtest.h>

#include "graphs.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "only_model.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

// y = w * path; the init op assigns both. `restored`: the saver's, by their names.
Model saved_model(std::shared_ptr<const Checkpoint> checkpoint, const Lines& restored,
                  Kind kind = Kind::kSavedModel) {
  const Attrs floats = {{"T", type_value(kFloat32)}};
  Model model = model_of({variable("w", {1}), variable("path", {1}), constant("first", {7}, {1}),
                          node("w/Assign", "Assign", {"w", "first"}, floats),
                          node("path/Assign", "Assign", {"path", "first"}, floats),
                          node("init", "NoOp", {"^w/Assign", "^path/Assign"}),
                          node("y", "Mul", {"w", "path"}, floats), node("restore_all", "NoOp")},
                         std::move(checkpoint));
  model.kind = kind;
  for (const std::string& each : restored) model.restores.edit()[each] = {each, ""};
  tensorflow::MetaGraphDef meta;
  meta.mutable_saver_def()->set_restore_op_name("restore_all");
  set_init_op(meta, "init");
  set_meta(model, std::move(meta));
  return model;
}

struct FrozenInitialValues {
  explicit FrozenInitialValues(const Model& model) {
    result = only_model(freeze(model, {.selection = {.outputs = {"y"}}}, {}, diagnostics));
  }
  bool has(std::string_view code, Severity severity) const {
    for (const Diagnostic& each : diagnostics.all()) {
      if (each.code == code && each.severity == severity) return true;
    }
    return false;
  }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(InitValues, DoNotStandForAMissingCheckpoint) {
  const FrozenInitialValues frozen(saved_model(nullptr, {"w", "path"}));
  ASSERT_FALSE(frozen.result.ok());
  EXPECT_EQ(frozen.result.error().code, "no-checkpoint");
  // Nor where the saver restores none of them: the loader refuses the folder before it runs the op.
  EXPECT_FALSE(FrozenInitialValues(saved_model(nullptr, {})).result.ok());
}

TEST(InitValues, DoNotStandForAMissingKey) {
  const FrozenInitialValues frozen(saved_model(checkpoint_of({{"path", {3}}}), {"w", "path"}));
  ASSERT_FALSE(frozen.result.ok());
  EXPECT_EQ(frozen.result.error().code, "missing-key");
}

TEST(InitValues, AreNotTakenWhereNothingRunsTheInitOp) {
  const Model model = saved_model(checkpoint_of({{"w", {3}}}), {"w"}, Kind::kMetaGraph);
  EXPECT_FALSE(FrozenInitialValues(model).result.ok());
}

TEST(InitValues, OfVariablesThatNothingRestoresAreTakenAndReported) {
  const FrozenInitialValues frozen(saved_model(checkpoint_of({{"w", {3}}}), {"w"}));
  ASSERT_TRUE(frozen.result.ok()) << failure_of(frozen.result);
  EXPECT_EQ(described(find(frozen.result->graph, "path")), "path = Identity(first)");
  EXPECT_TRUE(frozen.has("assigned-by-init-op", Severity::kNote));
}

TEST(InitValues, AfterRestoringAreWarnedOf) {
  const FrozenInitialValues frozen(
      saved_model(checkpoint_of({{"w", {3}}, {"path", {4}}}), {"w", "path"}));
  ASSERT_TRUE(frozen.result.ok()) << failure_of(frozen.result);
  EXPECT_EQ(floats(*frozen.result, "w"), std::vector<float>{3});
  EXPECT_TRUE(frozen.has("restored-then-assigned", Severity::kWarning));
}

TEST(InitValues, RestoreFaultIsOfSavedModelsWithVariables) {
  EXPECT_TRUE(restore_fault(saved_model(nullptr, {})));
  EXPECT_FALSE(restore_fault(saved_model(nullptr, {}, Kind::kMetaGraph)));
  EXPECT_FALSE(restore_fault(saved_model(checkpoint_of({{"w", {3}}}), {})));
  Model plain = saved_model(nullptr, {});
  plain.meta = {};
  EXPECT_FALSE(restore_fault(plain));
}

}  // namespace
}  // namespace cryo
