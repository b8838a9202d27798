#include "wire/json/json_form.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/text.h"
#include "files.h"
#include "graphs.h"
#include "wire_message.h"

namespace cryo {
namespace {

using Names = std::set<std::string>;

std::string json_of(std::string_view message, std::string_view schema, Names* unknown = nullptr) {
  JsonWriter json;
  Names ignored;
  const Status put = write_json_form(json, message, message_schema(schema),
                                     unknown != nullptr ? *unknown : ignored);
  return put ? json.take() : failure_of(put);
}

Result<std::string> wire_of(const std::string& json, std::string_view schema,
                            Names* unknown = nullptr) {
  const auto tree = JsonTree::parse(json, "");
  EXPECT_TRUE(tree.ok()) << json;
  Names ignored;
  return wire_of_json(tree->root(), message_schema(schema),
                      unknown != nullptr ? *unknown : ignored);
}

std::string again(const std::string& json, std::string_view schema) {
  const auto wire = wire_of(json, schema);
  return wire ? json_of(*wire, schema) : failure_of(wire);
}

TEST(JsonForm, IsThatOfProtobuf) {
  const std::string bytes = node("c", "Conv2D", {"x", "^init"},
                                 {{"T", type_value(1)},
                                  {"data_format", string_value("NHWC")},
                                  {"strides", unhex("0A06 1A04 01020201")},
                                  {"use_cudnn_on_gpu", bool_value(false)},
                                  {"zero", int_value(0)},
                                  {"f", unhex("25 0000003F")},
                                  {"shape", shape_value(shape_bytes({-1, 3}))}});
  EXPECT_EQ(
      json_of(bytes, "tensorflow.NodeDef"),
      R"({"name":"c","op":"Conv2D","input":["x","^init"],"attr":{"T":{"type":"DT_FLOAT"},)"
      R"("data_format":{"s":"TkhXQw=="},"f":{"f":0.5},"shape":{"shape":{"dim":[{"size":"-1"},)"
      R"({"size":"3"}]}},"strides":{"list":{"i":["1","2","2","1"]}},)"
      R"("use_cudnn_on_gpu":{"b":false},"zero":{"i":"0"}}})");
}

TEST(JsonForm, ReadsBackEqual) {
  for (const char* json :
       {R"({"name":"c","attr":{"value":{"tensor":{"dtype":"DT_INT64","tensorShape":{}}}}})",
        R"({"attr":{"v":{"tensor":{"floatVal":[0.5,"NaN","Infinity","-Infinity",-0.0]}}}})",
        R"({"attr":{"f":{"func":{"name":"g","attr":{"T":{"type":"DT_BOOL"}}}},"l":{"list":{}}}})",
        R"({"attr":{"v":{"tensor":{"tensorContent":"AAEC","int64Val":["-5","7"]}}}})",
        R"({"attr":{"t":{"type":99},"s":{"shape":{"unknownRank":true}}}})"}) {
    EXPECT_EQ(again(json, "tensorflow.NodeDef"), json);
  }
}

TEST(JsonForm, KeepsIntegerKeysOfMaps) {
  const char* json = R"({"argAttr":{"3":{"attr":{"T":{"type":"DT_INT8"}}}}})";
  EXPECT_EQ(again(json, "tensorflow.FunctionDef"), json);
}

TEST(JsonForm, TakesWhatOldFilesHave) {
  const std::string old =
      R"({"name":"c","device":"","input":[],"attr":{"T":{"type":1},"d":{"s":[78,72,87,67]},)"
      R"("l":{"list":{"i":[1,2],"s":[[65],"Qg=="]}},"shape":{"shape":{"unknown_rank":true}},)"
      R"("n":null,"v":{"tensor":{"float_val":[],"tensor_shape":{"dim":[{"size":5}]}}}}})";
  const char* now =
      R"({"name":"c","attr":{"T":{"type":"DT_FLOAT"},"d":{"s":"TkhXQw=="},)"
      R"("l":{"list":{"s":["QQ==","Qg=="],"i":["1","2"]}},"shape":{"shape":{"unknownRank":true}},)"
      R"("v":{"tensor":{"tensorShape":{"dim":[{"size":"5"}]}}}}})";
  std::string without = old;
  without.erase(without.find(R"("n":null,)"), 9);
  EXPECT_EQ(again(without, "tensorflow.NodeDef"), now);
}

TEST(JsonForm, SaysWhatIsOfAnotherKind) {
  const std::string message = "tensorflow.NodeDef";
  EXPECT_EQ(again(R"({"name":5})", message), "bad-json: expected a text as 'name'");
  EXPECT_EQ(again(R"({"input":"x"})", message), "bad-json: expected a list as 'input'");
  EXPECT_EQ(again(R"({"attr":{"a":{"i":"x"}}})", message), "bad-json: expected a number as 'i'");
  EXPECT_EQ(again(R"({"attr":{"a":{"type":"DT_NONE"}}})", message),
            "bad-json: expected a name as 'type'");
  EXPECT_EQ(again(R"({"attr":{"a":{"b":1}}})", message), "bad-json: expected a number as 'b'");
  EXPECT_EQ(again(R"({"attr":{"a":{"s":"%"}}})", message),
            "bad-json: expected bytes in base64 as 's'");
  EXPECT_EQ(again(R"({"attr":[]})", message), "bad-json: expected an object as 'attr'");
  const auto failed = wire_of(R"({"node":[{"name":"n","op":7}]})", "tensorflow.GraphDef");
  EXPECT_EQ(failed.error().where.node, "n");
}

TEST(JsonForm, RefusesNumbersThatDoNotFit) {
  for (const char* value : {"2147483648", "\"-2147483649\"", "1.5"}) {
    EXPECT_FALSE(wire_of(cat(R"({"producer":)", value, "}"), "tensorflow.VersionDef").ok())
        << value;
  }
  EXPECT_EQ(again(R"({"producer":-2147483648})", "tensorflow.VersionDef"),
            R"({"producer":-2147483648})");
}

TEST(JsonForm, NamesWhatAMessageDoesNotHave) {
  Names unknown;
  ASSERT_TRUE(wire_of(R"({"name":"n","nope":{"a":[1]}})", "tensorflow.NodeDef", &unknown).ok());
  EXPECT_EQ(unknown, Names{"tensorflow.NodeDef.nope"});
  unknown.clear();
  std::string bytes = node("n", "NoOp");
  put_varint_field(bytes, 77, 1);
  EXPECT_EQ(json_of(bytes, "tensorflow.NodeDef", &unknown), R"({"name":"n","op":"NoOp"})");
  EXPECT_EQ(unknown, Names{"tensorflow.NodeDef.77"});
}

TEST(JsonForm, TakesTheLastOfWhatComesTwice) {
  std::string bytes = node("a", "NoOp");
  put_bytes_field(bytes, 1, "b");
  EXPECT_EQ(json_of(bytes, "tensorflow.NodeDef"), R"({"name":"b","op":"NoOp"})");
  // A oneof, set to an int and then to a bool.
  EXPECT_EQ(json_of(int_value(5) + bool_value(true), "tensorflow.AttrValue"), R"({"b":true})");
  // A message is merged.
  std::string twice;
  put_bytes_field(twice, 4, unhex("0805"));
  put_bytes_field(twice, 4, unhex("1002"));
  EXPECT_EQ(json_of(twice, "tensorflow.GraphDef"),
            R"({"versions":{"producer":5,"minConsumer":2}})");
  // So does a key of a map.
  std::string keys = node("a", "NoOp", {}, {{"k", int_value(5)}});
  keys += node("", "", {}, {{"l", int_value(6)}}) + node("", "", {}, {{"k", int_value(7)}});
  EXPECT_EQ(json_of(keys, "tensorflow.NodeDef"),
            R"({"name":"a","op":"NoOp","attr":{"l":{"i":"6"},"k":{"i":"7"}}})");
}

// Python's json_format.Parse (7.36) reports the same: "should not have multiple "value" oneof
// fields", "duplicate key". A member that is null counts as absent.
TEST(JsonForm, RefusesAMemberTwiceAndTwoOfAOneof) {
  const auto described = [](const char* json) {
    const auto wire = wire_of(json, "tensorflow.AttrValue");
    return wire ? "fine" : wire.error().code + ": " + wire.error().message;
  };
  EXPECT_EQ(described(R"({"i":"1","f":2.0})"),
            "bad-json: tensorflow.AttrValue has 'i' and 'f', of which only one can be set");
  EXPECT_EQ(described(R"({"shape":{"dim":[{"size":"1"}]},"list":{}})"),
            "bad-json: tensorflow.AttrValue has 'shape' and 'list', of which only one can be set");
  EXPECT_EQ(described(R"({"i":"1","i":"2"})"), "bad-json: tensorflow.AttrValue has 'i' twice");
  EXPECT_EQ(described(R"({"shape":{},"shape":{}})"),
            "bad-json: tensorflow.AttrValue has 'shape' twice");
  EXPECT_EQ(described(R"({"i":"1","i":null})"), "bad-json: tensorflow.AttrValue has 'i' twice");
  EXPECT_EQ(described(R"({"list":{"i":["1"],"i":["2"]}})"),
            "bad-json: tensorflow.AttrValue.ListValue has 'i' twice");
  for (const char* json : {R"({"i":null,"b":true})", R"({"b":true,"i":null})"}) {
    EXPECT_EQ(*wire_of(json, "tensorflow.AttrValue"), bool_value(true)) << json;
  }
}

TEST(JsonForm, TakesUnpackedNumbers) {
  EXPECT_EQ(json_of(unhex("18 05 18 06 1A 02 07 08"), "tensorflow.AttrValue.ListValue"),
            R"({"i":["5","6","7","8"]})");
}

TEST(JsonForm, OfAnEmptyPackedListHasNone) {
  EXPECT_EQ(json_of(unhex("0A02 2A00"), "tensorflow.AttrValue"), R"({"list":{}})");
  EXPECT_EQ(json_of(unhex("0A05 2A00 2A0101"), "tensorflow.AttrValue"), R"({"list":{"b":[true]}})");
}

// The dtype's varint is 2^62: as protobuf holds it 0, which is not said.
TEST(JsonForm, LeavesOutWhatIsADefaultAsItsTypeHoldsIt) {
  EXPECT_EQ(json_of(unhex("08 80 80 80 80 80 80 80 80 40"), "tensorflow.TensorProto"), "{}");
}

TEST(JsonForm, RefusesWhatProtobufWouldNotRead) {
  EXPECT_EQ(json_of(unhex("0A05 41"), "tensorflow.NodeDef"),
            "malformed-message: a field is cut short in a tensorflow.NodeDef");
  EXPECT_EQ(json_of(unhex("0A01 FF"), "tensorflow.NodeDef"),
            "malformed-message: the text \\xff of 'name' is not UTF-8");
  EXPECT_EQ(json_of(unhex("2205 01020304 05"), "tensorflow.TensorProto"),
            R"({"tensorContent":"AQIDBAU="})");
  EXPECT_EQ(json_of(unhex("2A03 010203"), "tensorflow.TensorProto"),
            "malformed-message: the list 'float_val' is cut short");
}

TEST(JsonForm, RefusesMessagesThatNestTooDeep) {
  std::string json = R"({"name":"f"})";
  for (int i = 0; i < 60; ++i) json = cat(R"({"name":"f","attr":{"a":{"func":)", json, "}}}");
  EXPECT_EQ(wire_of(json, "tensorflow.NameAttrList").error().code, "bad-json");
}

// The message that protobuf itself writes, read and written again, is the same.
TEST(JsonForm, GivesBackEveryFixture) {
  int graphs = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(fixture(""))) {
    if (file.path().extension() != ".pb") continue;
    const std::string bytes = file_bytes(file.path());
    const std::string json = json_of(bytes, "tensorflow.GraphDef");
    if (json.empty() || json[0] != '{') continue;  // not UTF-8, on purpose
    const auto wire = wire_of(json, "tensorflow.GraphDef");
    ASSERT_TRUE(wire.ok()) << file.path() << failure_of(wire);
    EXPECT_TRUE(json_of(*wire, "tensorflow.GraphDef") == json) << file.path();
    ++graphs;
  }
  EXPECT_GT(graphs, 30);
}

}  // namespace
}  // namespace cryo
