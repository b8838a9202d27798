#include "formats/tfjs/tfjs.h"

#include <gtest/gtest.h>

#include "files.h"
#include "formats/open.h"
#include "graphs.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

// Files of a TensorFlow.js model in the folder "m".
struct Folder {
  Folder& put(std::string name, std::string bytes) {
    files.push_back(std::make_shared<MemorySource>(std::move(bytes), cat("m/", name)));
    return *this;
  }
  Folder& put(const Files& written) {
    for (const OutputFile& file : written) {
      files.push_back(std::make_shared<MemorySource>(*file.content.read_all(), file.path));
    }
    return *this;
  }
  Result<Model> open(const std::string& path = "") {
    return cryo::open(files, {path}, diagnostics);
  }

  std::vector<SourcePtr> files = {};
  Diagnostics diagnostics = {};
};

Result<Files> written(const Model& model, Diagnostics& diagnostics, std::string out = "m/") {
  return write(model, {"tfjs", std::move(out)}, diagnostics);
}

Files written(const Model& model) {
  Diagnostics diagnostics;
  auto files = written(model, diagnostics);
  EXPECT_TRUE(files.ok()) << failure_of(files);
  return files ? *files : Files();
}

std::string text_of(const OutputFile& file) { return *file.content.read_all(); }

// A Const of any type with these bytes.
std::string constant_of(std::string_view name, DType dtype, const std::vector<int64_t>& dims,
                        const std::string& content) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(static_cast<tensorflow::DataType>(dtype));
  *tensor.mutable_tensor_shape() = to_proto(Shape{false, dims});
  tensor.set_tensor_content(content);
  return node(name, "Const", {},
              {{"dtype", type_value(static_cast<int>(dtype))},
               {"value", tensor_value(tensor.SerializeAsString())}});
}

Model small_model() {
  return model_of(
      {placeholder("x", {2}), constant("w", {1, 2}, {2}), node("y", "Mul", {"x", "w"})});
}

// The model.json of one Const "w" of a type, and its weights.
std::string model_json(std::string_view dtype, std::string_view weights) {
  return cat(R"({"format":"graph-model","modelTopology":{"node":[{"name":"w","op":"Const","attr":)"
             R"({"dtype":{"type":")",
             dtype, R"("},"value":{"tensor":{"dtype":")", dtype,
             R"(","tensorShape":{}}}}}],"versions":{}},"weightsManifest":[)", weights, "]}");
}

std::string bytes_of(const Result<Model>& model, std::string_view name) {
  if (!model) return failure_of(model);
  const auto tensor =
      read_tensor(tensor_attr(find(model->graph, name), "value").value_or(""), *model->payloads);
  if (!tensor) return failure_of(tensor);
  const auto bytes = tensor->content.read_all();
  return bytes ? *bytes : failure_of(bytes);
}

TEST(Tfjs, IsWrittenAndReadAgain) {
  const Files files = written(small_model());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "m/model.json");
  EXPECT_EQ(files[1].path, "m/group1-shard1of1.bin");
  EXPECT_EQ(text_of(files[1]), unhex("0000803F 00000040"));
  EXPECT_EQ(
      text_of(files[0]),
      R"({"format":"graph-model","generatedBy":"","convertedBy":"Cryograph","signature":{"inputs":)"
      R"({"x":{"name":"x:0","dtype":"DT_FLOAT","tensorShape":{"dim":[{"size":"2"}]}}},"outputs":)"
      R"({"y":{"name":"y:0","tensorShape":{"unknownRank":true}}},"methodName":)"
      R"("tensorflow/serving/predict"},"modelTopology":{"node":[{"name":"x","op":"Placeholder",)"
      R"("attr":{"dtype":{"type":"DT_FLOAT"},"shape":{"shape":{"dim":[{"size":"2"}]}}}},)"
      R"({"name":"w","op":"Const","attr":{"dtype":{"type":"DT_FLOAT"},"value":{"tensor":)"
      R"({"dtype":"DT_FLOAT","tensorShape":{"dim":[{"size":"2"}]}}}}},{"name":"y","op":"Mul",)"
      R"("input":["x","w"]}],"versions":{}},"weightsManifest":[{"paths":)"
      R"(["group1-shard1of1.bin"],"weights":[{"name":"w","shape":[2],"dtype":"float32"}]}]})");
  Folder folder;
  const auto model = folder.put(files).open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(model->kind, Kind::kTfjs);
  EXPECT_EQ(model->name, "m/model.json");
  EXPECT_EQ(floats(*model, "w"), (std::vector<float>{1, 2}));
  EXPECT_EQ(parse_meta(*model).signature_def()[0].key(), "serving_default");
  EXPECT_TRUE(folder.diagnostics.all().empty());
}

