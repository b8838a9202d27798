#include "passes/prune/initializer_steps.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "only_model.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

// A dense table has inputs of its own: the keys of empty and of deleted buckets.
TEST(InitializerSteps, FillsADenseTable) {
  Model model = model_of({placeholder("x", {-1}), node("empty", "Const"), node("deleted", "Const"),
                          node("keys", "Const"),
                          node("table", "MutableDenseHashTableV2", {"empty", "deleted"}),
                          node("fill", "LookupTableImportV2", {"table", "keys", "keys"}),
                          node("init", "NoOp", {"^fill"}), node("idle", "Const"),
                          node("found", "LookupTableFindV2", {"table", "x", "x"})});
  tensorflow::MetaGraphDef meta;
  set_init_op(meta, "init");
  set_meta(model, meta);
  PruneOptions options;
  options.selection.outputs = {"found"};
  Diagnostics diagnostics;
  const Result<Model> pruned = only_model(prune(model, options, nullptr, diagnostics));
  ASSERT_TRUE(pruned.ok()) << failure_of(pruned);
  EXPECT_EQ(pruned->graph.nodes().size(), model.graph.nodes().size() - 1);
  EXPECT_TRUE(names_init_op(parse_meta(*pruned)));
}

}  // namespace
}  // namespace cryo
