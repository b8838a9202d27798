#include "passes/extract.h"

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
Lines extracted(const Model& model, const PassOptions& options, PassLog& log) {
  const auto made = extract_weights(model, options, log);
  if (!made) return {made.error().code};
  Lines names;
  for (const CheckpointEntry& entry : made->checkpoint->entries) names.push_back(entry.key);
  return names;
}

Lines renamed_by(const std::vector<std::string>& rules) {
  Bundle bundle = two();
  PassOptions options;
  options.rename = rules;
  PassLog log;
  Lines names = extracted(weights_of(bundle), options, log);
  for (const std::string& code : codes(log.diagnostics)) names.push_back(code);
  return names;
}

TEST(Extract, FollowsRulesForNames) {
  EXPECT_EQ(renamed_by({}), (Lines{"net/a", "net/b"}));
  EXPECT_EQ(renamed_by({"net/*=*/w"}), (Lines{"a/w", "b/w"}));
  EXPECT_EQ(renamed_by({"net/a=z"}), (Lines{"net/b", "z"}));
  EXPECT_EQ(renamed_by({"x=y"}), (Lines{"net/a", "net/b", "rename-unused"}));
  EXPECT_EQ(renamed_by({"net/*=w"}), (Lines{"duplicate-name"}));
  EXPECT_EQ(renamed_by({"net/a"}), (Lines{"bad-option"}));
}

TEST(Extract, ReadsEachWeightOnceAndComparesItsChecksum) {
  Bundle bundle = two();
  PassLog log;
  EXPECT_EQ(extracted(weights_of(bundle), {}, log).size(), 2U);
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 8U);
  bundle.add_shard("aaaabbbx");
  EXPECT_EQ(extracted(weights_of(bundle), {}, log), Lines{"checksum"});
}

}  // namespace
}  // namespace cryo
