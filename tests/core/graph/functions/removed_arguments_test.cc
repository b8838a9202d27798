#include "graph/functions/removed_arguments.h"

#include "functions.h"

namespace cryo {
namespace {

TEST(RemovedArguments, PlacesMoveUp) {
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

std::string int_list(const std::vector<int64_t>& numbers) {
  tensorflow::AttrValue value;
  for (const int64_t number : numbers) value.mutable_list()->add_i(number);
  return value.SerializeAsString();
}

TEST(RemovedArguments, AFunctionsAttributesOfArgumentsMoveToo) {
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
  const auto view = view_function(graph.functions()[0]);
  ASSERT_TRUE(view.ok());
  tensorflow::FunctionDef after;
  after.ParseFromString(
      without_arguments(graph.functions()[0], *view, {{false, true, false}, false}, {}, {}));
  EXPECT_EQ(after.signature().input_arg_size(), 2);
  EXPECT_EQ(after.attr(0).value().list().shape_size(), 2);
  EXPECT_EQ(after.attr(0).value().list().shape(1).dim(0).size(), 3);
  ASSERT_EQ(after.arg_attr_size(), 1);
  EXPECT_EQ(after.arg_attr(0).key(), 1U);
  EXPECT_EQ(after.arg_attr(0).value().attr(0).value().s(), "arg 2");
}

// An If's places count its condition.
TEST(RemovedArguments, PlacesOfResourcesMoveInACall) {
  const Graph graph = graph_of({node("y", "If", {"p", "a", "b", "c"},
                                     {{"Tin", type_list_value({1, 20, 20})},
                                      {"_read_only_resource_inputs", int_list({0, 2, 3})}})});
  const std::string made = call_without_arguments(graph.nodes()[0], find_caller("If"),
                                                  {"p", "a", "c"}, {false, true, false});
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
