#include "formats/tfjs/tfjs_weights.h"

#include <gtest/gtest.h>

#include <map>

#include "counting_source.h"
#include "files.h"
#include "formats/tfjs/tfjs_constants.h"
#include "graphs.h"

namespace cryo {
namespace {

// A manifest, as JSON, over shards by name.
struct GivenOption {
  std::string json;
  std::map<std::string, std::string> shards;
};

struct Found {
  explicit Found(const GivenOption& given) : tree(*JsonTree::parse(given.json, "")) {
    const auto find = [&](std::string_view path) -> SourcePtr {
      const auto shard = given.shards.find(std::string(path));
      if (shard == given.shards.end()) return nullptr;
      return std::make_shared<MemorySource>(shard->second, shard->first);
    };
    auto read = read_tfjs_manifest(tree.root(), find, "m/model.json", diagnostics);
    error = failure_of(read);
    if (read) manifest = std::move(*read);
  }

  // The content of weight i as a constant of this type, or its fault.
  std::string content(size_t i, DType dtype) {
    const auto proto = tensor_of_weight(manifest.weights.at(i), dtype, payloads);
    if (!proto) return failure_of(proto);
    const auto tensor = read_tensor(*proto, payloads);
    if (!tensor) return failure_of(tensor);
    const auto bytes = tensor->content.read_all();
    return bytes ? *bytes : failure_of(bytes);
  }

  JsonTree tree;
  Payloads payloads;
  Diagnostics diagnostics;
  TfjsManifest manifest;
  std::string error;
};

constexpr const char* kTwo =
    R"([{"paths":["a","b"],"weights":[{"name":"v","shape":[3],"dtype":"int32"},)"
    R"({"name":"w","shape":[2],"dtype":"bool"}]}])";

TEST(TfjsWeights, CrossTheBordersOfShards) {
  Found found({kTwo, {{"a", "111122"}, {"b", std::string("223333\0\1", 8)}}});
  EXPECT_EQ(found.content(0, DType::kInt32), "111122223333");
  EXPECT_EQ(found.content(1, DType::kBool), std::string("\0\1", 2));
  EXPECT_EQ(found.manifest.weights[0].content.pieces().size(), 2U);
  EXPECT_TRUE(found.diagnostics.all().empty());
}

TEST(TfjsWeights, OfAMissingShardAreNamedAndTheOthersGood) {
  Found found({kTwo, {{"b", std::string("223333\0\1", 8)}}});
  EXPECT_EQ(codes(found.diagnostics), (Lines{"missing-shard"}));
  EXPECT_EQ(found.diagnostics.all()[0].where.file, "m/a");
  EXPECT_EQ(found.content(0, DType::kInt32), "missing-shard: the weights' file 'a' is missing");
  EXPECT_EQ(found.content(1, DType::kBool), std::string("\0\1", 2));
  Found none({kTwo, {}});
  EXPECT_EQ(codes(none.diagnostics), (Lines{"missing-shard", "missing-shard"}));
  EXPECT_EQ(none.content(1, DType::kBool), "missing-shard: the weights' file 'a' is missing");
}

TEST(TfjsWeights, OfAShortShardAreTold) {
  Found found({kTwo, {{"a", "1111"}, {"b", "2222"}}});
  EXPECT_EQ(codes(found.diagnostics), (Lines{"weights-cut-short"}));
  EXPECT_EQ(found.content(0, DType::kInt32),
            "weights-cut-short: expected 14 bytes of weights or more; found 8");
}

TEST(TfjsWeights, AreWidenedToTheirNodesType) {
  Found found({R"([{"paths":["a"],"weights":[{"name":"w","shape":[1],"dtype":"int32"},)"
               R"({"name":"c","shape":[],"dtype":"complex64"}]}])",
               {{"a", unhex("FEFFFFFF 0000803F 000000C0")}}});
  EXPECT_EQ(found.content(0, DType::kInt64), unhex("FEFFFFFFFFFFFFFF"));
  EXPECT_EQ(found.content(0, DType::kInt8), unhex("FE"));
  EXPECT_EQ(found.content(1, DType::kComplex128), unhex("000000000000F03F 00000000000000C0"));
  EXPECT_EQ(found.content(0, DType::kComplex64),
            "bad-weight-type: the weight 'w' is stored as int32 and its node is of type complex64");
}

TEST(TfjsWeights, ThatAreQuantizedStandForTheirValues) {
  Found found(
      {R"([{"paths":["a"],"weights":[)"
       R"({"name":"q","shape":[2],"dtype":"float32","quantization":)"
       R"({"dtype":"uint8","min":-1,"scale":0.5,"original_dtype":"float32"}},)"
       R"({"name":"h","shape":[1],"dtype":"float32","quantization":{"dtype":"float16"}}]}])",
       {{"a", unhex("00 04 003C")}}});
  EXPECT_EQ(found.content(0, DType::kFloat), unhex("000080BF 0000803F"));
  EXPECT_EQ(found.content(1, DType::kFloat), unhex("0000803F"));
  EXPECT_TRUE(found.manifest.weights[0].is_quantized());
}

constexpr const char* kStrings =
    R"([{"paths":["a"],"weights":[{"name":"s","shape":[2],"dtype":"string"},)"
    R"({"name":"e","shape":[0],"dtype":"string"},{"name":"w","shape":[],"dtype":"int32"}]}])";

TEST(TfjsWeights, ThatAreStringsEndWhereTheirLengthsSay) {
  Found found({kStrings, {{"a", unhex("02000000 6162 00000000 78563412")}}});
  EXPECT_EQ(found.content(0, DType::kString).substr(6), "ab");
  EXPECT_EQ(found.content(2, DType::kInt32), unhex("78563412"));
}

TEST(TfjsWeights, BehindStringsThatAreCutAreLostWithThem) {
  for (const char* bytes : {"02000000 6162 00", "FFFFFFFF 00", ""}) {
    Found found({kStrings, {{"a", unhex(bytes)}}});
    EXPECT_EQ(codes(found.diagnostics), (Lines{"weights-cut-short"})) << bytes;
    EXPECT_EQ(found.content(0, DType::kString),
              "weights-cut-short: the strings of 's' reach past the end of the weights");
    EXPECT_EQ(found.content(2, DType::kInt32).substr(0, 18), "weights-cut-short:");
  }
  Found missing({kStrings, {}});
  EXPECT_EQ(missing.content(0, DType::kString), "missing-shard: the weights' file 'a' is missing");
}

TEST(TfjsWeights, NeedAManifestThatTellsWhereTheyAre) {
  const auto error = [](const std::string& weight) {
    return Found({cat(R"([{"paths":[],"weights":[{"name":"w",)", weight, "}]}]"), {}})
        .error.substr(0, 20);
  };
  EXPECT_EQ(error(R"("shape":[-1],"dtype":"float32")"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":["x"],"dtype":"float32")"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[1],"dtype":"float99")"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[1],"dtype":"resource")"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[1])"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[2305843009213693952],"dtype":"int32")"), "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[9223372036854775807,9],"dtype":"int32")").substr(0, 9), "bad-shape");
  EXPECT_EQ(error(R"("shape":[1],"dtype":"bool","quantization":{"dtype":"uint8"})"),
            "bad-weights-manifest");
  EXPECT_EQ(error(R"("shape":[1],"dtype":"float32","quantization":{"dtype":"int64"})"),
            "bad-weights-manifest");
}

