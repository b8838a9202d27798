#include "passes/freeze/always_assigned.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace cryo {
namespace {

struct Found {
  explicit Found(const std::vector<std::string>& nodes, const Globs& keep = {}) {
    const VariableSelection selection{.keep_variables = keep};
    find_always_assigned(model_of(nodes), {"y"}, selection, diagnostics, initializers);
  }
  Lines lines() const {
    Lines lines;
    for (const auto& each : initializers.first)
      lines.push_back(cat(each.first, " = ", each.second));
    return lines;
  }

  Diagnostics diagnostics = {};
  Initializers initializers = {};
};

TEST(AlwaysAssigned, IsAReferenceThatOnlyItsAssignmentTakes) {
  const Lines nodes = {variable("w", {2}), node("value", "Split"),
                       node("set", "Assign", {"w", "value:1"}), node("y", "Op", {"set", "^w"})};
  const Found found(nodes);
  EXPECT_EQ(found.lines(), Lines{"w = value:1"});
  EXPECT_EQ(found.initializers.assigns.count("set"), 1U);
  EXPECT_EQ(codes(found.diagnostics), Lines{"always-assigned"});
  EXPECT_EQ(Found(nodes, {"w"}).lines(), Lines{});
}

TEST(AlwaysAssigned, IsAHandleWhoseReadsWaitForTheAssignment) {
  EXPECT_EQ(Found({variable("v", {2}, "VarHandleOp"), node("value", "Op"),
                   node("set", "AssignVariableOp", {"v", "value"}),
                   node("read", "ReadVariableOp", {"v", "^set"}), node("y", "Op", {"read"})})
                .lines(),
            Lines{"v = value"});
}

TEST(AlwaysAssigned, IsNotWhatSomebodyElseMayTakeBefore) {
  EXPECT_EQ(Found({variable("w", {2}), node("set", "Assign", {"w", "value"}), node("value", "Op"),
                   node("y", "Op", {"set", "w"})})
                .lines(),
            Lines{});
  EXPECT_EQ(Found({variable("v", {2}, "VarHandleOp"), node("value", "Op"),
                   node("set", "AssignVariableOp", {"v", "value"}),
                   node("read", "ReadVariableOp", {"v"}), node("y", "Op", {"read", "^set"})})
                .lines(),
            Lines{});
  EXPECT_EQ(Found({variable("y", {2}), node("value", "Op"), node("set", "Assign", {"y", "value"})})
                .lines(),
            Lines{});
}

TEST(AlwaysAssigned, IsNotWhatIsChangedAgainOrAddedTo) {
  const std::string w = variable("w", {2}), value = node("value", "Op");
  EXPECT_EQ(Found({w, value, node("y", "AssignAdd", {"w", "value"})}).lines(), Lines{});
  EXPECT_EQ(Found({w, value, node("a", "Assign", {"w", "value"}), node("y", "Assign", {"w", "a"})})
                .lines(),
            Lines{});
  EXPECT_EQ(Found({w, value, node("a", "Assign", {"w", "value"}),
                   node("y", "ScatterAdd", {"a", "value", "value"})})
                .lines(),
            Lines{});
}

}  // namespace
}  // namespace cryo
