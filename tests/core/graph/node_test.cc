#include "graph/node.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "proto/node_def.pb.h"
#include "wire_message.h"

namespace cryo {
namespace {

std::string parsed_name(std::string_view text) {
  const TensorName name = parse_tensor_name(text);
  return cat(name.control ? "^" : "", name.node, "|", name.port);
}

// tests/data/invalid has TensorFlow's own verdicts on these.
TEST(TensorName, IsParsedAsTensorFlowDoes) {
  EXPECT_EQ(parsed_name("b"), "b|0");
  EXPECT_EQ(parsed_name("b:0"), "b|0");
  EXPECT_EQ(parsed_name("b:00"), "b|0");
  EXPECT_EQ(parsed_name("a/b:12"), "a/b|12");
  EXPECT_EQ(parsed_name("b:4294967296"), "b|0");
  EXPECT_EQ(parsed_name("b:4294967297"), "b|1");
  EXPECT_EQ(parsed_name("b:4294967295"), "b|4294967295");
  EXPECT_EQ(parsed_name("b:99999999999999999999"), "b:99999999999999999999|0");
  EXPECT_EQ(parsed_name("^b"), "^b|0");
}

TEST(TensorName, WithoutAPortIsANodesNameWhateverItLooksLike) {
  for (const char* text : {"", "b:", "b:x", "b:-1", ":0", "b ", "0", "12", "b:1x", ":"}) {
    EXPECT_EQ(parsed_name(text), cat(text, "|0"));
  }
  EXPECT_EQ(parsed_name("b:0:1"), "b:0|1");
  EXPECT_EQ(parsed_name("^b:0"), "^b:0|0");
  EXPECT_EQ(parsed_name("^"), "^|0");
}

TEST(TensorName, KeepsItsPortAsItIsSpelled) {
  EXPECT_EQ(port_text("b:00"), ":00");
  EXPECT_EQ(port_text("a/b:12"), ":12");
  for (const char* text : {"", "b", "^b", "^b:0", "b:x"}) EXPECT_EQ(port_text(text), "");
}

TEST(TensorName, IsWrittenWithoutPortZero) {
  for (const char* text : {"b", "b:1", "^b", "a/b:12"}) {
    EXPECT_EQ(to_text(parse_tensor_name(text)), text);
  }
  EXPECT_EQ(to_text(parse_tensor_name("b:0")), "b");
}

TEST(Node, IsScannedFromFieldsInAnyOrder) {
  const std::string bytes = serialise(WireMessage()
                                          .bytes(3, "x")
                                          .bytes(2, "Add")
                                          .bytes(1, "early")
                                          .message(5, WireMessage().bytes(1, "T"))
                                          .bytes(3, "y:1")
                                          .varint(3, 7)
                                          .bytes(1, "late")
                                          .bytes(3, "^z"));
  const auto scanned = scan_node(bytes);
  ASSERT_TRUE(scanned.ok());
  EXPECT_EQ(described(*scanned), "late = Add(x, y:1, ^z)");
  EXPECT_EQ(scanned->input_count, 3U);
  EXPECT_EQ(scanned->bytes, bytes);
}

TEST(Node, WithoutAnythingIsEmpty) {
  const auto scanned = scan_node("");
  ASSERT_TRUE(scanned.ok());
  EXPECT_EQ(described(*scanned), " = ()");
  EXPECT_TRUE(attrs_of(*scanned).empty());
  EXPECT_EQ(device_of(*scanned), "");
}

TEST(Node, ThatIsMalformedIsRefused) {
  EXPECT_EQ(failure_of(scan_node("\x0A\x05"
                                 "ab")),
            "malformed-message: a node is not a valid NodeDef");
}

TEST(Node, ReadsAsProtobufDoes) {
  RandomMessages messages(17);
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string bytes = serialise(messages.next(message_schema("tensorflow.NodeDef")));
    tensorflow::NodeDef proto;
    const auto scanned = scan_node(bytes);
    ASSERT_TRUE(scanned.ok());
    if (!proto.ParseFromString(bytes)) continue;  // text that is not UTF-8
    ++compared;
    EXPECT_EQ(scanned->name, proto.name());
    EXPECT_EQ(scanned->op, proto.op());
    EXPECT_EQ(device_of(*scanned), proto.device());
    std::vector<std::string> inputs;
    for (const std::string_view input : scanned->inputs()) inputs.emplace_back(input);
    EXPECT_EQ(inputs, std::vector<std::string>(proto.input().begin(), proto.input().end()));
    const auto attrs = attrs_of(*scanned);
    ASSERT_EQ(attrs.size(), static_cast<size_t>(proto.attr_size()));
    for (int at = 0; at < proto.attr_size(); ++at) {
      EXPECT_EQ(attrs[static_cast<size_t>(at)].key, proto.attr(at).key());
    }
  }
  EXPECT_GT(compared, 300);
}

TEST(Attributes, AreReadByTheirKind) {
  const std::string bytes = node("n", "Op", {},
                                 {{"b", bool_value(true)},
                                  {"i", int_value(-5)},
                                  {"s", string_value("text")},
                                  {"shape", shape_value("abc")},
                                  {"t", type_value(3)},
                                  {"value", tensor_value("xyz")}});
  const Node n = scanned(bytes);
  EXPECT_EQ(bool_attr(n, "b"), true);
  EXPECT_EQ(int_attr(n, "i"), -5);
  EXPECT_EQ(string_attr(n, "s"), "text");
  EXPECT_EQ(shape_attr(n, "shape"), "abc");
  EXPECT_EQ(type_attr(n, "t"), 3);
  EXPECT_EQ(tensor_attr(n, "value"), "xyz");
  EXPECT_EQ(attrs_of(n).size(), 6U);
}

TEST(Attributes, OfAnotherKindOrAbsentAreNotThere) {
  const std::string bytes =
      node("n", "Op", {}, {{"b", bool_value(true)}, {"s", string_value("x")}});
  const Node n = scanned(bytes);
  EXPECT_EQ(int_attr(n, "b"), std::nullopt);
  EXPECT_EQ(type_attr(n, "s"), std::nullopt);
  EXPECT_EQ(string_attr(n, "b"), std::nullopt);
  EXPECT_EQ(string_attr(n, "none"), std::nullopt);
  EXPECT_EQ(find_attr(n, "none"), std::nullopt);
}

TEST(Attributes, TheLastOfAKeyAndTheLastOfAValueCount) {
  const WireMessage first = WireMessage().bytes(1, "T").message(2, WireMessage().varint(6, 1));
  const WireMessage second =
      WireMessage().bytes(1, "T").message(2, WireMessage().varint(6, 2).varint(3, 9));
  const std::string bytes = serialise(WireMessage().message(5, first).message(5, second));
  EXPECT_EQ(type_attr(scanned(bytes), "T"), std::nullopt);
  EXPECT_EQ(int_attr(scanned(bytes), "T"), 9);
}

TEST(Colocations, AreTheNamesBehindLoc) {
  const std::string bytes = node(
      "n", "Op", {}, {{"_class", string_list_value({"loc:@w", "other", "loc:@", "loc:@a/b"})}});
  EXPECT_EQ(colocations(scanned(bytes)), (std::vector<std::string_view>{"w", "", "a/b"}));
  EXPECT_TRUE(colocations(scanned(node("n", "Op"))).empty());
}

TEST(FunctionsNamedBy, AreTheOpAndThoseOfAttributesHoweverDeep) {
  const auto function = [](std::string_view name, const WireMessage& inner = {}) {
    WireMessage list = WireMessage().bytes(1, std::string(name));
    if (!inner.fields.empty()) list.message(2, WireMessage().bytes(1, "f").message(2, inner));
    return list;
  };
  const WireMessage deep =
      WireMessage().message(10, function("outer", WireMessage().message(10, function("inner"))));
  const WireMessage branches = WireMessage().message(9, function("b0")).message(9, function("b1"));
  const std::string bytes = node("n", "Op", {},
                                 {{"branches", serialise(WireMessage().message(1, branches))},
                                  {"f", serialise(deep)},
                                  {"s", string_value("no function")}});
  EXPECT_EQ(functions_named_by(scanned(bytes)),
            (std::vector<std::string_view>{"Op", "b0", "b1", "outer", "inner"}));
}

}  // namespace
}  // namespace cryo
