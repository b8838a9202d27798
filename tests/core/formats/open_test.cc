#include "formats/open.h"

#include <gtest/gtest.h>

#include "counting_source.h"
#include "files.h"
#include "graphs.h"
#include "model/variables.h"

namespace cryo {
namespace {

// A folder of files, by name.
struct Folder {
  // A file of tests/data, under a name of its own.
  Folder& add(std::string_view from, std::string_view name) {
    return put(std::string(name), file_bytes(fixture(from)));
  }
  Folder& put(std::string name, std::string bytes) {
    files.push_back(std::make_shared<CountingSource>(std::move(bytes), std::move(name)));
    return *this;
  }
  // The checkpoint of a fixture, under another prefix.
  Folder& add_checkpoint(std::string_view from, std::string_view prefix) {
    for (const char* part : {".index", ".data-00000-of-00001"}) {
      add(cat(from, "/model.ckpt", part), cat(prefix, part));
    }
    return *this;
  }
  Result<Model> open(const std::string& path, const std::string& checkpoint = "") {
    return cryo::open(files, {path, checkpoint}, diagnostics);
  }

  std::vector<SourcePtr> files = {};
  Diagnostics diagnostics = {};
};

Folder whole_folder(const std::string& at = "") {
  Folder folder;
  folder.add_checkpoint("ref", cat(at, "model.ckpt"));
  folder.add("ref/model.ckpt.meta", cat(at, "model.ckpt.meta"));
  return folder.add("ref/checkpoint", cat(at, "checkpoint"));
}

// The prefix of the model's checkpoint, "none" without one, or the error.
std::string prefix_of(const Result<Model>& model) {
  if (!model) return model.error().code;
  return model->checkpoint == nullptr ? "none" : model->checkpoint->prefix;
}

TEST(Open, FindsTheWholeModelByAnyOfItsNames) {
  for (const char* path : {"a/model.ckpt.meta", "a/model.ckpt.index", "a/model.ckpt",
                           "a/checkpoint", "a/model.ckpt.data-00000-of-00001", ""}) {
    Folder folder = whole_folder("a/");
    const auto model = folder.open(path);
    EXPECT_EQ(prefix_of(model), "a/model.ckpt") << path;
    ASSERT_TRUE(model.ok());
    EXPECT_EQ(model->kind, Kind::kMetaGraph);
    EXPECT_TRUE(model->has_graph);
    EXPECT_EQ(model->files.size(), 3U);
    for (const Variable& variable : variables_of(*model))
      EXPECT_TRUE(value_of(*model, variable).ok());
  }
}

TEST(Open, TellsAFilesKindFromItsContentAlone) {
  Folder folder;
  folder.add("ref/frozen.pb", "frozen.meta").add("ref/model.ckpt.meta", "graph.pb");
  EXPECT_EQ(folder.open("frozen.meta")->kind, Kind::kGraphDef);
  EXPECT_EQ(folder.open("graph.pb")->kind, Kind::kMetaGraph);
}

TEST(Open, ReadsNoTensor) {
  Folder folder = whole_folder();
  ASSERT_TRUE(folder.open("model.ckpt").ok());
  for (const SourcePtr& file : folder.files) {
    if (file->name().find(".data-") == std::string::npos) continue;
    EXPECT_EQ(std::dynamic_pointer_cast<const CountingSource>(file)->bytes_read(), 0U);
  }
}

TEST(Open, GoesByTheStateFileWhereThereAreSeveral) {
  Folder folder;
  for (const char* name :
       {"model.ckpt-1.index", "model.ckpt-1.meta", "model.ckpt-2.index", "model.ckpt-2.meta",
        "model.ckpt-1.data-00000-of-00001", "model.ckpt-2.data-00000-of-00001"}) {
    folder.add(cat("two_checkpoints/", name), name);
  }
  EXPECT_EQ(prefix_of(folder.open("")), "several-models");
  EXPECT_EQ(prefix_of(folder.open("model.ckpt-1")), "model.ckpt-1");
  folder.add("two_checkpoints/checkpoint", "checkpoint");
  EXPECT_EQ(prefix_of(folder.open("")), "model.ckpt-2");
  EXPECT_EQ(prefix_of(folder.open("checkpoint")), "model.ckpt-2");
}

TEST(Open, FindsACheckpointThatMovedSinceItsStateFileWasWritten) {
  for (const char* path :
       {"/home/someone/train/model.ckpt", "elsewhere/model.ckpt", "model.ckpt"}) {
    Folder folder;
    folder.add_checkpoint("ref", "a/model.ckpt").add("ref/model.ckpt.meta", "a/model.ckpt.meta");
    folder.put("a/checkpoint", cat("model_checkpoint_path: \"", path, "\"\n"));
    EXPECT_EQ(prefix_of(folder.open("a/checkpoint")), "a/model.ckpt") << path;
    EXPECT_EQ(prefix_of(folder.open("")), "a/model.ckpt") << path;
  }
}

TEST(Open, NamesTheCheckpointThatAStateFileNamesAndThatIsNotThere) {
  Folder folder;
  folder.put("checkpoint", "model_checkpoint_path: \"model.ckpt-7\"\n");
  const auto model = folder.open("checkpoint");
  EXPECT_EQ(prefix_of(model), "no-checkpoint");
  EXPECT_NE(model.error().message.find("model.ckpt-7.index is missing"), std::string::npos);
  folder.files.clear();
  folder.put("checkpoint", "model_checkpoint_path: " + std::string(3 << 20, ' '));
  EXPECT_EQ(prefix_of(folder.open("checkpoint")), "bad-checkpoint-state");
}

TEST(Open, NamesAMissingShardAndKeepsTheRest) {
  Folder folder;
  for (const char* part : {".index", ".meta", ".data-00000-of-00002"}) {
    folder.add(cat("missing_shard/model.ckpt", part), cat("m", part));
  }
  const auto model = folder.open("m");
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->checkpoint->missing_shards, Lines{"m.data-00001-of-00002"});
  ASSERT_EQ(codes(folder.diagnostics).size(), 1U);
  EXPECT_NE(
      folder.diagnostics.all()[0].message.find("has 1 of 2 shards; missing m.data-00001-of-00002"),
      std::string::npos)
      << folder.diagnostics.all()[0].message;
}

TEST(Open, OfAnIndexAloneHasWeightsAndNoGraph) {
  Folder folder;
  folder.add_checkpoint("ref", "weights");
  for (const char* path : {"weights", "weights.index", ""}) {
    const auto model = folder.open(path);
    EXPECT_EQ(prefix_of(model), "weights");
    EXPECT_EQ(model->kind, Kind::kCheckpoint);
    EXPECT_FALSE(model->has_graph);
  }
}

TEST(Open, OfAMetaAloneHasAGraphAndNoWeights) {
  Folder folder;
  folder.add("ref/model.ckpt.meta", "model.ckpt.meta");
  for (const char* path : {"model.ckpt.meta", "model.ckpt", ""}) {
    EXPECT_EQ(prefix_of(folder.open(path)), "none") << path;
  }
}

TEST(Open, TakesTheCheckpointThatIsAskedFor) {
  Folder folder = whole_folder();
  folder.add_checkpoint("ref", "other/step-5");
  EXPECT_EQ(prefix_of(folder.open("model.ckpt.meta", "other/step-5")), "other/step-5");
  EXPECT_EQ(prefix_of(folder.open("model.ckpt.meta", "other/step-5.index")), "other/step-5");
  EXPECT_EQ(prefix_of(folder.open("model.ckpt.meta", "nope")), "no-checkpoint");
}

// The pattern that tf.train.Saver.save returns.
TEST(Open, TakesTheCheckpointOfSeveralTablesThatAPatternNames) {
  Folder folder;
  for (const char* file : {".meta", "-00000-of-00002", "-00001-of-00002"}) {
    folder.add(cat("v1_shards/model.ckpt", file), cat("old.ckpt", file));
  }
  const auto opened =
      folder.open("old.ckpt.meta", cat("old.ckpt-", std::string(5, '?'), "-of-00002"));
  ASSERT_TRUE(opened.ok()) << failure_of(opened);
  EXPECT_EQ(prefix_of(opened), "old.ckpt");
}

TEST(Open, TakesTheOnlyCheckpointBesideAGraphAndSaysSo) {
  Folder folder;
  folder.add("ref/model.ckpt.meta", "graph.meta").add_checkpoint("ref", "weights");
  EXPECT_EQ(prefix_of(folder.open("graph.meta")), "weights");
  EXPECT_EQ(codes(folder.diagnostics), Lines{"checkpoint-chosen"});
  EXPECT_EQ(prefix_of(folder.open("")), "weights");
  folder.add_checkpoint("ref", "more");
  EXPECT_EQ(prefix_of(folder.open("graph.meta")), "none");
}

TEST(Open, OfSeveralCheckpointsBesideAGraphGoesByTheStateFileOrSaysSo) {
  Folder folder;
  folder.add("ref/model.ckpt.meta", "graph.meta");
  folder.add_checkpoint("ref", "step-1").add_checkpoint("ref", "step-2");
  EXPECT_EQ(prefix_of(folder.open("graph.meta")), "none");
  EXPECT_EQ(codes(folder.diagnostics), Lines{"several-checkpoints"});
  folder.put("checkpoint", "model_checkpoint_path: \"step-2\"\n");
  EXPECT_EQ(prefix_of(folder.open("graph.meta")), "step-2");
  EXPECT_EQ(prefix_of(folder.open("")), "step-2");
  EXPECT_TRUE(folder.open("")->has_graph);
}

TEST(Open, NamesDataWithoutAnIndex) {
  Folder folder;
  folder.add("ref/model.ckpt.data-00000-of-00001", "m.data-00000-of-00001");
  const auto asked = folder.open("m.data-00000-of-00001");
  EXPECT_EQ(asked.error().code, "no-index");
  EXPECT_NE(asked.error().fix.find("m.index"), std::string::npos);
  EXPECT_NE(folder.open("").error().message.find("whose .index is not here"), std::string::npos);
}

TEST(Open, TellsOfDataFilesOfAnotherSave) {
  Folder folder;
  folder.add_checkpoint("ref", "m");
  folder.put("m.data-00001-of-00002", "old").put("m.data-00000-of-00001.tempstate9", "cut");
  ASSERT_EQ(prefix_of(folder.open("m")), "m");
  ASSERT_EQ(codes(folder.diagnostics), Lines{"stale-data"});
  EXPECT_NE(folder.diagnostics.all()[0].message.find("2 data files"), std::string::npos);
}

TEST(Open, OfAChunkedSavedModelHasTheWeightsAndSaysWhy) {
  Folder folder;
  const std::string records = unhex("83AF70D10D884A3F00");
  folder.put("s/saved_model.cpb", records).add_checkpoint("ref", "s/variables/variables");
  EXPECT_EQ(prefix_of(folder.open("")), "s/variables/variables");
  EXPECT_EQ(codes(folder.diagnostics), Lines{"chunked-graph"});
  const auto asked = folder.open("s/saved_model.cpb");
  EXPECT_EQ(asked.error().code, "not-a-model");
  EXPECT_NE(asked.error().message.find("Riegeli"), std::string::npos);
  EXPECT_NE(asked.error().fix, "");
}

TEST(Open, NeedsNoCheckpointWhereThereAreNoVariables) {
  Folder folder;
  folder.add("ref/frozen.pb", "frozen.pb").add_checkpoint("ref", "weights");
  EXPECT_EQ(prefix_of(folder.open("frozen.pb")), "none");
  EXPECT_EQ(codes(folder.diagnostics), Lines());
  EXPECT_EQ(prefix_of(folder.open("")), "none");
  EXPECT_EQ(codes(folder.diagnostics), Lines{"other-models"});
}

TEST(Open, SaysThereAreSeveralModels) {
  Folder folder;
  folder.add("ref/frozen.pb", "a.pb").add("ref/frozen.pb", "b.pb");
  const auto model = folder.open("");
  EXPECT_EQ(failure_of(model), "several-models: there are several models: a.pb, b.pb");
  EXPECT_NE(model.error().fix, "");
}

TEST(Open, SaysThereIsNone) {
  Folder folder;
  EXPECT_EQ(prefix_of(folder.open("")), "no-model");
  EXPECT_EQ(prefix_of(folder.open("nothing")), "not-found");
  folder.put("picture.png", "\x89PNG\r\n\x1A\n");
  EXPECT_EQ(failure_of(folder.open("")),
            "no-model: there is no model here; 'picture.png' is a PNG image");
  EXPECT_EQ(failure_of(folder.open("picture.png")), "not-a-model: 'picture.png' is a PNG image");
}

TEST(Open, SaysWhereAFileIsDamaged) {
  const std::string meta = file_bytes(fixture("ref/model.ckpt.meta"));
  Folder folder;
  folder.put("cut.meta", meta.substr(0, meta.size() / 2));
  const auto model = folder.open("cut.meta");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, "malformed-message");
  EXPECT_EQ(model.error().where.file, "cut.meta");
  EXPECT_TRUE(model.error().where.offset.has_value());
  EXPECT_NE(model.error().fix, "");
}

