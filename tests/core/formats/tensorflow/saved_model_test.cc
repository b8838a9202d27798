#include "formats/tensorflow/saved_model.h"

#include <gtest/gtest.h>

#include "formats/open.h"
#include "graphs.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/variables.h"
#include "only_model.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

// Files of a SavedModel in the folder "m", and files next to it.
struct Folder {
  Folder& put(std::string name, std::string bytes) {
    files.push_back(std::make_shared<MemorySource>(std::move(bytes), std::move(name)));
    return *this;
  }
  Folder& put(const std::vector<OutputFile>& written) {
    for (const OutputFile& file : written) put(file.path, *file.content.read_all());
    return *this;
  }
  Result<Model> open(const std::optional<std::vector<std::string>>& tags = {}) {
    return cryo::open(files, {"", "", tags}, diagnostics);
  }

  std::vector<SourcePtr> files = {};
  Diagnostics diagnostics = {};
};

Files written(const Model& model, std::string out = "m/") {
  Diagnostics diagnostics;
  auto files = write(model, {"savedmodel", std::move(out)}, diagnostics);
  EXPECT_TRUE(files.ok()) << failure_of(files);
  return files ? *files : Files();
}

Model small_model() {
  return model_of({placeholder("x", {2}), variable("w", {2}), node("y", "Mul", {"x", "w"}),
                   node("z", "Neg", {"y"})},
                  checkpoint_of({{"w", {1, 2}}}));
}

// A SavedModel message of one MetaGraphDef a tag set, each with one node of its own.
std::string message_of(const std::vector<std::vector<std::string>>& tag_sets) {
  std::string message;
  put_varint_field(message, 1, 1);
  for (size_t i = 0; i < tag_sets.size(); ++i) {
    tensorflow::MetaGraphDef meta;
    for (const std::string& tag : tag_sets[i]) meta.mutable_meta_info_def()->add_tags(tag);
    std::string meta_graph = meta.SerializeAsString();
    put_bytes_field(meta_graph, 2, graph_of({node(cat("n", i), "NoOp")}).skeleton());
    put_bytes_field(message, 2, meta_graph);
  }
  return message;
}

std::string first_node(const Result<Model>& model) {
  return model ? std::string(model->graph.nodes().front().name) : failure_of(model);
}

TEST(SavedModel, OfAnyModelOpensWithItsWeightsAndASignature) {
  Folder folder;
  const auto model = folder.put(written(small_model())).open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(model->kind, Kind::kSavedModel);
  EXPECT_EQ(model->name, "m");
  const auto variables = variables_of(*model);
  ASSERT_EQ(variables.size(), 1U);
  EXPECT_EQ(floats(value_of(*model, variables[0])), (std::vector<float>{1, 2}));
  const auto& meta = parse_meta(*model);
  EXPECT_EQ(meta.meta_info_def().tags()[0], "serve");
  ASSERT_EQ(meta.signature_def().size(), 1);
  EXPECT_EQ(meta.signature_def()[0].key(), "serving_default");
  const auto& signature = meta.signature_def()[0].value();
  EXPECT_EQ(signature.inputs()[0].key(), "x");
  EXPECT_EQ(signature.inputs()[0].value().name(), "x:0");
  EXPECT_EQ(signature.outputs()[0].value().name(), "z:0");
}

TEST(SavedModel, OfABareGraphHasASaverToRestoreIt) {
  Folder folder;
  const auto model = folder.put(written(small_model())).open();
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(parse_meta(*model).saver_def().restore_op_name(), "save/restore_all");
  EXPECT_EQ(model->restores->size(), 1U);
}

// A loader runs one op, which a program of TensorFlow 1 that fills its tables itself need not have.
TEST(SavedModel, OfAGraphWithTablesHasAnOpThatFillsThem) {
  Model model = model_of({node("a", "HashTableV2"), node("b", "HashTableV2"), node("k", "Const"),
                          node("fill_a", "InitializeTableV2", {"a", "k", "k"}),
                          node("fill_b", "InitializeTableV2", {"b", "k", "k"}),
                          node("y", "LookupTableFindV2", {"a", "k", "k"})});
  tensorflow::MetaGraphDef meta;
  auto& collection = *meta.add_collection_def();
  collection.set_key("table_initializer");
  for (const char* each : {"fill_a", "fill_b"}) {
    collection.mutable_value()->mutable_node_list()->add_value(each);
  }
  EXPECT_FALSE(names_init_op(meta));
  set_meta(model, meta);
  const auto opened = Folder().put(written(model)).open();
  ASSERT_TRUE(opened.ok()) << failure_of(opened);
  EXPECT_EQ(described(opened->graph).back(), "init_all_tables = NoOp(^fill_a, ^fill_b)");
  const auto& after = parse_meta(*opened);
  const auto& signatures = after.signature_def();
  const auto init = std::find_if(signatures.begin(), signatures.end(), [](const auto& entry) {
    return entry.key() == "__saved_model_init_op";
  });
  ASSERT_NE(init, signatures.end());
  EXPECT_EQ(init->value().outputs(0).value().name(), "init_all_tables");
}

