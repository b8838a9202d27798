#include "passes/weights/extract.h"

#include <gtest/gtest.h>

#include "bundle.h"
#include "graphs.h"

namespace cryo {
namespace {

Model weights_of(Bundle& bundle) {
  Model model;
  model.kind = Kind::kCheckpoint;
  model.checkpoint = std::make_shared<const Checkpoint>(*bundle.read());
  return model;
}

Bundle two() {
  Bundle bundle;
  bundle.add("net/a", {1}, 0, 4, "aaaa");
  bundle.add("net/b/.ATTRIBUTES/VARIABLE_VALUE", {1}, 4, 4, "bbbb");
  bundle.add_shard("aaaabbbb");
  return bundle;
}

// The names of what is taken, or the error's code.
Lines extracted(const Model& model, const WeightsOptions& options, Diagnostics& diagnostics) {
  const auto made = extract_weights(model, {}, options, nullptr, diagnostics);
  if (!made) return {made.error().code};
  Lines names;
  for (const CheckpointEntry& entry : made->model.checkpoint->entries) names.push_back(entry.key);
  return names;
}

Lines renamed_by(const std::vector<std::string>& rules) {
  Bundle bundle = two();
  WeightsOptions options;
  options.rename = rules;
  Diagnostics diagnostics;
  Lines names = extracted(weights_of(bundle), options, diagnostics);
  for (const std::string& code : codes(diagnostics)) names.push_back(code);
  return names;
}

TEST(Extract, FollowsRulesForNames) {
  EXPECT_EQ(renamed_by({}), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(renamed_by({"net/*=*/w"}), (Lines{"a/w", "b/w"}));
  EXPECT_EQ(renamed_by({"net/a=z"}), (Lines{"net/b", "z"}));
  EXPECT_EQ(renamed_by({"x=y"}), Lines{"rename-unused"});
  EXPECT_EQ(renamed_by({"net/*=w"}), (Lines{"duplicate-name"}));
  EXPECT_EQ(renamed_by({"net/a"}), (Lines{"bad-option"}));
}

TEST(Extract, ChoosesByName) {
  Bundle bundle = two();
  const Model model = weights_of(bundle);
  WeightsOptions options;
  Diagnostics diagnostics;
  options.variables = {"**/b"};
  EXPECT_EQ(extracted(model, options, diagnostics), Lines{"net/b"});
  options.weights.exclude = {"net/*"};
  EXPECT_EQ(extracted(model, options, diagnostics), Lines{"no-weights"});
  options.variables = Globs();
  options.weights.exclude = {"net/b"};
  EXPECT_EQ(extracted(model, options, diagnostics), Lines{"net/a"});
}

TEST(Extract, SalvagesWhatIsWhole) {
  Bundle bundle = two();
  bundle.add_shard("aaaabbbc");
  WeightsOptions options;
  options.salvage = true;
  Diagnostics diagnostics;
  const auto made = extract_weights(weights_of(bundle), {}, options, nullptr, diagnostics);
  ASSERT_TRUE(made.ok()) << failure_of(made);
  EXPECT_EQ(made->model.checkpoint->entries.size(), 1U);
  const LostParts& lost = made->losses.lost;
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost.front().name, "net/b");
  EXPECT_EQ(lost.front().why.code, "checksum");
  EXPECT_EQ(lost.front().why.where.offset, 4U);
  EXPECT_EQ(codes(diagnostics), Lines{"weights-lost"});
}

TEST(Extract, SaysThatNothingIsLost) {
  Bundle bundle = two();
  WeightsOptions options;
  options.salvage = true;
  Diagnostics diagnostics;
  EXPECT_EQ(extracted(weights_of(bundle), options, diagnostics), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(codes(diagnostics), Lines{"nothing-lost"});
}

// The tensor and the read of a weight name it.
TEST(Extract, SeesThroughTheFormsOfAName) {
  Bundle bundle = two();
  const Model model = weights_of(bundle);
  const auto chosen = [&](const Globs& globs) {
    WeightsOptions options;
    Diagnostics diagnostics;
    options.variables = globs;
    return extracted(model, options, diagnostics);
  };
  EXPECT_EQ(chosen({"net/a:0"}), Lines{"net/a"});
  EXPECT_EQ(chosen({"net/a/read"}), Lines{"net/a"});
  EXPECT_EQ(chosen({"net/b/.ATTRIBUTES/VARIABLE_VALUE"}), Lines{"net/b"});
  EXPECT_EQ(chosen({"**/read"}), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(chosen({"**/read:0"}), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(chosen({*Glob::parse("/a\\/read$/")}), Lines{"net/a"});
  EXPECT_EQ(chosen({*Glob::parse("/read/")}), Lines{"glob-unused"});
  EXPECT_EQ(renamed_by({"**/read=**"}), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(renamed_by({"net/a/read=x"}), (Lines{"net/b", "x"}));
}

// A typing mistake is an error that names what is near.
TEST(Extract, RefusesGlobsThatNameNothing) {
  Bundle bundle = two();
  const Model model = weights_of(bundle);
  Diagnostics diagnostics;
  WeightsOptions options;
  options.variables = {"net/a", "met/b"};
  const auto made = extract_weights(model, {}, options, nullptr, diagnostics);
  EXPECT_EQ(failure_of(made),
            "glob-unused: no weight is named by --variables 'met/b' (did you mean net/b?)");
  options = WeightsOptions();
  options.weights.exclude = {"x"};
  EXPECT_EQ(extracted(model, options, diagnostics), Lines{"glob-unused"});
  options = WeightsOptions();
  options.weights.constants = {"x"};
  EXPECT_EQ(extracted(model, options, diagnostics), Lines{"glob-unused"});
}

TEST(Extract, ReadsNoWeightAndRefusesOneThatCannotBeRead) {
  Bundle bundle = two();
  Diagnostics diagnostics;
  EXPECT_EQ(extracted(weights_of(bundle), {}, diagnostics).size(), 2U);
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 0U);
  bundle.add_shard("aaaabb");
  EXPECT_EQ(extracted(weights_of(bundle), {}, diagnostics), Lines{"outside-data"});
}

TEST(Extract, TellsOnceOfAllVariablesWithoutAValue) {
  const Model model = model_of({variable("u", {1}), variable("v", {1}), variable("w", {2})},
                               checkpoint_of({{"w", {1, 2}}}));
  Diagnostics diagnostics;
  EXPECT_EQ(extracted(model, {}, diagnostics), Lines{"w"});
  ASSERT_EQ(codes(diagnostics), Lines{"missing-key"});
  EXPECT_EQ(diagnostics.all()[0].message,
            "Key u not found in checkpoint; the same for 2 variables: u, v");
}

TEST(Extract, LeavesOutWhatOnlyTrainingNeeds) {
  const Model model = model_of({variable("w", {2})}, checkpoint_of({{"w", {1, 2}},
                                                                    {"w/Adam", {1, 2}},
                                                                    {"w/Adam_1", {1, 2}},
                                                                    {"w/other", {1, 2}},
                                                                    {"net/iter", {1, 2}}}));
  WeightsOptions options;
  Diagnostics diagnostics;
  EXPECT_EQ(extracted(model, options, diagnostics).size(), 5U);
  options.no_slots = true;
  EXPECT_EQ(extracted(model, options, diagnostics), (Lines{"net/iter", "w", "w/other"}));
}

TEST(Slots, AreCountersAndNumbersOfOptimizersToo) {
  Bundle bundle;
  int64_t at = 0;
  for (const char* key : {"global_step", "beta1_power_1", "save_counter/.ATTRIBUTES/VARIABLE_VALUE",
                          "optimizer/learning_rate/.ATTRIBUTES/VARIABLE_VALUE", "scale"}) {
    bundle.add(key, {}, at, 4, "aaaa");
    at += 4;
  }
  bundle.add("net/global_step", {1}, at, 4, "aaaa");
  bundle.add_shard(std::string(24, 'a'));
  WeightsOptions options;
  options.no_slots = true;
  Diagnostics diagnostics;
  EXPECT_EQ(extracted(weights_of(bundle), options, diagnostics),
            (Lines{"net/global_step", "scale"}));
}

}  // namespace
}  // namespace cryo
