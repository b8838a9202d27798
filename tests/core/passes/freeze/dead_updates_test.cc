#include "passes/freeze/dead_updates.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace cryo {
namespace {

const std::string kCounter = variable("n", {}, "VarHandleOp");
const std::string kCount = node("count", "AssignAddVariableOp", {"n", "one", "^before"});

struct Still {
  explicit Still(const Lines& nodes, const Globs& keep = {}) {
    const VariableSelection selection{.keep_variables = keep};
    model = without_dead_updates(model_of(nodes), {"y"}, selection, Initializers(), diagnostics);
  }

  Diagnostics diagnostics = {};
  std::optional<Model> model = {};
};

// The update of a counter that no output reads is removed. Nodes that waited for it wait for its
// control inputs instead.
TEST(UnseenUpdates, GoWhereNoOutputShowsTheVariable) {
  const Lines nodes = {kCounter,
                       node("one", "Op"),
                       node("before", "Op"),
                       kCount,
                       node("group", "NoOp", {"^count"}),
                       node("y", "Identity", {"one", "^group"})};
  const Still still(nodes);
  ASSERT_TRUE(still.model.has_value());
  const Node& count = still.model->graph.nodes()[3];
  EXPECT_EQ(count.op, "NoOp");
  ASSERT_EQ(count.input_count, 1U);
  EXPECT_EQ(*count.inputs().begin(), "^before");
  EXPECT_EQ(codes(still.diagnostics), Lines{"update-dropped"});
  EXPECT_FALSE(Still(nodes, {"n"}).model.has_value());
}

// The state of a generator: what it draws goes nowhere, and its next state only to itself.
TEST(UnseenUpdates, GoWhereTheVariableOnlyFeedsItself) {
  const Still still({kCounter, node("read", "ReadVariableOp", {"n"}), node("next", "Op", {"read"}),
                     node("set", "AssignVariableOp", {"n", "next"}), node("x", "Op"),
                     node("y", "Identity", {"x", "^set", "^read"})});
  EXPECT_TRUE(still.model.has_value());
}

TEST(UnseenUpdates, StayWhereAnOutputShowsTheVariable) {
  const std::string one = node("one", "Op"), before = node("before", "Op");
  EXPECT_FALSE(Still({kCounter, one, before, kCount, node("read", "ReadVariableOp", {"n"}),
                      node("y", "Op", {"read", "^count"})})
                   .model.has_value());
  const Lines by_reference = {variable("w", {}), one, node("add", "AssignAdd", {"w", "one"}),
                              node("y", "Op", {"add"})};
  EXPECT_FALSE(Still(by_reference).model.has_value());
}

// A run has other effects than its outputs: an assertion, another variable's new value.
TEST(UnseenUpdates, StayWhereAnotherEffectShowsTheVariable) {
  const std::string one = node("one", "Op"), before = node("before", "Op");
  const std::string read = node("read", "ReadVariableOp", {"n"});
  EXPECT_FALSE(Still({kCounter, one, before, kCount, read, node("assert", "Assert", {"read"}),
                      node("y", "Op", {"one", "^count", "^assert"})})
                   .model.has_value());
  const std::string shown = variable("m", {}, "VarHandleOp");
  EXPECT_FALSE(Still({kCounter, one, before, kCount, read, shown,
                      node("set", "AssignVariableOp", {"m", "read", "^count"}),
                      node("y", "ReadVariableOp", {"m", "^set"})})
                   .model.has_value());
}

}  // namespace
}  // namespace cryo
