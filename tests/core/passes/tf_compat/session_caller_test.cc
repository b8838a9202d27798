#include "passes/tf_compat/session_caller.h"

#include "functions.h"

namespace cryo {
namespace {

std::string func_list(const Lines& names) {
  std::string list;
  for (const std::string& name : names) {
    std::string func;
    put_bytes_field(func, 1, name);
    put_bytes_field(list, 9, func);
  }
  std::string value;
  put_bytes_field(value, 1, list);
  return value;
}

TEST(SessionCaller, KnowsWhichInputIsAnArgument) {
  EXPECT_EQ(find_session_caller("StatelessIf")->first, 1U);
  EXPECT_EQ(find_session_caller("While")->inputs, "T");
  // TensorFlow does not follow this one.
  EXPECT_EQ(find_session_caller("StatelessCase"), nullptr);
}

TEST(SessionCaller, RenamesOneFunctionOrAList) {
  const std::map<std::string, std::string> names = {{"f", "f_frozen_0"}, {"h", "h_frozen_1"}};
  const std::string one = node("a", "Op", {}, {{"f", renamed_functions(func_value("f"), names)}});
  EXPECT_EQ(functions_in(*scan_node(one), "f"), Lines{"f_frozen_0"});
  const std::string all =
      node("a", "Op", {}, {{"f", renamed_functions(func_list({"f", "g", "h"}), names)}});
  EXPECT_EQ(functions_in(*scan_node(all), "f"), (Lines{"f_frozen_0", "g", "h_frozen_1"}));
  EXPECT_EQ(functions_in(*scan_node(all), "none"), Lines{});
}

TEST(SessionCaller, PutsAShapeInAList) {
  std::string list, value;
  put_bytes_field(list, 7, shape_bytes({}));
  put_bytes_field(list, 7, shape_bytes({}));
  put_bytes_field(value, 1, list);
  const auto made = with_shape(value, 1, Shape{false, {5}});
  Lines shapes;
  AttrValue(*made).each_bytes(AttrKind::kShape,
                              [&](std::string_view shape) { shapes.emplace_back(shape); });
  EXPECT_EQ(shapes, (Lines{shape_bytes({}), shape_bytes({5})}));
  EXPECT_FALSE(with_shape("", 0, Shape{}));
}

}  // namespace
}  // namespace cryo
