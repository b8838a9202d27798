// Laws of what takes two models: a model differs from itself in nothing, and its own weights put
// back into it change nothing.

#include "laws.h"
#include "model/variables.h"
#include "passes/diff/model_difference.h"

namespace cryo::laws {
namespace {

std::vector<std::string> names_of(const std::vector<ComparedWeight>& weights) {
  std::vector<std::string> names;
  for (const ComparedWeight& each : weights) names.push_back(each.name);
  return names;
}

// The difference of two models, as text; empty if they are equal.
std::string differences(const Model& a, const Model& b) {
  Diagnostics diagnostics;
  const auto found = diff(a, b, {}, true, diagnostics);
  if (!found) return found.error().code;
  if (found->equal()) return "";
  return cat(join(names_of(found->weights.differing), ", ", 3), " missing ",
             join(found->weights.missing, ", ", 3), " extra ", join(found->weights.extra, ", ", 3));
}

TEST(Pairs, AModelDiffersFromItselfInNothing) {
  Tally tally("diff(m, m) is equal");
  for (const Case& each : cases()) {
    const Opened once(each);
    const Opened twice(each);
    EXPECT_EQ(differences(*once.model, *twice.model), "") << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

// Weights whose names a frozen graph lost are not matched; all others return to their variables.
TEST(Pairs, WeightsPutBackWhereTheyCameFromChangeNothing) {
  Tally tally("transfer(freeze(m), m) is m");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog frozen_log;
    const auto frozen = run("freeze", *opened.model, each.outputs, frozen_log);
    if (!frozen || frozen_log.converted.empty()) {
      tally.skip(frozen ? "no variables" : frozen.error().code);
      continue;
    }
    PassOptions options;
    options.other = &*frozen;
    PassLog log;
    const auto made = run("transfer", *opened.model, options, log);
    ASSERT_TRUE(made.ok()) << each.name() << ": " << to_text(made.error());
    EXPECT_EQ(log.matches.size(), variables_of(*opened.model).size()) << each.name();
    std::map<std::string, VariableMatch::Kind> matches;
    for (const VariableMatch& match : log.matches) matches[match.name] = match.kind;
    for (const Conversion& conversion : frozen_log.converted) {
      if (matches.contains(conversion.name)) {
        EXPECT_EQ(matches[conversion.name], VariableMatch::kMatched)
            << each.name() << " " << conversion.name;
      }
    }
    EXPECT_TRUE(made->graph.skeleton() == opened.model->graph.skeleton()) << each.name();
    EXPECT_EQ(differences(*opened.model, *made), "") << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 25);
}

}  // namespace
}  // namespace cryo::laws
