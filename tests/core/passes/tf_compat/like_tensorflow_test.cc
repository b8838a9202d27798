#include "passes/tf_compat/like_tensorflow.h"

#include "checked.h"
#include "counting_source.h"
#include "files.h"
#include "formats/open.h"
#include "formats/write.h"
#include "only_model.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

Model opened(const std::string& name) {
  std::vector<SourcePtr> files;
  for (const auto& file : std::filesystem::directory_iterator(fixture(name))) {
    if (file.path().extension() != ".pb") files.push_back(file_source(file.path()));
  }
  Diagnostics diagnostics;
  OpenOptions options;
  options.path = (fixture(name) / "model.ckpt.meta").string();
  auto model = open(files, options, diagnostics);
  EXPECT_TRUE(model.ok()) << failure_of(model);
  return model ? *model : Model();
}

std::string written(const Model& model) {
  Diagnostics diagnostics;
  const auto files = write(model, {"pb", "out.pb"}, diagnostics);
  return files ? *files->front().content.read_all() : failure_of(files);
}

FreezeOptions like(const std::vector<std::string>& outputs) {
  FreezeOptions options;
  options.selection.outputs = outputs;
  options.like_tensorflow = true;
  return options;
}

// Its output is y, and frozen.pb is what freeze_graph wrote. Functions have numbers of their own
// there (tests/oracle compares those).
TEST(LikeTensorFlow, FreezeWritesTheBytesOfFreezeGraph) {
  for (const char* name : {"ref", "resource", "partitioned", "gather", "gather_nd", "v1",
                           "cond_resource", "cond_ref", "while_ref", "while_resource"}) {
    if (!std::filesystem::exists(fixture(name) / "frozen.pb")) continue;
    Diagnostics diagnostics;
    const auto frozen = freeze(opened(name), like({"y:0"}), OpData{&ops()}, diagnostics);
    ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
    EXPECT_TRUE(written(frozen->model) == file_bytes(fixture(name) / "frozen.pb")) << name;
    EXPECT_FALSE(frozen->converted.empty()) << name;
  }
}

TEST(LikeTensorFlow, ReadsNoWeightThatIsNoScalar) {
  Model model = model_of(
      {variable("w", {2}), node("y", "Identity", {"w"}, {{"T", type_value(kFloat32)}})}, nullptr);
  Diagnostics diagnostics;
  EXPECT_EQ(
      failure_of(only_model(freeze(model, like({"y"}), OpData{&ops()}, diagnostics))).substr(0, 13),
      "no-checkpoint");
  const auto source = std::make_shared<CountingSource>("abcdefgh", "data");
  Checkpoint checkpoint;
  CheckpointEntry entry{"w", DType::kFloat, Shape{false, {2}}, 8, Splice(whole(source))};
  checkpoint.entries.push_back(std::move(entry));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  EXPECT_TRUE(only_model(freeze(model, like({"y"}), OpData{&ops()}, diagnostics)).ok());
  EXPECT_EQ(source->bytes_read(), 0U);
}

TEST(LikeTensorFlow, PruneKeepsPartnersAndTheWholeLibrary) {
  const auto function = tensorflow::FunctionDef();
  Model model{Kind::kMetaGraph, "model.meta", {}, true};
  model.graph = graph_of(Parts{{node("y", "NoOp", {}, {{"_class", string_list_value({"loc:@z"})}}),
                                node("z", "NoOp"), node("gone", "NoOp")},
                               {function}});
  const PruneOptions options{.selection = {.outputs = {"y"}}, .like_tensorflow = true};
  Diagnostics diagnostics;
  const auto made = prune(model, options, &ops(), diagnostics);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(described(made->model.graph), (Lines{"y = NoOp()", "z = NoOp()"}));
  EXPECT_EQ(made->model.graph.functions().size(), 1U);
  EXPECT_EQ(made->model.kind, Kind::kGraphDef);
}

TEST(LikeTensorFlow, NeedsTheReadThatTheSessionAsksFor) {
  const Model model =
      model_of({variable("w", {2}, "VarHandleOp"),
                node("y", "ReadVariableOp", {"w"}, {{"dtype", type_value(kFloat32)}})},
               checkpoint_of({{"w", {1, 2}}}));
  Diagnostics diagnostics;
  EXPECT_EQ(
      failure_of(only_model(freeze(model, like({"y"}), OpData{&ops()}, diagnostics))).substr(0, 16),
      "tensorflow-fails");
}

TEST(LikeTensorFlow, LeavesVariablesOfTheOldKindAsTheyAre) {
  const Model model = model_of(
      {variable("w", {2}, "Variable"), node("y", "Identity", {"w"}, {{"T", type_value(kFloat32)}})},
      checkpoint_of({{"w", {1, 2}}}));
  Diagnostics diagnostics;
  const auto made = only_model(freeze(model, like({"y"}), OpData{&ops()}, diagnostics));
  EXPECT_EQ(described(made->graph), (Lines{"w = Variable()", "y = Identity(w)"}));
}

TEST(LikeTensorFlow, FreezeNeedsTheOps) {
  Diagnostics diagnostics;
  EXPECT_EQ(
      only_model(freeze(model_of({node("y", "NoOp")}), like({"y"}), {}, diagnostics)).error().code,
      "ops-not-loaded");
}

}  // namespace
}  // namespace cryo