TEST(Tfjs, IsWrittenAsItWasRead) {
  Folder folder;
  folder.put("model.json", model_json("DT_FLOAT", R"({"paths":["a/s.bin"],"weights":[{"name":"w",)"
                                                  R"("shape":[],"dtype":"float32","x":1}]})"));
  folder.put("a/s.bin", "1234");
  const auto model = folder.open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  const Files files = written(*model);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(text_of(files[0]), *Splice(whole(folder.files[0])).read_all());
  EXPECT_EQ(files[1].path, "m/a/s.bin");
  EXPECT_EQ(text_of(files[1]), "1234");
}

TEST(Tfjs, WritesNothingOutsideItsFolder) {
  Folder folder;
  folder.put("model.json", model_json("DT_FLOAT", R"({"paths":["../s.bin"],"weights":[{"name":"w",)"
                                                  R"("shape":[],"dtype":"float32"}]})"));
  folder.put("../s.bin", "1234");
  const auto model = folder.open("m/model.json");
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(bytes_of(model, "w"), "1234");
  const Files files = written(*model);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[1].path, "m/group1-shard1of1.bin");
}

TEST(Tfjs, KeepsWhatIsNotOfTheGraph) {
  std::string json = model_json("DT_FLOAT", R"({"paths":["s"],"weights":[{"name":"table","shape":)"
                                            R"([2],"dtype":"int32"},{"name":"w","shape":[],)"
                                            R"("dtype":"float32"}]})");
  json.insert(1, R"("modelInitializer":{"node":[]},"userDefinedMetadata":{"a":[1],"signature":{},)"
                 R"("structuredOutputKeys":["k"]},)");
  Folder folder;
  auto model = folder.put("model.json", json).put("s", "ttttuuuuwwww").open();
  ASSERT_TRUE(model.ok()) << failure_of(model);
  GraphBuilder builder(model->graph);
  for (const Node& each : model->graph.nodes()) builder.add(each);
  model->graph = builder.finish();
  const Files files = written(*model);
  const std::string text = text_of(files[0]);
  EXPECT_NE(text.find(R"("modelInitializer":{"node":[]})"), std::string::npos);
  EXPECT_NE(text.find(R"("userDefinedMetadata":{"a":[1],"structuredOutputKeys":["k"]})"),
            std::string::npos);
  EXPECT_NE(text.find(R"({"name":"table","shape":[2],"dtype":"int32"})"), std::string::npos);
  EXPECT_EQ(text_of(files[1]), "wwwwttttuuuu");
}

TEST(Tfjs, IsCutIntoShardsOfFourMegabytes) {
  const uint64_t count = (5 << 20) / 4;
  const Model model = model_of(
      {constant_of("w", DType::kFloat, {static_cast<int64_t>(count)}, std::string(count * 4, 'x')),
       constant("v", {1}, {1}), node("y", "Add", {"w", "v"})});
  const Files files = written(model);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[1].path, "m/group1-shard1of2.bin");
  EXPECT_EQ(files[1].content.size(), 4U << 20);
  EXPECT_EQ(files[2].content.size(), (1U << 20) + 4);
  Folder folder;
  const auto again = folder.put(files).open();
  EXPECT_EQ(floats(*again, "v"), (std::vector<float>{1}));
  EXPECT_EQ(bytes_of(again, "w"), std::string(count * 4, 'x'));
}

