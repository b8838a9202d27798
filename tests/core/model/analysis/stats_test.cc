#include "model/analysis/stats.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace cryo {
namespace {

using Scopes = std::map<std::string, uint64_t>;

TEST(Stats, WeighsScopesByTheNamesOfVariablesAndOfWhatElseIsSaved) {
  Model model =
      model_of({variable("conv/w", {2}), variable("step", {1})},
               checkpoint_of({{"object/0", {1, 2}}, {"step", {3}}, {"slots/m", {1, 2, 3}}}));
  model.restores.edit().emplace("conv/w", RestoredFrom{"object/0", ""});
  EXPECT_EQ(bytes_by_scope(model), (Scopes{{"", 4}, {"conv", 8}})) << "as a pass left it";
  model.graph = *Graph::parse(model.graph.skeleton());
  EXPECT_EQ(bytes_by_scope(model), (Scopes{{"", 4}, {"conv", 8}, {"slots", 12}}))
      << "as it was read";
}

TEST(Stats, WeighsScopesOfConstantsAsTheConstantsAreWeighed) {
  const Model model = model_of({constant("a/b/c", {1, 2, 3}, {3}), constant("d", {4}, {1})});
  uint64_t all = 0;
  for (const auto& each : bytes_by_scope(model)) all += each.second;
  EXPECT_EQ(bytes_by_scope(model).size(), 2U);
  EXPECT_EQ(all, stats_of(model).constant_bytes);
}

}  // namespace
}  // namespace cryo
