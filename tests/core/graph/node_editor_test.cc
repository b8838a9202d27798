#include "graph/node_editor.h"

#include <gtest/gtest.h>

#include "files.h"
#include "graphs.h"
#include "proto/node_def.pb.h"
#include "wire_message.h"

namespace cryo {
namespace {

std::string again(const std::string& bytes) { return NodeEditor(*scan_node(bytes)).finish(); }

std::vector<std::string> keys(const std::string& bytes) {
  std::vector<std::string> all;
  const Result<Node> scanned = scan_node(bytes);
  for (const Attr& attr : attrs_of(*scanned)) all.emplace_back(attr.key);
  return all;
}

TEST(NodeEditor, WritesWhatProtobufWrites) {
  tensorflow::NodeDef proto;
  proto.set_name("n");
  proto.set_op("MatMul");
  proto.add_input("x");
  proto.add_input("^y");
  proto.set_device("/device:CPU:0");
  auto* attr = proto.add_attr();
  attr->set_key("T");
  attr->mutable_value()->set_type(tensorflow::DT_FLOAT);
  EXPECT_EQ(NodeEditor("n", "MatMul")
                .add_input("x")
                .add_input("^y")
                .set_device("/device:CPU:0")
                .set_attr("T", type_value(1))
                .finish(),
            proto.SerializeAsString());
}

TEST(NodeEditor, ChangesNothingOfANodeThatTensorFlowWrote) {
  int nodes = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(fixture(""))) {
    if (file.path().extension() != ".pb") continue;
    const auto graph = Graph::parse(file_bytes(file.path()));
    ASSERT_TRUE(graph.ok()) << file.path();
    for (const Node& each : graph->nodes()) {
      EXPECT_EQ(again(std::string(each.bytes)), each.bytes) << file.path() << " " << each.name;
      ++nodes;
    }
  }
  EXPECT_GT(nodes, 500);
}

TEST(NodeEditor, KeepsUnknownFieldsAndAttributesAsTheyLie) {
  // An attribute's value whose fields protobuf would put in another order, and an unknown field
  // behind.
  const std::string value = unhex("32 01 41 30 07 A2 06 02 6869");
  const std::string bytes = serialise(WireMessage()
                                          .bytes(1, "n")
                                          .bytes(2, "Op")
                                          .message(5, WireMessage().bytes(1, "z").bytes(2, value))
                                          .message(5, WireMessage().bytes(1, "a").bytes(2, value))
                                          .bytes(6, "debug")
                                          .varint(99, 5));
  EXPECT_EQ(again(bytes), bytes);
  // An attribute's entry may have fields other than key and value, which are kept when the value
  // changes.
  const auto more = [&](int64_t i) {
    return serialise(WireMessage().bytes(1, "n").message(
        5, WireMessage().bytes(1, "z").bytes(2, int_value(i)).varint(7, 8).bytes(9, "more")));
  };
  EXPECT_EQ(again(more(1)), more(1));
  const std::string old = more(1);
  EXPECT_EQ(NodeEditor(*scan_node(old)).set_attr("z", int_value(2)).finish(), more(2));
}

TEST(NodeEditor, ChangesWhatIsAskedFor) {
  const std::string bytes =
      node("n", "Op", {"x", "^y"}, {{"A", type_value(1)}, {"C", int_value(3)}});
  NodeEditor editor(*scan_node(bytes));
  editor.set_name("m").set_op("Other").inputs()[0] = "z:1";
  const std::string changed = editor.set_attr("C", int_value(4)).finish();
  EXPECT_EQ(described(*scan_node(changed)), "m = Other(z:1, ^y)");
  EXPECT_EQ(int_attr(*scan_node(changed), "C"), 4);
  EXPECT_EQ(keys(changed), (Lines{"A", "C"}));
}

TEST(NodeEditor, PutsNewAttributesWhereTheAlphabetHasThem) {
  NodeEditor editor("n", "Op");
  for (const char* key : {"b", "_class", "T", "a", "c"}) editor.set_attr(key, int_value(1));
  EXPECT_EQ(keys(editor.finish()), (Lines{"T", "_class", "a", "b", "c"}));
  editor.erase_attr("a").erase_attr("none").rename_attr("none", "x");
  EXPECT_EQ(keys(editor.finish()), (Lines{"T", "_class", "b", "c"}));
}

TEST(NodeEditor, LeavesARenamedAttributeInItsPlace) {
  const std::string bytes =
      node("n", "Identity", {"w"}, {{"T", type_value(1)}, {"_class", int_value(1)}});
  NodeEditor editor(*scan_node(bytes));
  EXPECT_EQ(keys(editor.rename_attr("T", "dtype").finish()), (Lines{"dtype", "_class"}));
  EXPECT_EQ(editor.rename_attr("dtype", "T").finish(), bytes);
  EXPECT_EQ(keys(editor.rename_attr("T", "_class").finish()), Lines{"_class"});
}

TEST(AttrValues, AreWhatProtobufReads) {
  const auto value = [](const std::string& bytes) {
    tensorflow::AttrValue proto;
    EXPECT_TRUE(proto.ParseFromString(bytes));
    EXPECT_EQ(proto.SerializeAsString(), bytes);
    return proto;
  };
  EXPECT_EQ(value(type_value(9)).type(), 9);
  EXPECT_EQ(value(int_value(-1)).i(), -1);
  EXPECT_EQ(value(bool_value(false)).value_case(), tensorflow::AttrValue::kB);
  EXPECT_EQ(value(string_value("")).value_case(), tensorflow::AttrValue::kS);
  EXPECT_EQ(value(shape_value(shape_bytes({2, 3}))).shape().dim(1).size(), 3);
  EXPECT_EQ(value(tensor_value("")).value_case(), tensorflow::AttrValue::kTensor);
  EXPECT_EQ(value(type_list_value({1, 3})).list().type(1), 3);
  EXPECT_EQ(value(type_list_value({})).value_case(), tensorflow::AttrValue::kList);
  EXPECT_EQ(value(string_list_value({"a", ""})).list().s_size(), 2);
}

}  // namespace
}  // namespace cryo
