#include "passes/tf_compat/import_graph_def.h"

#include "checked.h"

namespace cryo {
namespace {

std::vector<std::string> attr_names(const std::string& node_def) {
  std::vector<std::string> names;
  for (const Attr& attr : attrs_of(*scan_node(node_def))) names.emplace_back(attr.key);
  return names;
}

// A MetaGraphDef whose stripped_op_list has one op with one attribute, by default 1.
std::string meta_of(std::string_view op, std::string_view attr) {
  const auto field = [](uint32_t number, std::string_view bytes) {
    std::string out;
    put_bytes_field(out, number, bytes);
    return out;
  };
  const std::string attr_def = field(1, attr) + field(2, "int") + field(3, int_value(1));
  const std::string op_def = field(1, op) + field(4, attr_def);
  return field(1, field(2, field(1, op_def)));
}

TEST(SessionImport, AddsDefaultsAndTakesDevicesOut) {
  const Model model = model_of({});
  NodeEditor editor("mm", "MatMul");
  editor.set_device("/gpu:0").set_attr("T", type_value(1)).set_attr("transpose_a", "");
  const std::string given = editor.finish();
  const std::string made = SessionImport(model, ops()).imported(*scan_node(given));
  EXPECT_EQ(device_of(*scan_node(made)), "");
  EXPECT_EQ(bool_attr(*scan_node(made), "transpose_a"), false);
  EXPECT_EQ(bool_attr(*scan_node(made), "transpose_b"), false);
  EXPECT_EQ(type_attr(*scan_node(made), "T"), 1);
}

TEST(SessionImport, LeavesOpsThatItDoesNotKnow) {
  const Model model = model_of({});
  const std::string given = node("f", "their_function", {"x"}, {{"a", int_value(1)}});
  EXPECT_EQ(SessionImport(model, ops()).imported(*scan_node(given)), given);
}

TEST(SessionImport, TakesOutDefaultsOfALaterTensorFlow) {
  Model model = model_of({});
  model.meta = meta_of("NoOp", "new");
  const std::string by_default = node("a", "NoOp", {}, {{"new", int_value(1)}});
  const std::string other = node("a", "NoOp", {}, {{"new", int_value(2)}});
  const SessionImport import(model, ops());
  EXPECT_EQ(attr_names(import.imported(*scan_node(by_default))), std::vector<std::string>{});
  EXPECT_EQ(attr_names(import.imported(*scan_node(other))), std::vector<std::string>{"new"});
  // freeze_graph does not hand a SavedModel's list on.
  model.kind = Kind::kSavedModel;
  EXPECT_EQ(attr_names(SessionImport(model, ops()).imported(*scan_node(by_default))),
            std::vector<std::string>{"new"});
}

}  // namespace
}  // namespace cryo
