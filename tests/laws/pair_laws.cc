// Laws of what takes two models: a model differs from itself in nothing, and its own weights put
// back into it change nothing.

#include <gtest/gtest.h>

#include "base/text.h"
#include "graph/roles.h"
#include "laws.h"
#include "model/variables.h"
#include "passes/diff/model_difference.h"
#include "road.h"

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
  const auto found = diff(a, b, {.checksum = true}, diagnostics);
  if (!found) return found.error().code;
  if (found->equal()) return "";
  return cat(join(names_of(found->weights.differing), ", ", 3), " missing ",
             join(found->weights.missing, ", ", 3), " extra ", join(found->weights.extra, ", ", 3));
}

void differs_from_itself_in_nothing(Road& road, Tally& tally) {
  EXPECT_EQ(differences(road.model(), road.second().model()), "");
  ++tally.held;
}

// Weights whose names a frozen graph lost are not matched; all others return to their variables.
void takes_back_its_own_weights(Road& road, Tally& tally) {
  const auto& [frozen, frozen_report] = road.frozen();
  if (!frozen) return tally.skip(frozen.error().code);
  if (frozen_report.converted.empty()) return tally.skip("no variables");
  Options options;
  options.others = {&*frozen};
  MadeModel report;
  const auto made = run("transfer", road.model(), options, report);
  ASSERT_TRUE(made.ok()) << to_text(made.error());
  EXPECT_EQ(report.matches.variables.size(), variables_of(road.model()).size());
  std::map<std::string, VariableMatch::Kind> matches;
  for (const VariableMatch& match : report.matches.variables) matches[match.name] = match.kind;
  for (const Conversion& conversion : frozen_report.converted) {
    if (matches.contains(conversion.name)) {
      EXPECT_EQ(matches[conversion.name], VariableMatch::kMatched) << conversion.name;
    }
  }
  EXPECT_TRUE(made->graph.skeleton() == road.model().graph.skeleton());
  EXPECT_EQ(differences(road.model(), *made), "");
  ++tally.held;
}

// A model in front of itself: its own nodes stay byte for byte, but for the connected input, and
// its values are there for both.
void joined_keeps_what_is_not_connected(Road& road, Tally& tally) {
  const Model& model = road.model();
  const auto& nodes = model.graph.nodes();
  const auto input = std::find_if(nodes.begin(), nodes.end(),
                                  [](const Node& node) { return is_placeholder(node.op); });
  if (input == nodes.end()) return tally.skip("no placeholder");
  Options options;
  options.others = {&model};
  options.edit.scope = "joined_scope";
  options.edit.connect = {cat("joined_scope/", input->name, "=", input->name)};
  MadeModel report;
  const auto made = run("edit", model, options, report);
  if (!made) return tally.skip(made.error().code);
  const NodeNames& names = made->graph.index().names();
  for (const Node& node : nodes) {
    const uint32_t place = names.find(node.name);
    ASSERT_NE(place, kNoNode) << node.name;
    ASSERT_NE(names.find(cat("joined_scope/", node.name)), kNoNode);
    if (node.name == input->name) continue;
    EXPECT_EQ(made->graph.nodes()[place].bytes, node.bytes) << node.name;
  }
  const auto joined = variables_of(*made);
  for (const Variable& variable : variables_of(model)) {
    if (!value_of(model, variable)) continue;
    for (const std::string& name : {variable.name, cat("joined_scope/", variable.name)}) {
      const auto found = std::find_if(joined.begin(), joined.end(),
                                      [&](const Variable& one) { return one.name == name; });
      ASSERT_NE(found, joined.end()) << name;
      EXPECT_TRUE(value_of(*made, *found).ok()) << name;
    }
  }
  ++tally.held;
}

}  // namespace

std::vector<Law> pair_laws() {
  return {{"diff(m, m) is equal", 100, differs_from_itself_in_nothing},
          {"transfer(freeze(m), m) is m", 25, takes_back_its_own_weights},
          {"join(m, m) has m", 25, joined_keeps_what_is_not_connected}};
}

}  // namespace cryo::laws