TEST(Open, OfAnIndexUnderAnotherNameSaysHowToNameIt) {
  Folder folder;
  folder.add("ref/model.ckpt.index", "weights");
  const auto model = folder.open("weights");
  EXPECT_EQ(failure_of(model), "not-a-model: 'weights' is the index of a V2 checkpoint");
  EXPECT_NE(model.error().fix.find("PREFIX.index"), std::string::npos);
}

TEST(Open, WarnsOfAMetaThatProtobufCannotRead) {
  std::string meta;
  put_bytes_field(meta, 1, "");
  put_bytes_field(meta, 2, graph_of({node("a", "NoOp")}).skeleton());
  std::string collection;
  put_bytes_field(collection, 1, "\xFF\xFE");  // its key
  put_bytes_field(meta, 4, collection);
  Folder folder;
  folder.put("odd.meta", meta);
  EXPECT_TRUE(folder.open("odd.meta").ok());
  EXPECT_EQ(codes(folder.diagnostics), Lines{"meta-unreadable"});
}

TEST(Open, JoinsGraphsThatProtobufWouldMerge) {
  std::string meta;
  for (const char* name : {"a", "b"}) {
    std::string graph;
    put_bytes_field(graph, 1, node(name, "NoOp"));
    put_bytes_field(meta, 2, graph);
  }
  put_bytes_field(meta, 1, "");
  Folder folder;
  folder.put("two.meta", meta);
  EXPECT_EQ(described(folder.open("two.meta")->graph), (Lines{"a = NoOp()", "b = NoOp()"}));
}

}  // namespace
}  // namespace cryo
