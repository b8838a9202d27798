#include "passes/common/restored_tables.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/string_tensor.h"
#include "only_model.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

std::string names_const(std::string_view name, const std::vector<std::string>& values) {
  return node(name, "Const", {},
              {{"dtype", type_value(7)}, {"value", tensor_value(string_vector(values))}});
}

// A table that the saver fills, one that a node fills, and what is looked up in both.
Model model_with_tables(std::shared_ptr<const Checkpoint> checkpoint) {
  Model model = model_of(
      {placeholder("x", {-1}), node("table", "MutableHashTableV2"), node("other", "HashTableV2"),
       node("fill_other", "InitializeTableV2", {"other", "x", "x"}),
       node("y", "LookupTableFindV2", {"table", "x", "x"}),
       node("z", "LookupTableFindV2", {"other", "y", "x"}),
       names_const("save/names", {"table-keys", "table-values"}),
       names_const("save/slices", {"", ""}),
       node("save/RestoreV2", "RestoreV2", {"save/Const", "save/names", "save/slices"}),
       node("save/fill", "LookupTableImportV2", {"table", "save/RestoreV2", "save/RestoreV2:1"}),
       node("save/restore_all", "NoOp", {"^save/fill"}), node("save/Const", "Const")},
      std::move(checkpoint));
  tensorflow::MetaGraphDef meta;
  meta.mutable_saver_def()->set_restore_op_name("save/restore_all");
  set_init_op(meta, "fill_other");
  set_meta(model, std::move(meta));
  return model;
}

const auto kContent = checkpoint_of({{"table-keys", {1, 2}}, {"table-values", {3, 4}}});

TEST(RestoredTables, AreFilledFromConstants) {
  Diagnostics diagnostics;
  PruneOptions options;
  options.selection.outputs = {"z"};
  const auto pruned = only_model(prune(model_with_tables(kContent), options, nullptr, diagnostics));
  ASSERT_TRUE(pruned.ok()) << failure_of(pruned);
  EXPECT_EQ(described(pruned->graph),
            (Lines{"x = Placeholder()", "table = MutableHashTableV2()", "other = HashTableV2()",
                   "fill_other = InitializeTableV2(other, x, x)",
                   "y = LookupTableFindV2(table, x, x)", "z = LookupTableFindV2(other, y, x)",
                   "table/fill/keys = Const()", "table/fill/values = Const()",
                   "table/fill = LookupTableImportV2(table, table/fill/keys, table/fill/values)",
                   "restored_tables = NoOp(^fill_other, ^table/fill)"}));
  EXPECT_TRUE(names_init_op(parse_meta(*pruned)));
  const auto keys =
      read_tensor(*tensor_attr(find(pruned->graph, "table/fill/keys"), "value"), *pruned->payloads);
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(*keys->content.read_all(), *kContent->find("table-keys")->content.read_all());
}

TEST(RestoredTables, OfAFrozenGraphNeedNoCheckpoint) {
  Diagnostics diagnostics;
  FreezeOptions options;
  options.selection.outputs = {"y"};
  const auto frozen = only_model(freeze(model_with_tables(kContent), options, {}, diagnostics));
  ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
  EXPECT_EQ(described(frozen->graph).back(), "init_all_tables = NoOp(^table/fill)");
  for (const Node& each : frozen->graph.nodes()) EXPECT_NE(each.op, "RestoreV2");
}

// A table that takes the place of a missing one would be empty.
TEST(RestoredTables, WithoutContentAreRefusedWhereTheyAreNeeded) {
  for (const auto& checkpoint : {checkpoint_of({{"table-keys", {1, 2}}}), {}}) {
    const Model model = model_with_tables(checkpoint);
    std::vector<Diagnostic> unfilled;
    const auto made = with_restored_tables(model, unfilled);
    ASSERT_TRUE(made.ok()) << failure_of(made);
    EXPECT_EQ(described(made->graph), described(model.graph));
    ASSERT_EQ(unfilled.size(), 1U);
    Diagnostics diagnostics;
    FreezeOptions options;
    options.selection.outputs = {"y"};
    const auto frozen = only_model(freeze(model, options, {}, diagnostics));
    ASSERT_FALSE(frozen.ok());
    EXPECT_EQ(frozen.error().code, "table-not-filled");
    EXPECT_EQ(frozen.error().where.node, "table");
    options.selection.outputs = {"x"};
    EXPECT_TRUE(only_model(freeze(model, options, {}, diagnostics)).ok());
  }
}

// A dense table saves its buckets, [n, 1]. LookupTableImportV2's shape function wants a vector, its
// kernel the buckets.
TEST(RestoredTables, OfBucketsAreFilledFromKeysOfAnyShape) {
  Checkpoint buckets = *kContent;
  for (CheckpointEntry& each : buckets.entries) each.shape.dims = {2, 1};
  Diagnostics diagnostics;
  FreezeOptions options;
  options.selection.outputs = {"y"};
  const auto frozen = only_model(freeze(
      model_with_tables(std::make_shared<const Checkpoint>(buckets)), options, {}, diagnostics));
  ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
  EXPECT_EQ(described(find(frozen->graph, "table/fill/keys/of_any_shape")),
            "table/fill/keys/of_any_shape = PlaceholderWithDefault(table/fill/keys)");
  EXPECT_EQ(described(find(frozen->graph, "table/fill")),
            "table/fill = LookupTableImportV2(table, table/fill/keys/of_any_shape, "
            "table/fill/values)");
}

}  // namespace
}  // namespace cryo
