#include "passes/common/freeze_record.h"

#include "graph/attr_value.h"
#include "graphs.h"
#include "model/variables.h"
#include "only_model.h"
#include "passes/unfreeze/unfreeze.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

// The words of a node's record; "none" where it has no attribute.
Lines record(const Model& model, std::string_view name) {
  const Node node = find(model.graph, name);
  const auto attr = find_attr(node, kRecordAttr);
  if (!attr) return {"none"};
  Lines words;
  AttrValue(*attr).each_bytes(AttrKind::kString,
                              [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

void list_in(tensorflow::MetaGraphDef& meta, const std::string& collection, const Lines& names) {
  auto& entry = *meta.add_collection_def();
  entry.set_key(collection);
  for (const std::string& name : names) {
    tensorflow::VariableDef def;
    def.set_variable_name(cat(name, ":0"));
    entry.mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
  }
}

// A kernel, a mean that is not trained, an old variable that is local, and one that no collection
// lists; c is a constant that looks like a weight.
Model trained() {
  Model model =
      model_of({placeholder("x", {-1, 2}), variable("k", {2}, "VarHandleOp"),
                node("k/Read", "ReadVariableOp", {"k"}, {{"dtype", type_value(1)}}),
                variable("m", {2}), variable("o", {2}, "Variable"), variable("u", {2}),
                constant("c", {1, 2}, {2}), node("a", "MatMul", {"x", "k/Read"}),
                node("b", "BiasAdd", {"a", "c"}), node("y", "Op", {"b", "m", "o", "u"})},
               checkpoint_of({{"k", {1, 2}}, {"m", {3, 4}}, {"o", {5, 6}}, {"u", {7, 8}}}));
  tensorflow::MetaGraphDef meta;
  list_in(meta, "trainable_variables", {"k"});
  list_in(meta, "variables", {"k", "m"});
  list_in(meta, "local_variables", {"o"});
  set_meta(model, meta);
  return model;
}

Model frozen(const Model& model, bool no_record = false) {
  FreezeOptions options;
  options.selection.outputs = {"y"};
  options.no_record = no_record;
  Diagnostics diagnostics;
  const auto made = only_model(freeze(model, options, {}, diagnostics));
  EXPECT_TRUE(made.ok()) << failure_of(made);
  return made.ok() ? *made : Model();
}

Model planned(const Model& model, const UnfreezeOptions& options = {}) {
  Diagnostics diagnostics;
  const auto made = only_model(unfreeze(model, options, diagnostics));
  EXPECT_TRUE(made.ok()) << failure_of(made);
  return made.ok() ? *made : Model();
}

UnfreezeOptions style(const char* style) {
  UnfreezeOptions options;
  options.style = style;
  return options;
}

// "variables: k, m"
Lines collections(const Model& model) {
  Lines lines;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.collection_def()) {
    Lines names;
    for (const auto& def : variable_defs(meta, entry.key())) {
      names.emplace_back(parse_tensor_name(def.variable_name()).node);
    }
    lines.push_back(cat(entry.key(), ": ", join(names, ", ")));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

Lines kinds(const Model& model) {
  Lines lines;
  for (const Variable& each : variables_of(model)) {
    lines.push_back(cat(each.name, " ", model.graph.nodes()[each.node].op));
  }
  return lines;
}

TEST(FreezeRecord, TellsWhatTheModelSaidOfTheVariable) {
  const Model model = frozen(trained());
  EXPECT_EQ(record(model, "k"), (Lines{"VarHandleOp", "trainable"}));
  EXPECT_EQ(record(model, "m"), (Lines{"VariableV2", "not trainable"}));
  EXPECT_EQ(record(model, "o"), (Lines{"Variable", "not trainable", "collection=local_variables"}));
  EXPECT_EQ(record(model, "u"), Lines{"VariableV2"});
  EXPECT_EQ(record(model, "c"), Lines{"none"});
  EXPECT_LT(find_attr(find(model.graph, "k"), kRecordAttr)->size(), 30U);
}

TEST(FreezeRecord, CanBeLeftOut) {
  const Model model = frozen(trained(), true);
  for (const char* name : {"k", "m", "o", "u"}) EXPECT_EQ(record(model, name), Lines{"none"});
}

TEST(FreezeRecord, GivesBackKindsAndCollectionsAndNoOtherVariables) {
  const Model model = planned(frozen(trained()));
  EXPECT_EQ(kinds(model), kinds(trained()));
  EXPECT_EQ(collections(model),
            (Lines{"local_variables: o", "trainable_variables: k, u", "variables: k, m, u"}));
  EXPECT_EQ(described(find(model.graph, "c")), "c = Const()");
  const std::vector<Variable> before = variables_of(trained());
  const std::vector<Variable> after = variables_of(model);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(floats(value_of(model, after[i])), floats(value_of(trained(), before[i])));
  }
}

TEST(FreezeRecord, IsLeftAgainAsItWas) {
  for (const char* kind : {"", "ref", "resource"}) {
    const Model first = frozen(trained());
    const Model again = frozen(planned(first, style(kind)));
    ASSERT_EQ(described(again.graph), described(first.graph)) << kind;
    for (const Node& node : first.graph.nodes()) {
      EXPECT_EQ(record(again, node.name), record(first, node.name)) << kind << node.name;
    }
    EXPECT_EQ(kinds(planned(again)), kinds(trained())) << kind;
  }
}

// A constant without a record that became a variable becomes a constant without a record again.
TEST(FreezeRecord, IsNotLeftWhereThereWasNone) {
  const Model model = planned(frozen(trained(), true));
  EXPECT_EQ(record(model, "k"), Lines{});
  EXPECT_EQ(record(frozen(model), "k"), Lines{"none"});
}

TEST(FreezeRecord, StaysWhenTheGraphIsPrunedOrFrozenAgain) {
  const Model model = frozen(frozen(trained()));
  EXPECT_EQ(record(model, "k"), (Lines{"VarHandleOp", "trainable"}));
  PruneOptions options;
  options.selection.outputs = {"a"};
  Diagnostics diagnostics;
  const auto pruned = only_model(prune(model, options, nullptr, diagnostics));
  EXPECT_EQ(record(*pruned, "k"), (Lines{"VarHandleOp", "trainable"}));
}

TEST(FreezeRecord, LeavesTheChoiceToHands) {
  UnfreezeOptions options;
  options.weights.constants = {"c", "k"};
  const Model model = planned(frozen(trained()), options);
  EXPECT_EQ(kinds(model), (Lines{"k VarHandleOp", "c VarHandleOp"}));
  EXPECT_EQ(record(model, "c"), Lines{});
}

TEST(FreezeRecord, OfOtherWordsIsReadAsFarAsItIsKnown) {
  const auto read = [](const Lines& words) { return read_record(string_list_value(words)); };
  EXPECT_FALSE(read({}).has_value());
  EXPECT_FALSE(read({"Const", "trainable"}).has_value());
  const auto record = read({"VariableV2", "from the future", "key=a b", "slice=2 0,1"});
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->key, "a b");
  EXPECT_EQ(record->slice, "2 0,1");
  EXPECT_FALSE(record->trainable.has_value());
}

}  // namespace
}  // namespace cryo
