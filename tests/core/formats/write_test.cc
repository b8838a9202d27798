#include "formats/write.h"

#include <gtest/gtest.h>

#include "counting_source.h"
#include "files.h"
#include "formats/open.h"
#include "graphs.h"
#include "model/meta.h"
#include "model/variables.h"
#include "tensor/views/repeated_source.h"

namespace cryo {
namespace {

// The files that a model is written as, opened again.
Model again(const std::vector<OutputFile>& written, const std::string& path) {
  std::vector<SourcePtr> files;
  for (const OutputFile& file : written) {
    files.push_back(std::make_shared<MemorySource>(*file.content.read_all(), file.path));
  }
  Diagnostics diagnostics;
  auto model = open(files, {path}, diagnostics);
  EXPECT_TRUE(model.ok()) << failure_of(model);
  EXPECT_TRUE(diagnostics.all().empty());
  return model ? *model : Model();
}

Lines paths(const Result<std::vector<OutputFile>>& files) {
  if (!files) return {files.error().code};
  Lines all;
  for (const OutputFile& file : *files) all.push_back(file.path);
  return all;
}

Model small_model() {
  return model_of({variable("w", {2}), node("y", "Identity", {"w"})},
                  checkpoint_of({{"w", {1, 2}}, {"slot", {3}}}));
}

Lines paths_of(const WriteOptions& options) {
  Diagnostics diagnostics;
  return paths(write(small_model(), options, diagnostics));
}

TEST(Write, TakesTheFormFromTheEndingOrByName) {
  const Lines checkpoint = {"a/m.ckpt.meta", "a/m.ckpt.data-00000-of-00001", "a/m.ckpt.index"};
  EXPECT_EQ(paths_of({"", "a/m.pb"}), Lines{"a/m.pb"});
  EXPECT_EQ(paths_of({"", "a/m.meta"}), Lines{"a/m.meta"});
  EXPECT_EQ(paths_of({"", "a/m.ckpt"}), checkpoint);
  EXPECT_EQ(paths_of({"", "m.ckpt-10"})[2], "m.ckpt-10.index");
  EXPECT_EQ(paths_of({"", "m.meta.pbtxt"}), Lines{"m.meta.pbtxt"});
  EXPECT_EQ(paths_of({"pb", "a/m.ckpt"}), Lines{"a/m.ckpt"});
  EXPECT_EQ(paths_of({"checkpoint", "m"})[0], "m.meta");
  EXPECT_EQ(paths_of({"", "m.onnx"}), Lines{"unknown-format"});
  EXPECT_EQ(paths_of({"", ""}), Lines{"unknown-format"});
  EXPECT_EQ(paths_of({"onnx", "m.pb"}), Lines{"unknown-format"});
}

// The step of a checkpoint is no ending: what follows it is.
TEST(Write, TakesTheEndingAfterAStep) {
  for (const char* ending : {".npz", ".safetensors", ".pb", ".json", ".meta"}) {
    const std::string out = cat("m.ckpt-10", ending);
    const auto format = format_name(small_model(), {"", out});
    ASSERT_TRUE(format.ok()) << out;
    EXPECT_EQ(paths_of({"", out}), paths_of({std::string(*format), out}));
    EXPECT_FALSE(format->starts_with("checkpoint")) << out;
  }
}

TEST(Write, NamesFormatsOfOtherProgramsAndTheWayOut) {
  for (const auto& [out, what] :
       {std::pair("m.onnx", "ONNX"), std::pair("m.tflite", "TensorFlow Lite"),
        std::pair("m.keras", "Keras files"), std::pair("m.h5", "HDF5"),
        std::pair("m.pkl", "pickles"), std::pair("m.pt", "PyTorch files")}) {
    Diagnostics diagnostics;
    const auto files = write(small_model(), {"", out}, diagnostics);
    EXPECT_EQ(failure_of(files),
              cat("unknown-format: Cryograph does not write ", what, ": '", out, "'"));
    EXPECT_NE(files.error().fix, "");
  }
}

TEST(Write, RefusesArraysOfNothing) {
  Model weights;
  weights.kind = Kind::kCheckpoint;
  Checkpoint checkpoint;
  checkpoint.entries.push_back({"s", DType::kString, Shape{}});
  weights.checkpoint = std::make_shared<const Checkpoint>(checkpoint);
  for (const char* out : {"w.npz", "d/", "w.safetensors"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(paths(write(weights, {"", out}, diagnostics)), Lines{"no-weights"}) << out;
  }
}

TEST(Write, ZipsWhatTheRestOfTheNameOrTheFormSays) {
  EXPECT_EQ(paths_of({"", "a/m.zip"}), Lines{"unknown-format"});
  for (const WriteOptions& options :
       {WriteOptions{"", "a/m.ckpt.zip"}, WriteOptions{"savedmodel", "a/m.zip"}}) {
    Diagnostics diagnostics;
    const auto files = write(small_model(), options, diagnostics);
    ASSERT_EQ(paths(files), Lines{options.out});
    const Model model = again(*files, options.out);
    EXPECT_EQ(model.kind, options.as.empty() ? Kind::kMetaGraph : Kind::kSavedModel);
    EXPECT_EQ(variables_of(model).size(), 1u);
  }
}

TEST(Write, OfAV1CheckpointTakesSeveralTables) {
  Diagnostics diagnostics;
  const Model small = model_of({variable("b", {1}), variable("w", {2})},
                               checkpoint_of({{"b", {3}}, {"w", {1, 2}}}));
  WriteOptions options{"checkpoint-v1", "m.ckpt"};
  options.shard_size = 1;
  const auto files = write(small, options, diagnostics);
  EXPECT_EQ(paths(files), (Lines{"m.ckpt.meta", "m.ckpt-00000-of-00002", "m.ckpt-00001-of-00002"}));
  const Model model = again(*files, "m.ckpt");
  ASSERT_EQ(variables_of(model).size(), 2U);
  EXPECT_EQ(floats(value_of(model, variables_of(model)[1])), (std::vector<float>{1, 2}));
  options.shard_size = 1000;
  EXPECT_EQ(paths(write(small, options, diagnostics)), (Lines{"m.ckpt.meta", "m.ckpt"}));
}

TEST(Write, OfAV1CheckpointCanBeOpenedAgain) {
  Diagnostics diagnostics;
  const auto files = write(small_model(), {"checkpoint-v1", "m.ckpt"}, diagnostics);
  ASSERT_TRUE(files.ok()) << failure_of(files);
  EXPECT_EQ(paths(files), (Lines{"m.ckpt.meta", "m.ckpt"}));
  const Model model = again(*files, "m.ckpt");
  EXPECT_EQ(parse_meta(model).saver_def().version(), tensorflow::SaverDef::V1);
  EXPECT_EQ(floats(value_of(model, variables_of(model)[0])), (std::vector<float>{1, 2}));
  // In its own form it stays as it is; in the other it gets the other saver.
  const Model twice = again(*write(model, {"checkpoint-v1", "m.ckpt"}, diagnostics), "m.ckpt");
  EXPECT_EQ(described(twice.graph), described(model.graph));
  const Model second = again(*write(model, {"checkpoint", "m.ckpt"}, diagnostics), "m.ckpt");
  EXPECT_EQ(parse_meta(second).saver_def().version(), tensorflow::SaverDef::V2);
  EXPECT_EQ(parse_meta(second).saver_def().restore_op_name(), "save_1/restore_all");
}

TEST(Write, OfACheckpointInSeveralFilesCanBeOpenedAgain) {
  Diagnostics diagnostics;
  const Model two = model_of({variable("v", {2}), variable("w", {2})},
                             checkpoint_of({{"v", {1, 2}}, {"w", {3, 4}}}));
  const WriteOptions options{"", "m.ckpt", 8};
  const auto files = write(two, options, diagnostics);
  EXPECT_EQ(paths(files), (Lines{"m.ckpt.meta", "m.ckpt.data-00000-of-00002",
                                 "m.ckpt.data-00001-of-00002", "m.ckpt.index"}));
  const Model model = again(*files, "m.ckpt");
  EXPECT_EQ(floats(value_of(model, variables_of(model)[1])), (std::vector<float>{3, 4}));
  const auto saved = write(two, {"savedmodel", "s", 8}, diagnostics);
  EXPECT_EQ(paths(saved)[2], "s/variables/variables.data-00001-of-00002");
}

TEST(Write, OfACheckpointCanBeOpenedAgain) {
  Diagnostics diagnostics;
  const auto files = write(small_model(), {"", "m.ckpt"}, diagnostics);
  ASSERT_TRUE(files.ok());
  const Model model = again(*files, "m.ckpt");
  ASSERT_EQ(variables_of(model).size(), 1U);
  EXPECT_EQ(floats(value_of(model, variables_of(model)[0])), (std::vector<float>{1, 2}));
  EXPECT_EQ(model.checkpoint->entries.size(), 1U)
      << "the values of the graph's variables, and no others";
  for (const CheckpointEntry& entry : model.checkpoint->entries) EXPECT_TRUE(verify(entry).ok());
}

// All that holds a graph as one message, and its text.
TEST(Write, RefusesMessagesOver2GiB) {
  Model model;
  const uint64_t count = uint64_t{1} << 29;
  const auto zeros = std::make_shared<RepeatedSource>(fresh(std::string(4, '\0')), count);
  const auto tensor = const_tensor(DType::kFloat, Shape{false, {static_cast<int64_t>(count)}},
                                   Splice(whole(zeros)), *model.payloads);
  ASSERT_TRUE(tensor.ok());
  model.graph = graph_of({node("c", "Const", {}, {{"value", tensor_value(*tensor)}})});
  model.has_graph = true;
  for (const char* kind : {"pb", "pbtxt", "meta", "meta-pbtxt", "savedmodel", "savedmodel-pbtxt"}) {
    Diagnostics diagnostics;
    const auto files = write(model, {kind, "m"}, diagnostics);
    ASSERT_FALSE(files.ok()) << kind;
    EXPECT_EQ(files.error().code, "too-large") << kind;
    EXPECT_NE(files.error().fix.find("un-freezing"), std::string::npos);
  }
}

TEST(Write, OfTextIsReadAgain) {
  Diagnostics diagnostics;
  const Model model = small_model();
  EXPECT_EQ(paths_of({"", "a/m.meta.pbtxt"}), Lines{"a/m.meta.pbtxt"});
  EXPECT_EQ(paths_of({"meta-pbtxt", "m"}), Lines{"m"});
  EXPECT_EQ(paths_of({"", "a/saved_model.pbtxt"})[0], "a/saved_model.pbtxt");
  EXPECT_EQ(paths_of({"", "a/saved_model.pbtxt"})[2], "a/variables/variables.index");
  EXPECT_EQ(paths_of({"savedmodel-pbtxt", "a/"})[0], "a/saved_model.pbtxt");
  EXPECT_EQ(paths_of({"savedmodel-pbtxt", "a"})[0], "a/saved_model.pbtxt");
  for (const char* out : {"m.meta.pbtxt", "saved_model.pbtxt"}) {
    const Model text = again(*write(model, {"", out}, diagnostics), out);
    const Model binary = again(*write(model, {"meta", "m.meta"}, diagnostics), "m.meta");
    EXPECT_EQ(described(text.graph), described(binary.graph));
    EXPECT_EQ(text.restores->size(), 1U);
  }
  // The text finds the checkpoint next to it.
  auto files = write(model, {"", "m.ckpt"}, diagnostics);
  ASSERT_TRUE(files.ok());
  (*files)[0] = (*write(model, {"", "m.ckpt.meta.pbtxt"}, diagnostics))[0];
  for (const char* path : {"m.ckpt", "m.ckpt.meta.pbtxt", "m.ckpt.index"}) {
    EXPECT_TRUE(value_of(again(*files, path), variables_of(model)[0]).ok()) << path;
  }
}

TEST(Write, GivesAGraphWithVariablesASaver) {
  Diagnostics diagnostics;
  Model model = model_of(
      {variable("v", {2}, "VarHandleOp"), variable("w", {2}), variable("u", {2}, "VarHandleOp"),
       node("read", "ReadVariableOp", {"u"}, {{"dtype", type_value(1)}})},
      checkpoint_of({{"v", {1, 2}}, {"w", {3, 4}}, {"u", {5, 6}}}));
  const Model written = again(*write(model, {"", "m.ckpt"}, diagnostics), "m.ckpt");
  EXPECT_EQ(parse_meta(written).saver_def().restore_op_name(), "save/restore_all");
  EXPECT_EQ(written.restores->size(), 3U);
  EXPECT_EQ(described(find(written.graph, "v/Read/ReadVariableOp")),
            "v/Read/ReadVariableOp = ReadVariableOp(v)");
  EXPECT_EQ(described(find(written.graph, "save/SaveV2")),
            "save/SaveV2 = SaveV2(save/Const, save/SaveV2/tensor_names, "
            "save/SaveV2/shape_and_slices, read, "
            "v/Read/ReadVariableOp, w)");
  const Model twice = again(*write(written, {"", "m.ckpt"}, diagnostics), "m.ckpt");
  EXPECT_EQ(described(twice.graph), described(written.graph));
}

TEST(Write, OfAGraphAloneSaysThatWeightsAreLeftOut) {
  Diagnostics diagnostics;
  ASSERT_TRUE(write(small_model(), {"", "m.pb"}, diagnostics).ok());
  EXPECT_EQ(codes(diagnostics), Lines{"weights-left-out"});
}

TEST(Write, WhatTheModelDoesNotHaveIsRefused) {
  Diagnostics diagnostics;
  Model weights;
  weights.kind = Kind::kCheckpoint;
  weights.checkpoint = checkpoint_of({{"w", {1}}});
  EXPECT_EQ(paths(write(weights, {"", "m.pb"}, diagnostics)), Lines{"no-graph"});
  EXPECT_EQ(paths(write(weights, {"", "m.meta"}, diagnostics)), Lines{"no-graph"});
  EXPECT_EQ(paths(write(weights, {"", "m.ckpt"}, diagnostics)),
            (Lines{"m.ckpt.data-00000-of-00001", "m.ckpt.index"}));
  EXPECT_EQ(paths(write(model_of({}), {"", "m.ckpt"}, diagnostics)), Lines{"no-checkpoint"});
}

TEST(Write, PutsArraysIntoAFolderOrOneIntoAFile) {
  Diagnostics diagnostics;
  Model weights;
  weights.kind = Kind::kCheckpoint;
  weights.checkpoint = checkpoint_of({{"a/w", {1}}, {"b", {2}}});
  const Lines both = {"d/a/w.npy", "d/b.npy"};
  EXPECT_EQ(paths(write(weights, {"npy", "d/"}, diagnostics)), both);
  EXPECT_EQ(paths(write(weights, {"", "d/"}, diagnostics)), both);
  EXPECT_EQ(paths(write(weights, {"npy", "d"}, diagnostics)), both);
  EXPECT_EQ(paths(write(weights, {"npy", ""}, diagnostics)), (Lines{"a/w.npy", "b.npy"}));
  EXPECT_EQ(paths(write(weights, {"", "w.npy"}, diagnostics)), Lines{"several-weights"});
  weights.checkpoint = checkpoint_of({{"a/w", {1}}});
  EXPECT_EQ(paths(write(weights, {"", "d/x.npy"}, diagnostics)), Lines{"d/x.npy"});
  EXPECT_EQ(paths(write(small_model(), {"npy", "d"}, diagnostics)), Lines{"has-graph"});
}

TEST(Write, ReadsNoTensorWhoseChecksumIsKnown) {
  std::vector<SourcePtr> files;
  std::shared_ptr<CountingSource> data;
  for (const char* part : {".meta", ".index", ".data-00000-of-00001"}) {
    data = std::make_shared<CountingSource>(file_bytes(fixture(cat("resource/model.ckpt", part))),
                                            cat("m", part));
    files.push_back(data);
  }
  Diagnostics diagnostics;
  const auto model = open(files, {"m"}, diagnostics);
  ASSERT_TRUE(model.ok());
  const auto written = write(*model, {"", "out.ckpt"}, diagnostics);
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(data->bytes_read(), 0U);
  EXPECT_EQ(*(*written)[1].content.read_all(),
            file_bytes(fixture("resource/model.ckpt.data-00000-of-00001")));
}

}  // namespace
}  // namespace cryo
