#include "passes/diff/model_difference.h"

#include <gtest/gtest.h>

#include "bundle.h"
#include "graphs.h"

namespace cryo {
namespace {

struct Compared {
  Compared(const Model& a, const Model& b, const DiffOptions& options = {})
      : found(diff(a, b, options, diagnostics)) {}

  // "=w", "!w 2", "-missing", "+extra", each weight once.
  Lines weights() const {
    if (!found) return {found.error().code};
    Lines lines;
    for (const ComparedWeight& each : found->weights.equal) lines.push_back(cat("=", each.name));
    for (const ComparedWeight& each : found->weights.differing) {
      const std::string count =
          each.difference ? std::to_string(each.difference->count) : to_text(each.other_shape);
      lines.push_back(cat("!", each.name, " ", count));
    }
    for (const std::string& name : found->weights.missing) lines.push_back(cat("-", name));
    for (const std::string& name : found->weights.extra) lines.push_back(cat("+", name));
    return lines;
  }

  Diagnostics diagnostics;
  Result<ModelDifference> found;
};

Model variables(const std::vector<std::pair<std::string, std::vector<float>>>& values) {
  std::vector<std::string> nodes;
  for (const auto& each : values) {
    nodes.push_back(variable(each.first, {static_cast<int64_t>(each.second.size())}));
  }
  return model_of(nodes, checkpoint_of(values));
}

Model alone(const std::vector<std::pair<std::string, std::vector<float>>>& values) {
  Model model;
  model.kind = Kind::kCheckpoint;
  model.name = "alone";
  model.checkpoint = checkpoint_of(values);
  return model;
}

TEST(Diff, OfAModelAndItselfIsNone) {
  const Model model = variables({{"b", {1}}, {"w", {1, 2}}});
  const Compared same(model, model);
  EXPECT_EQ(same.weights(), (Lines{"=b", "=w"}));
  EXPECT_TRUE(same.found->equal());
}

TEST(Diff, TellsEachWeight) {
  const Compared found(alone({{"a", {1, 2}}, {"b", {1}}, {"c", {1}}, {"d", {1, 2}}}),
                       alone({{"a", {1, 3}}, {"b", {1}}, {"d", {1, 2, 3}}, {"e", {1}}}));
  EXPECT_EQ(found.weights(), (Lines{"=b", "!a 1", "!d [3]", "-c", "+e"}));
  EXPECT_FALSE(found.found->equal());
}

TEST(Diff, SaysWhereThereIsNoStructureToCompare) {
  const Compared found(variables({{"w", {1, 2}}}), alone({{"w", {1, 2}}}));
  EXPECT_FALSE(found.found->structure.has_value());
  EXPECT_EQ(codes(found.diagnostics), Lines{"only-weights"});
  EXPECT_TRUE(found.found->equal());
}

TEST(Diff, ComparesAcrossForms) {
  const Model frozen = model_of({constant("w", {1, 2}, {2}), constant("axis", {1}, {1})});
  const Compared found(variables({{"w", {1, 2}}}), frozen);
  EXPECT_EQ(found.weights(), Lines{"=w"});
  ASSERT_EQ(found.found->structure->changed.size(), 1U);
  EXPECT_EQ(found.found->structure->changed[0].op_b, "Const");
  EXPECT_EQ(Compared(frozen, alone({{"w", {1, 2}}})).weights(), Lines{"=w"});
}

TEST(Diff, ComparesPartitionedWithWhole) {
  const Model parts =
      model_of({constant("w/part_0", {1, 2}, {2}), constant("w/part_1", {3}, {1}),
                node("m", "BiasAdd", {"x", "w/part_0"}), node("n", "BiasAdd", {"m", "w/part_1"})});
  EXPECT_EQ(Compared(parts, alone({{"w", {1, 2, 3}}})).weights(), Lines{"=w"});
  EXPECT_EQ(Compared(alone({{"w", {1, 2, 4}}}), parts).weights(), Lines{"!w 1"});
}

TEST(Diff, FollowsRulesAndLeavesOut) {
  DiffOptions options;
  options.rename = {"old/*=*"};
  EXPECT_EQ(Compared(alone({{"old/w", {1}}}), alone({{"w", {1}}}), options).weights(),
            Lines{"=old/w"});
  options = {};
  options.weights.exclude = {"b"};
  EXPECT_EQ(Compared(alone({{"a", {1}}, {"b", {1}}}), alone({{"a", {1}}}), options).weights(),
            Lines{"=a"});
  options = {};
  options.match = {"value"};
  EXPECT_EQ(Compared(alone({{"a", {1}}}), alone({{"z", {1}}}), options).weights(), Lines{"=a"});
}

TEST(Diff, ComparesOtherConstantsAsStructure) {
  const Compared found(model_of({constant("axis", {1}, {1})}),
                       model_of({constant("axis", {2}, {1})}));
  EXPECT_EQ(found.weights(), Lines());
  ASSERT_EQ(found.found->structure->changed.size(), 1U);
  EXPECT_EQ(found.found->structure->changed[0].attrs, Lines{"value"});
}

Model bundled(const std::string& stored, const std::string& summed) {
  Bundle bundle;
  bundle.add("w", {1}, 0, 4, summed);
  bundle.add_shard(stored);
  Model model;
  model.kind = Kind::kCheckpoint;
  model.checkpoint = std::make_shared<const Checkpoint>(*bundle.read());
  return model;
}

TEST(Diff, TellsADamagedWeightAndGoesOn) {
  const Compared found(bundled("aaax", "aaaa"), bundled("aaaa", "aaaa"));
  EXPECT_EQ(codes(found.diagnostics), (Lines{"checksum", "only-weights"}));
  EXPECT_TRUE(found.found->damaged);
}

TEST(Diff, ReadsWhatHasNoPartnerOnlyWhereAsked) {
  const Model none = alone({{"z", {1}}});
  EXPECT_FALSE(Compared(bundled("aaax", "aaaa"), none).found->damaged);
  EXPECT_TRUE(Compared(bundled("aaax", "aaaa"), none, {.checksum = true}).found->damaged);
}

}  // namespace
}  // namespace cryo
