#include "commands/node_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "bytes/coding.h"
#include "commands/attr_json.h"
#include "functions.h"
#include "graphs.h"
#include "reports.h"

namespace cryo {
namespace {

Json object_of(const JsonWriter& members) { return Json::parse(cat("{", members.text(), "}")); }

Json described(const Model& model, const std::string& name, const std::string& function = "") {
  JsonWriter members;
  const Status status = describe_node(model, name, function, nullptr, members);
  EXPECT_TRUE(status.ok()) << failure_of(status);
  return object_of(members)["node"];
}

// "1 y" for "input 1 of y takes it".
std::string takers(const Json& node) {
  std::string text;
  for (const Json& each : node["consumers"]) {
    text += cat(each["control"].get<bool>() ? "^" : "", each["input"].get<int>(), " ",
                each["node"].get<std::string>(), ";");
  }
  return text;
}

TEST(NodeReport, HasTheNodesAround) {
  const Model model = model_of({placeholder("x", {2, 3}), node("s", "Split", {"x"}),
                                node("y", "Add", {"s:1", "gone:2"}), node("z", "NoOp", {"^s"})});
  const Json split = described(model, "s");
  EXPECT_EQ(split["op"], "Split");
  EXPECT_EQ(split["inputs"].size(), 1U);
  EXPECT_EQ(split["inputs"][0]["op"], "Placeholder");
  EXPECT_EQ(split["inputs"][0]["dtype"], "float32");
  EXPECT_EQ(to_string(split["inputs"][0]["shape"]), "[2,3]");
  EXPECT_EQ(takers(split), "0 y;^0 z;");
  EXPECT_EQ(split["outputs"].size(), 2U);
  const Json y = described(model, "y");
  EXPECT_EQ(y["inputs"][0]["port"], 1);
  EXPECT_EQ(y["inputs"][1]["tensor"], "gone:2");
  EXPECT_TRUE(y["inputs"][1]["node"].is_null());
  EXPECT_TRUE(described(model, "z")["inputs"][0]["control"]);
}

TEST(NodeReport, LooksIntoAFunctionsBody) {
  Parts parts;
  parts.nodes = {placeholder("x"), call_of("c", "f", {"x"}, {kFloat32}, {kFloat32})};
  parts.functions = {body("f", {{"a", kFloat32}}, {{"r", kFloat32, "i:output:0"}},
                          {typed("i", "Identity", {"a"}), typed("n", "Neg", {"i:output:0"})})};
  Model model = model_of({});
  model.graph = graph_of(parts);
  EXPECT_EQ(to_string(described(model, "c")["calls"]), R"(["f"])");
  EXPECT_EQ(described(model, "a", "f")["op"], "_Arg");
  const Json identity = described(model, "i", "f");
  EXPECT_EQ(identity["inputs"][0]["node"], "a");
  EXPECT_EQ(takers(identity), "0 n;");
}

TEST(NodeReport, FailsOnNamesThatAreNot) {
  JsonWriter members;
  const Model model = model_of({node("conv1", "Op")});
  const Status status = describe_node(model, "conv", "", nullptr, members);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "not-in-graph");
  EXPECT_NE(status.error().message.find("conv1"), std::string::npos);
  EXPECT_FALSE(describe_node(model, "conv1", "f", nullptr, members).ok());
}

Json attr_json(const std::string& attr_value) {
  JsonWriter members;
  add_attr(attr_value, members);
  return object_of(members);
}

std::string text_of(const std::string& attr_value) { return to_string(attr_json(attr_value)); }

TEST(AttrJson, TellsEachKind) {
  EXPECT_EQ(text_of(string_value("SAME")), R"({"kind":"string","value":"SAME"})");
  EXPECT_EQ(text_of(int_value(-3)), R"({"kind":"int","value":-3})");
  EXPECT_EQ(text_of(int_value(int64_t{1} << 60)),
            R"({"kind":"int","value":"1152921504606846976"})");
  EXPECT_EQ(text_of(type_value(kFloat32)), R"({"kind":"type","value":"float32"})");
  EXPECT_EQ(text_of(shape_value(shape_bytes({2, -1}))), R"({"kind":"shape","value":[2,-1]})");
  EXPECT_EQ(text_of(func_value("f")), R"({"kind":"func","value":"f"})");
  EXPECT_EQ(text_of(type_list_value({1, 3})),
            R"x({"kind":"list(type)","value":["float32","int32"]})x");
  EXPECT_EQ(text_of(""), R"({"kind":"none","value":null})");
}

TEST(AttrJson, TellsATensorByItsTypeAndShape) {
  const Model model = model_of({constant("w", {1, 2}, {2, 1})});
  const Json attrs = described(model, "w")["attrs"];
  EXPECT_EQ(to_string(attrs[1]),
            R"({"name":"value","kind":"tensor","value":{"dtype":"float32","shape":[2,1]}})");
}

uint32_t bits_of(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(AttrJson, TellsFloatsInFewDigits) {
  EXPECT_EQ(text_of(float_value(0.1F)), R"({"kind":"float","value":0.1})");
  EXPECT_EQ(text_of(float_value(-1e-10F)), R"({"kind":"float","value":-1e-10})");
  EXPECT_EQ(text_of(float_value(NAN)), R"({"kind":"float","value":"nan"})");
  std::string packed;
  for (const float each : {0.5F, 3.0F}) put_fixed32(packed, bits_of(each));
  std::string list;
  put_bytes_field(list, 4, packed);
  std::string message;
  put_bytes_field(message, 1, list);
  EXPECT_EQ(text_of(message), R"x({"kind":"list(float)","value":[0.5,3.0]})x");
}

TEST(AttrJson, TellsOfALongListTheFirst) {
  const Json json = attr_json(type_list_value(std::vector<int>(1000, kFloat32)));
  EXPECT_EQ(json["value"].size(), 100U);
  EXPECT_EQ(json["count"], 1000U);
}

}  // namespace
}  // namespace cryo