TEST(TfjsWeights, ThatAreNoStringsAreNotRead) {
  const auto shard = std::make_shared<CountingSource>("11112222", "a");
  const auto tree = JsonTree::parse(
      R"([{"paths":["a"],"weights":[{"name":"w","shape":[2],"dtype":"float32"}]}])", "");
  Diagnostics diagnostics;
  const auto manifest = read_tfjs_manifest(
      tree->root(), [&](std::string_view) { return shard; }, "m", diagnostics);
  ASSERT_TRUE(manifest.ok());
  EXPECT_EQ(shard->bytes_read(), 0U);
}

TEST(TfjsConstants, WithoutAWeightAreNotZeros) {
  tensorflow::TensorProto bare;
  bare.set_dtype(tensorflow::DT_FLOAT);
  bare.mutable_tensor_shape();
  const std::string node_def =
      node("w", "Const", {},
           {{"dtype", type_value(1)}, {"value", tensor_value(bare.SerializeAsString())}});
  Payloads payloads;
  const auto hung =
      with_weights(graph_of({node_def, constant("own", {5}, {})}).skeleton(), {}, payloads);
  ASSERT_TRUE(hung.ok());
  EXPECT_EQ(hung->bare, (Lines{"w"}));
  const auto graph = Graph::parse(hung->skeleton);
  const auto content = [&](size_t i) {
    return read_tensor(*tensor_attr(graph->nodes()[i], "value"), payloads)->content.read_all();
  };
  EXPECT_EQ(failure_of(content(0)), "missing-weight: the weights have none for the constant 'w'");
  EXPECT_EQ(*content(1), unhex("0000A040"));
}

}  // namespace
}  // namespace cryo
