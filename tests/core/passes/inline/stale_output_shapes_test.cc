#include "passes/inline/stale_output_shapes.h"

#include "functions.h"
#include "only_model.h"
#include "validate/check_graph.h"
#include "verbs/freeze.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string shapes(const std::vector<int64_t>& dims) {
  std::string list;
  put_bytes_field(list, fields::AttrValue::ListValue::kShape, shape_message(Shape{false, dims}));
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

// x [?,3] -> a call of f(a) -> Relu(a), whose node is annotated with a shape.
Result<Model> frozen(const std::vector<int64_t>& annotated) {
  const auto f = body(
      "f", {{"a", kFloat32}}, {{"y", kFloat32, "relu:activations:0"}},
      {node("relu", "Relu", {"a"}, {{"T", type_value(1)}, {"_output_shapes", shapes(annotated)}})});
  Model model{Kind::kSavedModel,
              "model",
              {},
              true,
              graph_of(Parts{{placeholder("x", {-1, 3}), call_of("c", "f", {"x"}, {1}, {1}),
                              typed("y", "Identity", {"c"})},
                             {f}})};
  Diagnostics diagnostics;
  return only_model(freeze(model, {.selection = {.outputs = {"y"}}}, OpData{&ops()}, diagnostics));
}

bool is_annotated(const Result<Model>& made) {
  const uint32_t relu = made->graph.index().names().find("c/relu");
  return relu != kNoNode && find_attr(made->graph.nodes()[relu], "_output_shapes").has_value();
}

TEST(StaleOutputShapes, GoWhereABodyBroughtThem) {
  const auto made = frozen({-1, 4});
  EXPECT_FALSE(is_annotated(made));
  EXPECT_TRUE(check_graph(made->graph, ops(), *made->payloads).valid());
}

TEST(StaleOutputShapes, RightOnesStay) { EXPECT_TRUE(is_annotated(frozen({5, 3}))); }

}  // namespace
}  // namespace cryo