TEST(Tfjs, IsCutIntoShardsOfTheSizeAskedFor) {
  const Model model =
      model_of({constant_of("w", DType::kBool, {100'000}, std::string(100'000, '\1'))});
  Diagnostics diagnostics;
  const auto files = write(model, {"tfjs", "m/", 65536}, diagnostics);
  ASSERT_TRUE(files.ok()) << failure_of(files);
  ASSERT_EQ(files->size(), 3U);
  EXPECT_EQ((*files)[1].content.size(), 65536U);
  EXPECT_EQ((*files)[2].content.size(), 100'000U - 65536);
  EXPECT_EQ(failure_of(write(model, {"tfjs", "m/", 1}, diagnostics)),
            "bad-option: --shard-size is at least 65536 bytes");
}

TEST(Tfjs, StoresNarrowerOnlyWhatThatHolds) {
  const std::string small = unhex("FFFFFFFFFFFFFFFF 0500000000000000");
  Diagnostics diagnostics;
  const auto files = written(model_of({constant_of("i", DType::kInt64, {2}, small)}), diagnostics);
  ASSERT_TRUE(files.ok()) << failure_of(files);
  EXPECT_EQ(codes(diagnostics), (Lines{"stored-narrower"}));
  EXPECT_EQ(text_of((*files)[1]), unhex("FFFFFFFF 05000000"));
  Folder folder;
  const auto again = folder.put(*files).open();
  EXPECT_EQ(bytes_of(again, "i"), small);

  const auto refused = [](DType dtype, const std::string& content) {
    Diagnostics ignored;
    return failure_of(written(model_of({constant_of("c", dtype, {1}, content)}), ignored));
  };
  EXPECT_EQ(refused(DType::kInt64, unhex("0000000001000000")),
            "unsupported-dtype: TensorFlow.js has no int64, and int32 does not hold its values");
  EXPECT_EQ(
      refused(DType::kDouble, unhex("9A9999999999B93F")),
      "unsupported-dtype: TensorFlow.js has no float64, and float32 does not hold its values");
  EXPECT_EQ(refused(DType::kUint64, std::string(8, '\0')),
            "unsupported-dtype: TensorFlow.js has no uint64");
  EXPECT_EQ(refused(DType::kUint16, unhex("FFFF")),
            "unsupported-dtype: TensorFlow.js has no uint16");
  EXPECT_EQ(refused(DType::kUint8, "\xFF"), "ok");
}

TEST(Tfjs, KeepsStrings) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_STRING);
  *tensor.mutable_tensor_shape() = to_proto(Shape{false, {3}});
  for (const std::string& each : {std::string("ab"), std::string(), std::string(1000, 'z')}) {
    tensor.add_string_val(each);
  }
  const std::string value = tensor_value(tensor.SerializeAsString());
  const Files files =
      written(model_of({node("s", "Const", {}, {{"dtype", type_value(7)}, {"value", value}}),
                        constant("w", {1}, {})}));
  EXPECT_EQ(text_of(files[1]), cat(unhex("02000000 6162 00000000 E8030000"), std::string(1000, 'z'),
                                   unhex("0000803F")));
  Folder folder;
  const auto again = folder.put(files).open();
  EXPECT_EQ(bytes_of(again, "s").substr(8), cat("ab", std::string(1000, 'z')));
  EXPECT_EQ(floats(*again, "w"), (std::vector<float>{1}));
}

// {signature {name "f"} node_def {name "c" op "Const"} node_def {"y" inputs "c:output:0"} ret}
TEST(Tfjs, NamesConstantsOfFunctionsBehindThem) {
  std::string function;
  put_bytes_field(function, 1, unhex("0A01 66"));
  put_bytes_field(function, 3, constant("c", {3}, {}));
  put_bytes_field(function, 3, node("y", "Neg", {"c:output:0", "^c"}));
  std::string ret;
  put_bytes_field(ret, 1, "r");
  put_bytes_field(ret, 2, "c:output:0");
  put_bytes_field(function, 4, ret);
  Model model = small_model();
  GraphBuilder builder(model.graph);
  for (const Node& each : model.graph.nodes()) builder.add(each);
  builder.add(constant("f/c", {4}, {}));
  builder.add_function(function);
  model.graph = builder.finish();

  Folder folder;
  const Files files = written(model);
  const auto again = folder.put(files).open();
  ASSERT_TRUE(again.ok()) << failure_of(again);
  const auto body = body_nodes(again->graph.functions()[0]);
  EXPECT_EQ((Lines{described((*body)[0]), described((*body)[1])}),
            (Lines{"f/c_1 = Const()", "y = Neg(f/c_1:output:0, ^f/c_1)"}));
  EXPECT_EQ(floats(read_tensor(*tensor_attr((*body)[0], "value"), *again->payloads)),
            (std::vector<float>{3}));
  EXPECT_NE(again->graph.functions()[0].bytes.find("f/c_1:output:0"), std::string::npos);
  // Once named, they stay so.
  Model rebuilt = *again;
  rebuilt.tfjs = nullptr;
  EXPECT_EQ(text_of(written(rebuilt)[0]), text_of(files[0]));
}

TEST(Tfjs, SpellsOutDefaultsThatItsReaderDoesNotKnow) {
  const std::string text =
      text_of(written(model_of({node("c", "Conv2D", {"x", "w"}), node("n", "Neg", {"c"})}))[0]);
  EXPECT_NE(text.find(R"("op":"Conv2D","input":["x","w"],"attr":{"dilations":{"list":{"i":["1",)"
                      R"("1","1","1"]}}})"),
            std::string::npos);
}

