#include "formats/recognize.h"

#include <gtest/gtest.h>

#include <random>

#include "counting_source.h"
#include "files.h"
#include "graphs.h"
#include "wire/schema_match.h"
#include "wire_message.h"

namespace cryo {
namespace {

Recognition recognised(std::string bytes) {
  const auto found = recognise(std::make_shared<MemorySource>(std::move(bytes), "file"));
  EXPECT_TRUE(found.ok());
  return *found;
}

TEST(Recognise, TellsModelsByTheirContent) {
  EXPECT_EQ(recognised(file_bytes(fixture("ref/model.ckpt.meta"))).kind, FileKind::kMetaGraph);
  EXPECT_EQ(recognised(file_bytes(fixture("ref/frozen.pb"))).kind, FileKind::kGraphDef);
  EXPECT_EQ(recognised(file_bytes(fixture("ref/model.ckpt.index"))).kind,
            FileKind::kCheckpointIndex);
  EXPECT_EQ(recognised(file_bytes(fixture("ref/checkpoint"))).kind, FileKind::kCheckpointState);
}

TEST(Recognise, KnowsEveryFixture) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(fixture(""))) {
    const std::string ending = file.path().extension();
    const bool saved = file.path().filename() == "saved_model.pb";
    const FileKind kind = saved                ? FileKind::kSavedModel
                          : ending == ".pb"    ? FileKind::kGraphDef
                          : ending == ".meta"  ? FileKind::kMetaGraph
                          : ending == ".index" ? FileKind::kCheckpointIndex
                                               : FileKind::kUnknown;
    if (kind == FileKind::kUnknown) continue;
    EXPECT_EQ(recognised(file_bytes(file.path())).kind, kind) << file.path();
  }
}

// A node with nothing but a name reads as a MetaInfoDef with nothing but a version.
TEST(Recognise, SaysWhyWhereAFileHasSeveralReadings) {
  std::string node;
  put_bytes_field(node, 1, "n");
  std::string message;
  put_bytes_field(message, 1, node);
  const Recognition both = recognised(message);
  EXPECT_EQ(both.kind, FileKind::kGraphDef);
  EXPECT_EQ(both.why,
            "a GraphDef (2 of 2 fields at its beginning fit), rather than a MetaGraphDef (2 of 2 "
            "fields at its beginning fit)");
  EXPECT_EQ(recognised(file_bytes(fixture("ref/frozen.pb"))).why, "");
}

TEST(Recognise, TellsASavedModel) {
  const std::string meta = file_bytes(fixture("ref/model.ckpt.meta"));
  std::string saved;
  put_varint_field(saved, 1, 1);
  put_bytes_field(saved, 2, meta);
  EXPECT_EQ(recognised(saved).kind, FileKind::kSavedModel);
}

