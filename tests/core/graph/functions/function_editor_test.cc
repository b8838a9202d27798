#include "graph/functions/function_editor.h"

#include "functions.h"

namespace cryo {
namespace {

TEST(FunctionEditor, PlacesMoveUpWhenArgumentsAreRemoved) {
  const std::vector<bool> removed = {false, true, false, true};
  std::vector<size_t> places;
  for (size_t place = 0; place < 6; ++place) places.push_back(place_after(removed, place));
  EXPECT_EQ(places, (std::vector<size_t>{0, 1, 1, 2, 2, 3}));
}

std::string shape_list(const std::vector<int64_t>& sizes) {
  tensorflow::AttrValue value;
  for (const int64_t size : sizes) value.mutable_list()->add_shape()->add_dim()->set_size(size);
  return value.SerializeAsString();
}

// All parts, and an unknown field.
TEST(FunctionEditor, KeepsWhatIsNotChanged) {
  tensorflow::FunctionDef function =
      body("f", {{"a", 1}}, {{"y", 1, "n:output:0"}}, {node("n", "Identity", {"a"})});
  function.mutable_signature()->set_is_stateful(true);
  function.add_attr()->set_key("_input_shapes");
  auto& control = *function.add_control_ret();
  control.set_key("done");
  control.set_value("n");
  function.add_arg_attr()->set_key(0);
  auto& id = *function.add_resource_arg_unique_id();
  id.set_key(0);
  id.set_value(7);
  std::string bytes = function.SerializeAsString();
  put_bytes_field(bytes, 1000, "unknown");
  EXPECT_EQ(FunctionEditor(scan_function(bytes)).finish(), bytes);
}

// Python's protobuf may write them backwards.
TEST(FunctionEditor, PartsKeepTheirOrder) {
  const std::string bytes =
      body("f", {{"a", 1}}, {{"y", 1, "n:output:0"}}, {node("n", "Identity", {"a"})})
          .SerializeAsString();
  std::string backwards;
  for (WireCursor cursor(bytes); cursor.next();) {
    backwards.insert(0, cursor.field().record);
  }
  EXPECT_EQ(FunctionEditor(scan_function(backwards)).finish(), backwards);
}

TEST(FunctionEditor, ALoopBodyLosesReturnsOfRemovedArguments) {
  const std::string bytes =
      body("f", {{"a", 1}, {"b", 1}}, {{"c", 1, "a"}, {"d", 1, "b"}}, {}).SerializeAsString();
  for (const bool is_loop_body : {false, true}) {
    FunctionEditor editor(scan_function(bytes));
    editor.remove_arguments({true, false}, is_loop_body);
    tensorflow::FunctionDef after;
    after.ParseFromString(editor.finish());
    ASSERT_EQ(after.signature().input_arg_size(), 1);
    EXPECT_EQ(after.signature().input_arg(0).name(), "b");
    EXPECT_EQ(after.signature().output_arg_size(), is_loop_body ? 1 : 2);
    EXPECT_EQ(after.ret_size(), is_loop_body ? 1 : 2);
    EXPECT_EQ(after.ret(after.ret_size() - 1).key(), "d");
  }
}

TEST(FunctionEditor, AnAddedArgumentHasAnUnknownShape) {
  tensorflow::FunctionDef function = body("f", {{"a", 1}}, {}, {});
  auto& attrs = *function.add_attr();
  attrs.set_key("_input_shapes");
  attrs.mutable_value()->ParseFromString(shape_list({1}));
  const std::string bytes = function.SerializeAsString();
  FunctionEditor editor(scan_function(bytes));
  editor.add_argument("w", DType::kInt32);
  tensorflow::FunctionDef after;
  after.ParseFromString(editor.finish());
  ASSERT_EQ(after.signature().input_arg_size(), 2);
  EXPECT_EQ(after.signature().input_arg(1).type(), tensorflow::DT_INT32);
  ASSERT_EQ(after.attr(0).value().list().shape_size(), 2);
  EXPECT_TRUE(after.attr(0).value().list().shape(1).unknown_rank());
}

std::string int_list(const std::vector<int64_t>& numbers) {
  tensorflow::AttrValue value;
  for (const int64_t number : numbers) value.mutable_list()->add_i(number);
  return value.SerializeAsString();
}

TEST(FunctionEditor, MovesAttributesOfArguments) {
  tensorflow::FunctionDef function = body("f", {{"a", 1}, {"b", 1}, {"c", 1}}, {}, {});
  auto& attrs = *function.add_attr();
  attrs.set_key("_input_shapes");
  attrs.mutable_value()->ParseFromString(shape_list({1, 2, 3}));
  for (const uint32_t place : {1U, 2U}) {
    auto& entry = *function.add_arg_attr();
    entry.set_key(place);
    auto& attr = *entry.mutable_value()->add_attr();
    attr.set_key("_user_specified_name");
    attr.mutable_value()->set_s(cat("arg ", place));
  }
  const Graph graph = graph_of(Parts{{}, {function}});
  FunctionEditor editor(graph.functions()[0]);
  editor.remove_arguments({false, true, false}, false);
  tensorflow::FunctionDef after;
  after.ParseFromString(editor.finish());
  EXPECT_EQ(after.signature().input_arg_size(), 2);
  EXPECT_EQ(after.attr(0).value().list().shape_size(), 2);
  EXPECT_EQ(after.attr(0).value().list().shape(1).dim(0).size(), 3);
  ASSERT_EQ(after.arg_attr_size(), 1);
  EXPECT_EQ(after.arg_attr(0).key(), 1U);
  EXPECT_EQ(after.arg_attr(0).value().attr(0).value().s(), "arg 2");
}

// An If's places count its condition.
TEST(ChangedCall, MovesPlacesOfResources) {
  const Graph graph = graph_of({node("y", "If", {"p", "a", "b", "c"},
                                     {{"Tin", type_list_value({1, 20, 20})},
                                      {"_read_only_resource_inputs", int_list({0, 2, 3})}})});
  const std::string made = changed_call(graph.nodes()[0], find_caller("If"), {"p", "a", "c"},
                                        {.removed = {false, true, false}});
  tensorflow::NodeDef now;
  now.ParseFromString(made);
  for (const auto& attr : now.attr()) {
    if (attr.key() == "Tin") {
      EXPECT_EQ(attr.value().list().type_size(), 2);
    }
    if (attr.key() != "_read_only_resource_inputs") continue;
    ASSERT_EQ(attr.value().list().i_size(), 2);
    EXPECT_EQ(attr.value().list().i(0), 0);
    EXPECT_EQ(attr.value().list().i(1), 2);
  }
}

}  // namespace
}  // namespace cryo
