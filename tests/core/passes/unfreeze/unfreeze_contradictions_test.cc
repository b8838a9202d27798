// Constants that contradict themselves: un-freezing writes no graph that TensorFlow refuses.
#include <gtest/gtest.h>

#include "graphs.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/variables/variable_nodes.h"

namespace cryo {
namespace {

// y = BiasAdd(x, b), with an attribute of b set.
Model with_attr(const std::string& attr, const std::string& value) {
  const Model plain = model_of(
      {placeholder("x", {-1, 2}), constant("b", {5, 6}, {2}), node("y", "BiasAdd", {"x", "b"})});
  GraphBuilder builder{Graph()};
  for (const Node& each : plain.graph.nodes()) {
    NodeEditor editor(each);
    if (each.name == "b") editor.set_attr(attr, value);
    builder.add(editor.finish());
  }
  Model model = plain;
  model.graph = builder.finish();
  return model;
}

std::string noted(int64_t size) {
  tensorflow::AttrValue value;
  *value.mutable_list()->add_shape() = to_proto(Shape{false, {size}});
  return value.SerializeAsString();
}

TEST(UnfreezeContradictions, OfANotedShapeAreNotKept) {
  for (const char* style : {"ref", "resource"}) {
    UnfreezeOptions options;
    options.style = style;
    Diagnostics diagnostics;
    const auto wrong = unfreeze(with_attr("_output_shapes", noted(3)), options, diagnostics);
    ASSERT_TRUE(wrong.ok()) << failure_of(wrong);
    EXPECT_FALSE(find_attr(find(wrong->model.graph, "b"), "_output_shapes")) << style;
    EXPECT_FALSE(find_attr(find(wrong->model.graph, "b"), kValueShapesAttr)) << style;
    const auto right = unfreeze(with_attr("_output_shapes", noted(2)), options, diagnostics);
    ASSERT_TRUE(right.ok()) << failure_of(right);
    const Node b = find(right->model.graph, "b");
    EXPECT_TRUE(find_attr(b, "_output_shapes") || find_attr(b, kValueShapesAttr)) << style;
  }
}

TEST(UnfreezeContradictions, OfTheTypeAreRefused) {
  Diagnostics diagnostics;
  const auto made = unfreeze(with_attr("dtype", type_value(2)), {}, diagnostics);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "const-type");
}

}  // namespace
}  // namespace cryo