TEST(Recognise, TellsATensorFlowJsModelByItsMembers) {
  const std::string long_text(100'000, 'x');
  for (const std::string& json : {std::string(R"({"format":"graph-model","modelTopology":{}})"),
                                  std::string(R"( { "weightsManifest" : [] })"),
                                  cat(R"({"a":")", long_text, R"(","modelTopology":{}})"),
                                  std::string(R"([{"paths":["a"],"weights":[]}])")}) {
    EXPECT_EQ(recognised(json).kind, FileKind::kTfjs) << json.substr(0, 50);
  }
  for (const std::string& json : {std::string("{}"), std::string("[1, 2]"),
                                  cat(R"({"a":")", long_text, long_text, R"("})")}) {
    EXPECT_EQ(recognised(json).kind, FileKind::kOther) << json.substr(0, 50);
  }
}

// ir_version, producer_name, graph, opset_import.
std::string onnx_model() {
  return serialise(WireMessage()
                       .varint(1, 7)
                       .bytes(2, "pytorch")
                       .bytes(7, std::string(300, 'g'))
                       .bytes(8, std::string("\x10\x0D", 2)));
}

TEST(Recognise, NamesWhatIsNoModelAndSaysWhatToDo) {
  const std::vector<std::pair<std::string, std::string>> others = {
      {"\x89PNG\r\n\x1A\n" + std::string(100, '\0'), "a PNG image"},
      {"\xFF\xD8\xFF\xE0", "a JPEG image"},
      {std::string("\x1C\0\0\0TFL3\0\0\0\0", 12), "a TensorFlow Lite model"},
      {"", "an empty file"},
      {"{\"format\": \"graph-model\"}", "a JSON file"},
      {"item {\n  id: 1\n}\n", "a label map (text)"},
      {"<!DOCTYPE html>", "an HTML page"},
      {"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer, not the file itself"},
      {"hello\n", "a text file"},
      {std::string("\x80\x04\x95\x05\0\0", 6), "a Python pickle"},
      {onnx_model(), "an ONNX model"},
      {"\x89HDF\r\n\x1A\n", "an HDF5 file (a Keras model or its weights)"},
  };
  for (const auto& [bytes, what] : others) {
    const Recognition found = recognised(bytes);
    EXPECT_EQ(found.what, what);
    EXPECT_EQ(found.kind, FileKind::kOther) << what;
    EXPECT_NE(found.fix, "") << what;
  }
}

// OpLogProto, what TensorFlow's profiler logs: entries have names where nodes have them.
TEST(Recognise, TakesNoLogForAGraph) {
  std::string log;
  put_bytes_field(log, 1, serialise(WireMessage().bytes(1, "DW").bytes(6, "_trainable_variables")));
  for (const char* name : {"b", "c", "ScalarW"}) {
    put_bytes_field(log, 1,
                    serialise(WireMessage().bytes(1, name).bytes(3, "_trainable_variables")));
  }
  put_bytes_field(log, 1, serialise(WireMessage().bytes(1, "Conv2D").varint(2, 5832)));
  EXPECT_EQ(recognised(log).kind, FileKind::kUnknown);
}

TEST(Recognise, TellsContainersFromWhatIsInThem) {
  const std::vector<std::pair<std::string, FileKind>> files = {
      {"PK\x03\x04....", FileKind::kArchive},
      {"\x1F\x8B\x08", FileKind::kArchive},
      {file_bytes(fixture("archives/pax.tar")), FileKind::kArchive},
      {file_bytes(fixture("archives/stored.npz")), FileKind::kNpz},
      {file_bytes(fixture("archives/version_2.npy")), FileKind::kNpy},
      {file_bytes(fixture("archives/weights.safetensors")), FileKind::kSafetensors},
  };
  for (const auto& [bytes, kind] : files) EXPECT_EQ(recognised(bytes).kind, kind);
}

TEST(Recognise, TellsTextByItsFirstField) {
  const std::vector<std::pair<std::string, FileKind>> texts = {
      {"node {\n  name: \"x\"\n}\n", FileKind::kGraphDef},
      {"# a comment\n\n  versions { }", FileKind::kGraphDef},
      {std::string(3000, '#') + "\nlibrary { }", FileKind::kGraphDef},
      {"meta_info_def { }", FileKind::kMetaGraph},
      {"saved_model_schema_version: 1", FileKind::kSavedModel},
      {"model_checkpoint_path: \"m\"", FileKind::kCheckpointState},
      {"nodes { }", FileKind::kOther},
      {"# nothing but a comment", FileKind::kOther},
  };
  for (const auto& [text, kind] : texts) EXPECT_EQ(recognised(text).kind, kind) << text;
}

TEST(Recognise, HasAnAnswerToAnyBytes) {
  std::mt19937 random(13);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(random() % 600, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const Recognition found = recognised(bytes);
    EXPECT_NE(found.what, "");
    EXPECT_TRUE(found.kind != FileKind::kUnknown || !found.fix.empty());
  }
}

TEST(Recognise, ReadsHeadAndTailOnly) {
  const std::string tensor =
      serialise(WireMessage().varint(1, 1).bytes(4, std::string(5'000'000, 'x')));
  std::string graph;
  put_bytes_field(graph, 1, node("n", "Const", {}, {{"value", tensor_value(tensor)}}));
  const auto source = std::make_shared<CountingSource>(graph, "file");
  EXPECT_EQ(recognise(source)->kind, FileKind::kGraphDef);
  EXPECT_LT(source->bytes_read(), 20'000U);
}

TEST(SchemaMatch, CountsKnownFieldsAndUnknownOnes) {
  const MessageSchema& graph = message_schema("tensorflow.GraphDef");
  const auto judged = [&](const std::string& bytes) {
    return *match_schema(whole(std::make_shared<MemorySource>(bytes)), graph);
  };
  std::string bytes;
  put_bytes_field(bytes, 1, node("n", "Op"));
  EXPECT_EQ(judged(bytes).known, 3);
  EXPECT_EQ(judged(bytes).unknown, 0);
  EXPECT_FALSE(judged(bytes).ends_early);
  EXPECT_TRUE(judged(bytes.substr(0, bytes.size() - 1)).ends_early);
  put_varint_field(bytes, 1, 5);
  put_varint_field(bytes, 99, 5);
  EXPECT_EQ(judged(bytes).unknown, 2);
}

}  // namespace
}  // namespace cryo
