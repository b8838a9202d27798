// Laws of what takes two models: a model differs from itself in nothing, and its own weights put
// back into it change nothing.

#include "graph/roles.h"
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

// A model in front of itself: its own nodes stay byte for byte, but for the connected input, and
// its values are there for both.
TEST(Pairs, JoiningKeepsWhatIsNotConnected) {
  Tally tally("join(m, m) has m");
  for (const Case& each : cases()) {
    const Opened opened(each);
    const Model& model = *opened.model;
    const auto& nodes = model.graph.nodes();
    const auto input = std::find_if(nodes.begin(), nodes.end(),
                                    [](const Node& node) { return is_placeholder(node.op); });
    if (input == nodes.end()) {
      tally.skip("no placeholder");
      continue;
    }
    PassOptions options;
    options.other = &model;
    options.scope = "joined_scope";
    options.connect = {cat("joined_scope/", input->name, "=", input->name)};
    PassLog log;
    const auto made = run("edit", model, options, log);
    if (!made) {
      tally.skip(made.error().code);
      continue;
    }
    const NodeNames& names = made->graph.index().names();
    for (const Node& node : nodes) {
      const uint32_t place = names.find(node.name);
      ASSERT_NE(place, kNoNode) << each.name() << " " << node.name;
      ASSERT_NE(names.find(cat("joined_scope/", node.name)), kNoNode) << each.name();
      if (node.name == input->name) continue;
      EXPECT_EQ(made->graph.nodes()[place].bytes, node.bytes) << each.name() << " " << node.name;
    }
    for (const Variable& variable : variables_of(model)) {
      if (!value_of(model, variable)) continue;
      const auto joined = variables_of(*made);
      for (const std::string& name : {variable.name, cat("joined_scope/", variable.name)}) {
        const auto found = std::find_if(joined.begin(), joined.end(),
                                        [&](const Variable& one) { return one.name == name; });
        ASSERT_NE(found, joined.end()) << each.name() << " " << name;
        EXPECT_TRUE(value_of(*made, *found).ok()) << each.name() << " " << name;
      }
    }
    tally.held();
  }
  EXPECT_GT(tally.count(), 25);
}

}  // namespace
}  // namespace cryo::laws