TEST(SavedModel, IsWrittenAsItWasRead) {
  Folder folder;
  folder.put(written(small_model())).put("m/assets/words.txt", "a\nb\n");
  folder.put("m/fingerprint.pb", "f").put("m/notes.txt", "no part of it");
  const auto model = folder.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  const Files again = written(*model);
  EXPECT_EQ(again.size(), folder.files.size() - 1);
  for (const OutputFile& file : again) {
    for (const SourcePtr& source : folder.files) {
      if (source->name() != file.path) continue;
      EXPECT_TRUE(*file.content.read_all() == *Splice(whole(source)).read_all()) << file.path;
    }
  }
}

TEST(SavedModel, ThatAPassChangedLeavesOutWhatWasToldOfTheOldGraph) {
  Folder folder;
  folder.put(written(small_model())).put("m/fingerprint.pb", "f").put("m/assets/a", "a");
  const auto model = folder.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  Model with_objects = *model;
  std::string with_field(model->meta);
  put_bytes_field(with_field, 7, "objects");
  with_objects.meta = with_field;
  Diagnostics diagnostics;
  PruneOptions options;
  options.selection.outputs = {"y"};
  const auto pruned = only_model(prune(with_objects, options, nullptr, diagnostics));
  ASSERT_TRUE(pruned.ok()) << failure_of(pruned);
  Lines paths;
  for (const OutputFile& file : written(*pruned, "p")) paths.push_back(file.path);
  EXPECT_EQ(paths, (Lines{"p/saved_model.pb", "p/variables/variables.data-00000-of-00001",
                          "p/variables/variables.index", "p/assets/a"}));
  const std::string message = *written(*pruned)[0].content.read_all();
  EXPECT_EQ(message.find("objects"), std::string::npos);
}

TEST(SavedModel, IsOfTheTagsAskedForElseTheOnlyOneElseServe) {
  const auto opened = [](const std::vector<std::vector<std::string>>& sets,
                         const std::optional<std::vector<std::string>>& tags) {
    Folder folder;
    return first_node(folder.put("m/saved_model.pb", message_of(sets)).open(tags));
  };
  using Tags = std::vector<std::string>;
  EXPECT_EQ(opened({{"train"}}, {}), "n0");
  EXPECT_EQ(opened({{}}, {}), "n0");
  EXPECT_EQ(opened({{"serve", "gpu"}, {"serve"}}, {}), "n1");
  EXPECT_EQ(opened({{"serve", "gpu"}, {"serve"}}, Tags{"gpu", "serve"}), "n0");
  EXPECT_EQ(opened({{"train"}, {}}, Tags{}), "n1") << "TF Hub modules have a set without tags";
  EXPECT_EQ(opened({{"serve"}}, Tags{"gpu"}),
            "no-such-tags: Could not find meta graph def matching supplied tags: { gpu }");
  EXPECT_EQ(opened({{"a"}}, Tags{}),
            "no-such-tags: Could not find meta graph def matching supplied tags: { }");
  EXPECT_EQ(opened({{"a"}, {"b"}}, {}),
            "several-tag-sets: the SavedModel holds 2 MetaGraphDefs, and none of the tag serve "
            "alone");
  EXPECT_EQ(opened({}, {}), "no-meta-graph: the SavedModel holds no MetaGraphDef");
}

TEST(SavedModel, KeepsTheOtherMetaGraphDefs) {
  Folder folder;
  const std::string message = message_of({{"a"}, {"b"}, {"c"}});
  const auto model = folder.put("m/saved_model.pb", message).open(std::vector<std::string>{"b"});
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(first_node(model), "n1");
  EXPECT_TRUE(*written(*model)[0].content.read_all() == message);
}

TEST(SavedModel, IsWhatAFolderIsWhateverElseLiesInIt) {
  Folder folder;
  folder.put("m/saved_model.pb", message_of({{"serve"}}));
  folder.put("m/frozen.pb", graph_of({node("other", "NoOp")}).skeleton());
  EXPECT_EQ(first_node(folder.open()), "n0");
  EXPECT_EQ(codes(folder.diagnostics), Lines{"other-models"});
}

}  // namespace
}  // namespace cryo
