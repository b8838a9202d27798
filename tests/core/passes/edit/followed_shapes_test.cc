#include "passes/edit/followed_shapes.h"

#include "checked.h"
#include "passes/edit/edit.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string noted(const std::vector<int64_t>& dims) {
  std::string list;
  put_bytes_field(list, list_field(AttrKind::kShape), shape_message(Shape{false, dims}));
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

std::string with_note(const std::string& name, std::string_view op, const Lines& inputs,
                      const std::vector<int64_t>& dims, Attrs attrs) {
  attrs.emplace_back("_output_shapes", noted(dims));
  return node(name, op, inputs, attrs);
}

// x [2,4] --> o: Tile(x, [3,1]) [6,4] --> y: Mul(o, scale) [6,4]        z: Mul(x, scale) [?,4]
Model tiled() {
  const Attrs floats = {{"T", type_value(kFloat32)}};
  const Attrs tile = {{"T", type_value(kFloat32)}, {"Tmultiples", type_value(kInt32)}};
  return model_of({placeholder("x", {2, 4}), ints("times", {3, 1}), constant("scale", {2.0F}, {}),
                   with_note("o", "Tile", {"x", "times"}, {6, 4}, tile),
                   with_note("y", "Mul", {"o", "scale"}, {6, 4}, floats),
                   with_note("z", "Mul", {"x", "scale"}, {-1, 4}, floats)});
}

Model with_constant(const std::string& value) {
  Diagnostics diagnostics;
  const auto made = edit(tiled(), nullptr, {.constants = {value}}, &ops(), diagnostics);
  EXPECT_TRUE(made.ok()) << failure_of(made);
  return made ? made->model : Model();
}

TEST(FollowedShapes, OfAConstantsNewValueAreTheInferredOnes) {
  const Model made = with_constant("times=[1,1]");
  EXPECT_EQ(find_attr(find(made.graph, "o"), "_output_shapes"), noted({2, 4}));
  EXPECT_EQ(find_attr(find(made.graph, "y"), "_output_shapes"), noted({2, 4}));
  EXPECT_TRUE(check_graph(made.graph, ops(), *made.payloads).valid());
}

TEST(FollowedShapes, StayWhereInferenceFindsThemAsBefore) {
  const Model made = with_constant("scale=3");
  for (const char* name : {"o", "y", "z"}) {
    EXPECT_EQ(find(made.graph, name).bytes, find(tiled().graph, name).bytes) << name;
  }
}

TEST(FollowedShapes, GoWhereNothingCanBeInferred) {
  Model model = tiled();
  const uint32_t times = model.graph.index().names().find("times");
  const Model made = with_followed_shapes(model, model, std::span(&times, 1), nullptr);
  EXPECT_FALSE(find_attr(find(made.graph, "o"), "_output_shapes"));
  EXPECT_TRUE(find_attr(find(made.graph, "z"), "_output_shapes"));
}

}  // namespace
}  // namespace cryo
