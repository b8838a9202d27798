#include "passes/transfer/transfer.h"

#include <gtest/gtest.h>

#include "bundle.h"
#include "formats/write.h"
#include "graphs.h"
#include "model/variables.h"

namespace cryo {
namespace {

struct Transferred {
  Transferred(const Model& from, const Model& into, const TransferOptions& options = {})
      : model(transfer(into, from, options, found, diagnostics)) {}

  // "name kind (why)" of each variable; the error's code where there is one.
  Lines matches() const {
    Lines lines = model ? Lines() : Lines{model.error().code};
    const char* const kinds[] = {"matched", "excluded", "mismatched", "unmatched"};
    for (const VariableMatch& match : found.variables) {
      lines.push_back(cat(match.name, " ", kinds[match.kind], " (", match.why, ")"));
    }
    return lines;
  }

  std::vector<float> value(const std::string& name) const {
    for (const Variable& variable : variables_of(*model)) {
      if (variable.name == name) return floats(value_of(*model, variable));
    }
    return {};
  }

  Matches found = {};
  Diagnostics diagnostics = {};
  Result<Model> model;
};

Model frozen(const std::vector<std::pair<std::string, std::vector<float>>>& weights) {
  std::vector<std::string> nodes;
  for (const auto& each : weights) {
    nodes.push_back(constant(each.first, each.second, {static_cast<int64_t>(each.second.size())}));
    nodes.push_back(node(cat(each.first, "/use"), "BiasAdd", {"x", each.first}));
  }
  return model_of(nodes);
}

const std::vector<std::string> kTarget = {variable("w", {2}), variable("b", {1}),
                                          variable("step", {1})};

Model target() {
  return model_of(kTarget, checkpoint_of({{"b", {3}}, {"step", {7}}, {"w", {1, 2}}}));
}

TEST(Transfer, PutsWeightsIntoVariablesAndLeavesTheOthers) {
  const Transferred done(frozen({{"w", {8, 9}}, {"b", {6}}, {"z", {0}}}), target());
  EXPECT_EQ(done.matches(), (Lines{"w matched (same name)", "b matched (same name)",
                                   "step unmatched (no weight of that name)"}));
  EXPECT_EQ(done.value("w"), (std::vector<float>{8, 9}));
  EXPECT_EQ(done.value("b"), std::vector<float>{6});
  EXPECT_EQ(done.value("step"), std::vector<float>{7});
  EXPECT_EQ(done.found.unused, Lines{"z"});
}

TEST(Transfer, ChangesNoNode) {
  const Transferred done(frozen({{"w", {8, 9}}}), target());
  ASSERT_TRUE(done.model.ok());
  EXPECT_EQ(done.model->graph.skeleton(), target().graph.skeleton());
}

TEST(Transfer, LeavesWhatHasAnotherTypeOrShape) {
  const Transferred done(frozen({{"w", {1, 2, 3}}, {"b", {6}}}), target());
  EXPECT_EQ(done.matches()[0], "w mismatched (there it is float32 [3])");
  EXPECT_EQ(done.value("w"), (std::vector<float>{1, 2}));
}

TEST(Transfer, LeavesWhatIsExcluded) {
  TransferOptions options;
  options.weights.exclude = {"w"};
  const Transferred done(frozen({{"w", {8, 9}}, {"b", {6}}}), target(), options);
  EXPECT_EQ(done.matches()[0], "w excluded (named by w)");
  EXPECT_EQ(done.value("w"), (std::vector<float>{1, 2}));
  EXPECT_EQ(done.found.unused, Lines());
}

TEST(Transfer, NamesTheWeightThatMayBeMeant) {
  const Model from = frozen({{"kernal", {8, 9}}, {"kernel_1", {6}}, {"b", {6}}});
  const Transferred done(from, model_of({variable("kernel", {2}), variable("b", {1})}));
  EXPECT_EQ(done.matches()[0], "variables-without-value");
  EXPECT_EQ(done.matches()[1],
            "kernel unmatched (no weight of that name (did you mean kernal?); it has no value)");
}

TEST(Transfer, FollowsRulesAndTellsTheNameThatWasThere) {
  TransferOptions options;
  options.rename = {"old/*=*"};
  const Transferred done(frozen({{"old/w", {8, 9}}, {"old/b", {6}}}), target(), options);
  EXPECT_EQ(done.matches()[0], "w matched (renamed)");
  EXPECT_EQ(done.found.variables[0].from, "old/w");
}

TEST(Transfer, IsStrictWhereAsked) {
  TransferOptions options;
  options.strict = true;
  const Transferred refused(frozen({{"w", {8, 9}}, {"b", {6}}}), target(), options);
  EXPECT_EQ(refused.matches()[0], "not-all-matched");
  EXPECT_EQ(refused.matches().size(), 4U);
  options.weights.exclude = {"step"};
  EXPECT_TRUE(Transferred(frozen({{"w", {8, 9}}, {"b", {6}}}), target(), options).model.ok());
}

TEST(Transfer, LeavesOutWhatOnlyTrainingNeeds) {
  const Model into = model_of({variable("w", {2}), variable("global_step", {})},
                              checkpoint_of({{"global_step", {7}}, {"w", {1, 2}}}));
  TransferOptions options;
  options.no_slots = true;
  const Transferred done(frozen({{"w", {8, 9}}}), into, options);
  EXPECT_EQ(done.matches()[1], "global_step excluded (only training needs it)");
}

TEST(Transfer, NeedsSomethingToDo) {
  EXPECT_EQ(Transferred(frozen({{"z", {1}}}), target()).matches()[0], "nothing-matched");
  EXPECT_EQ(Transferred(model_of({}), target()).matches()[0], "no-weights");
  EXPECT_EQ(Transferred(target(), frozen({{"w", {1}}})).matches()[0], "no-target-variables");
}

// A constant that looks like nothing is still one that somebody calls by its name.
TEST(Transfer, TakesAnyConstantOfAVariablesName) {
  const Model from = model_of({constant("w", {8, 9}, {2}), constant("shape", {1}, {1})});
  const Transferred done(from, target());
  EXPECT_EQ(done.matches()[0], "w matched (same name)");
  EXPECT_EQ(done.found.unused, Lines());
}

Lines written(const Transferred& done, const WriteOptions& options) {
  Diagnostics diagnostics;
  const auto files = write(*done.model, options, diagnostics);
  if (!files) return {files.error().code};
  Lines names;
  for (const OutputFile& file : *files) names.push_back(file.path);
  return names;
}

TEST(Transfer, RefusesWhereAVariableIsLeftWithoutAValue) {
  const Transferred part(frozen({{"w", {8, 9}}}), model_of(kTarget));
  EXPECT_EQ(part.matches(), (Lines{"variables-without-value", "w matched (same name)",
                                   "b unmatched (no weight of that name; it has no value)",
                                   "step unmatched (no weight of that name; it has no value)"}));
  EXPECT_EQ(part.model.error().message,
            "no value for 2 of 3 variables: b (it has no initializer), step (it has no "
            "initializer)");
  const Transferred whole(frozen({{"w", {8, 9}}, {"b", {6}}, {"step", {1}}}), model_of(kTarget));
  EXPECT_EQ(written(whole, {"checkpoint", "o.ckpt"}).size(), 3U);
}

std::string ints(std::string_view name, const std::vector<int32_t>& values) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_INT32);
  tensor.mutable_tensor_shape()->add_dim()->set_size(static_cast<int64_t>(values.size()));
  for (const int32_t value : values) tensor.add_int_val(value);
  return node(name, "Const", {},
              {{"dtype", type_value(3)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

// A fresh graph: b is assigned a constant, step a Fill, w a random tensor.
Model fresh_target() {
  std::vector<std::string> nodes = kTarget;
  const std::vector<std::string> more = {
      constant("zeros", {5}, {1}),
      node("b/Assign", "Assign", {"b", "zeros"}),
      ints("dims", {1}),
      constant("one", {4}, {}),
      node("fill", "Fill", {"dims", "one"}),
      node("hand", "Identity", {"fill"}),
      node("step/Assign", "Assign", {"step", "hand"}),
      node("random", "TruncatedNormal", {"dims"}),
      node("w/Assign", "Assign", {"w", "random"}),
  };
  nodes.insert(nodes.end(), more.begin(), more.end());
  return model_of(nodes);
}

TEST(Transfer, TakesConstantInitialValuesWhereThereIsNoOther) {
  const Transferred done(frozen({{"w", {8, 9}}}), fresh_target());
  EXPECT_EQ(done.matches(),
            (Lines{"w matched (same name)",
                   "b unmatched (no weight of that name; takes its initial value)",
                   "step unmatched (no weight of that name; takes its initial value)"}));
  EXPECT_EQ(done.value("b"), std::vector<float>{5});
  EXPECT_EQ(done.value("step"), std::vector<float>{4});
  EXPECT_EQ(done.found.initial[0].from, Lines{"zeros"});
  EXPECT_EQ(codes(done.diagnostics), Lines{"initial-values"});
}

TEST(Transfer, PrefersTheTargetsCheckpointToInitialValues) {
  Model into = fresh_target();
  into.checkpoint = checkpoint_of({{"b", {3}}});
  const Transferred done(frozen({{"w", {8, 9}}}), into);
  EXPECT_EQ(done.value("b"), std::vector<float>{3});
  EXPECT_EQ(done.found.initial.size(), 1U);
}

TEST(Transfer, NamesVariablesWhoseInitialValueIsNotConstant) {
  const Transferred done(frozen({{"b", {6}}}), fresh_target());
  ASSERT_FALSE(done.model.ok());
  EXPECT_EQ(done.model.error().message,
            "no value for 1 of 3 variables: w (its initializer is random: TruncatedNormal)");
}

TEST(Transfer, FollowsTheInitializerThatTheVariableDefNames) {
  std::vector<std::string> nodes = kTarget;
  nodes.push_back(constant("other", {7}, {1}));
  nodes.push_back(node("init_b", "Assign", {"b", "other"}));
  Model into = model_of(nodes, checkpoint_of({{"step", {1}}}));
  tensorflow::MetaGraphDef meta;
  tensorflow::VariableDef def;
  def.set_variable_name("b:0");
  def.set_initializer_name("init_b");
  auto& listed = *meta.add_collection_def();
  listed.set_key("variables");
  listed.mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
  set_meta(into, meta);
  const Transferred done(frozen({{"w", {8, 9}}}), into);
  EXPECT_EQ(done.value("b"), std::vector<float>{7});
}

TEST(Transfer, WritesTheMatchedAloneWhereAsked) {
  TransferOptions options;
  options.partial = true;
  const Transferred done(frozen({{"w", {8, 9}}}), model_of(kTarget), options);
  ASSERT_TRUE(done.model.ok());
  EXPECT_FALSE(done.model->has_graph);
  ASSERT_EQ(done.model->checkpoint->entries.size(), 1U);
  EXPECT_EQ(done.model->checkpoint->entries[0].key, "w");
  EXPECT_EQ(written(done, {"checkpoint", "o.ckpt"}),
            (Lines{"o.ckpt.data-00000-of-00001", "o.ckpt.index"}));
}

TEST(Transfer, CastsWeightsOfAnotherType) {
  Model from;
  from.kind = Kind::kNpz;
  Checkpoint checkpoint;
  CheckpointEntry entry{"w", DType::kDouble, Shape{false, {2}}};
  const double values[] = {0.1, 2};
  entry.content = Splice(fresh(std::string(reinterpret_cast<const char*>(values), sizeof values)));
  entry.bytes = sizeof values;
  checkpoint.entries.push_back(entry);
  from.checkpoint = std::make_shared<const Checkpoint>(checkpoint);
  TransferOptions options;
  options.cast = {"float64=float32"};
  const Transferred done(from, target(), options);
  EXPECT_EQ(done.matches()[0], "w matched (same name)");
  EXPECT_EQ(done.value("w"), (std::vector<float>{0.1F, 2}));
  EXPECT_EQ(codes(done.diagnostics), Lines{"weights-cast"});
  EXPECT_EQ(Transferred(from, target()).matches()[0], "nothing-matched");
  EXPECT_EQ(Transferred(frozen({{"w", {8, 9}}}), target(), options).matches()[0], "cast-unused");
}

TEST(Transfer, NeedsNoValueOfWhatTheSaverLeavesOut) {
  Model into = model_of(kTarget);
  into.restores.edit()["w"] = {"w", ""};
  const Transferred done(frozen({{"w", {8, 9}}, {"b", {6}}}), into);
  EXPECT_EQ(codes(done.diagnostics), Lines{"not-restored"});
  EXPECT_EQ(written(done, {"checkpoint", "o.ckpt"}).size(), 3U);
}

TEST(Transfer, FillsPartitionedVariablesFromTheWholeAndFromParts) {
  Model into = model_of({variable("w/part_0", {1, 2}), variable("w/part_1", {2, 2})});
  into.restores.edit()["w/part_0"] = {"w", "3 2 0,1:-"};
  into.restores.edit()["w/part_1"] = {"w", "3 2 1,2:-"};
  const Model whole = model_of({constant("w", {1, 2, 3, 4, 5, 6}, {3, 2})});
  const Model parts =
      model_of({constant("w/part_0", {1, 2}, {1, 2}), constant("w/part_1", {3, 4, 5, 6}, {2, 2}),
                node("m", "MatMul", {"w/part_0", "w/part_1"})});
  for (const Model* from : {&whole, &parts}) {
    const Transferred done(*from, into);
    EXPECT_EQ(done.matches(),
              (Lines{"w/part_0 matched (same name)", "w/part_1 matched (same name)"}));
    EXPECT_EQ(done.value("w/part_1"), (std::vector<float>{3, 4, 5, 6}));
  }
  const Model other = model_of({constant("w", {1, 2, 3, 4}, {2, 2})});
  EXPECT_EQ(Transferred(other, into).matches()[0], "nothing-matched");
}

TEST(Transfer, ReadsNothingAndRefusesWhatCannotBeRead) {
  Bundle bundle;
  bundle.add("w", {2}, 0, 8, "aaaabbbb");
  bundle.add("z", {1}, 8, 4, "cccc");
  bundle.add_shard("aaaabbbbcccc");
  Model from;
  from.kind = Kind::kCheckpoint;
  from.checkpoint = std::make_shared<const Checkpoint>(*bundle.read());
  const Transferred done(from, target());
  EXPECT_EQ(done.matches()[0], "w matched (same name)");
  EXPECT_EQ(written(done, {"checkpoint", "o.ckpt"}).size(), 3U);
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 0U);
  bundle.add_shard("aaaabb");
  from.checkpoint = std::make_shared<const Checkpoint>(*bundle.read());
  EXPECT_EQ(Transferred(from, target()).matches()[0], "outside-data");
}

}  // namespace
}  // namespace cryo