// TensorFlow.js would take a scalar alone.
TEST(Tfjs, AShapeThatAnEarlyReleaseDidNotKnowIsUnknown) {
  const auto shape_by = [](uint64_t producer) {
    std::string versions;
    put_tag(versions, 1, WireType::kVarint);
    put_varint(versions, producer);
    Model model = model_of({});
    std::string bytes;
    put_bytes_field(bytes, 1, placeholder("x", {}));
    put_bytes_field(bytes, 4, versions);
    model.graph = *Graph::parse(bytes);
    const std::string json = text_of(written(model)[0]);
    return json.find("unknownRank") != std::string::npos;
  };
  EXPECT_TRUE(shape_by(21));
  EXPECT_FALSE(shape_by(22));
}

TEST(Tfjs, HasNoVariables) {
  Diagnostics diagnostics;
  const auto files = written(model_of({variable("v", {2})}), diagnostics);
  EXPECT_EQ(failure_of(files),
            "not-frozen: a TensorFlow.js model has no variables; this one has 1 variable");
}

TEST(Tfjs, IsPutWhereItIsWanted) {
  Diagnostics diagnostics;
  const auto path = [&](const std::string& out) {
    return (*written(small_model(), diagnostics, out))[1].path;
  };
  EXPECT_EQ(path("a/net.json"), "a/group1-shard1of1.bin");
  EXPECT_EQ(path("web"), "web/group1-shard1of1.bin");
  EXPECT_EQ(path(""), "group1-shard1of1.bin");
}

TEST(Tfjs, OfLayersIsNamedAsWhatItIs) {
  for (const char* json : {R"({"format":"layers-model","modelTopology":{},"weightsManifest":[]})",
                           R"({"modelTopology":{"class_name":"Sequential","config":[]}})",
                           R"({"modelTopology":{"keras_version":"2.1","model_config":{}}})"}) {
    Folder folder;
    EXPECT_EQ(folder.put("model.json", json).open().error().code, "layers-model") << json;
  }
}

TEST(Tfjs, OfOldIsOpenedByEitherOfItsFiles) {
  tensorflow::TensorProto bare;
  bare.set_dtype(tensorflow::DT_FLOAT);
  bare.mutable_tensor_shape();
  const Graph graph =
      graph_of({node("w", "Const", {},
                     {{"dtype", type_value(1)}, {"value", tensor_value(bare.SerializeAsString())}}),
                node("y", "Neg", {"w"})});
  for (const char* path : {"", "m/weights_manifest.json", "m/tensorflowjs_model.pb"}) {
    Folder folder;
    folder.put("tensorflowjs_model.pb", graph.skeleton()).put("group1-shard1of1", "\0\0\x80?");
    folder.files[1] = std::make_shared<MemorySource>(unhex("0000803F"), "m/group1-shard1of1");
    folder.put("weights_manifest.json", R"([{"paths":["group1-shard1of1"],"weights":[{"name":"w",)"
                                        R"("shape":[],"dtype":"float32"}]}])");
    const auto model = folder.open(path);
    ASSERT_TRUE(model.ok()) << failure_of(model);
    EXPECT_EQ(model->kind, Kind::kTfjs);
    EXPECT_EQ(floats(*model, "w"), (std::vector<float>{1}));
    EXPECT_EQ(written(*model)[0].path, "m/model.json");
  }
}

TEST(Tfjs, ModelsOfTheCorpusKeepTheirWeights) {
  const auto folder = corpus() / "tfjs_graph/npm__vscode__vscode-languagedetection/model";
  const SourcePtr json = file_source(folder / "model.json");
  if (json == nullptr) GTEST_SKIP() << "no corpus";
  Diagnostics diagnostics;
  auto model =
      open({json, file_source(folder / "group1-shard1of1.bin")}, {json->name()}, diagnostics);
  ASSERT_TRUE(model.ok()) << failure_of(model);
  EXPECT_EQ(model->graph.nodes().size(), 149U);
  EXPECT_EQ(model->graph.functions().size(), 2U);
  EXPECT_TRUE(diagnostics.all().empty());
  Model rebuilt = *model;
  rebuilt.tfjs = nullptr;
  Folder again;
  const auto reopened = again.put(written(rebuilt)).open();
  ASSERT_TRUE(reopened.ok()) << failure_of(reopened);
  for (const Node& each : model->graph.nodes()) {
    if (each.op != "Const") continue;
    EXPECT_TRUE(bytes_of(model, each.name) == bytes_of(reopened, each.name)) << each.name;
  }
}

}  // namespace
}  // namespace cryo
