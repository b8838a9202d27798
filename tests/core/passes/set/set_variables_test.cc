#include "passes/set/set_variables.h"

#include "functions.h"
#include "passes/set/set_values.h"

namespace cryo {
namespace {

constexpr int kBoolType = static_cast<int>(DType::kBool);

std::string flag_variable(std::string_view op) {
  Attrs attrs = {{"dtype", type_value(kBoolType)}, {"shape", shape_value(shape_bytes({}))}};
  if (op == "VarHandleOp") attrs.push_back({"shared_name", string_value("v")});
  return node("v", op, {}, attrs);
}

std::string flag_read(std::string_view name, std::string_view handle) {
  return node(name, "ReadVariableOp", {std::string(handle)}, {{"dtype", type_value(kBoolType)}});
}

Result<Model> set(const Lines& nodes, const std::string& value = "v=false") {
  Conversions converted;
  Diagnostics diagnostics;
  return with_set_values(model_of(nodes), {value}, {}, true, nullptr, converted, diagnostics);
}

Lines lines_of(const Result<Model>& model) {
  return model ? described(model->graph) : Lines{model.error().code};
}

TEST(SetVariables, ReadsTakeTheConstantAndUpdatesTheVariable) {
  EXPECT_EQ(lines_of(set({flag_variable("VariableV2"), placeholder("x"),
                          typed("assign", "Assign", {"v", "x"}, kBoolType),
                          typed("read", "Identity", {"v"}, kBoolType),
                          typed("not", "LogicalNot", {"v"})})),
            (Lines{"v = VariableV2()", "x = Placeholder()", "assign = Assign(v, x)",
                   "read = Identity(v/set)", "not = LogicalNot(v/set)", "v/set = Const()"}));
}

TEST(SetVariables, AReadOfAHandleBecomesAnIdentity) {
  EXPECT_EQ(lines_of(set({flag_variable("VarHandleOp"), flag_read("read", "v"),
                          node("asks", "VarIsInitializedOp", {"v"})})),
            (Lines{"v = VarHandleOp()", "read = Identity(v/set)", "asks = VarIsInitializedOp(v)",
                   "v/set = Const()"}));
}

// Its handle may be read within a loop: there the value has to enter, too.
TEST(SetVariables, TheValueTakesTheWayOfTheHandle) {
  const auto made = set({flag_variable("VarHandleOp"),
                         node("enter", "Enter", {"v"},
                              {{"T", type_value(kResource)}, {"frame_name", string_value("f")}}),
                         flag_read("read", "enter")});
  EXPECT_EQ(lines_of(made),
            (Lines{"v = VarHandleOp()", "enter = Enter(v)", "read = Identity(enter/set)",
                   "v/set = Const()", "enter/set = Enter(v/set)"}));
  EXPECT_EQ(type_attr(find(made->graph, "enter/set"), "T"), kBoolType);
}

TEST(SetVariables, FoldsTheBranchesOfTheVariable) {
  EXPECT_EQ(lines_of(set({flag_variable("VariableV2"), placeholder("x"),
                          typed("read", "Identity", {"v"}, kBoolType),
                          typed("s", "Switch", {"x", "read"}), typed("a", "Relu", {"s"}),
                          typed("b", "Elu", {"s:1"}), typed("y", "Merge", {"a", "b"})})),
            (Lines{"v = VariableV2()", "x = Placeholder()", "read = Identity(v/set)",
                   "s = Identity(x)", "a = Relu(s)", "y = Identity(a)", "v/set = Const()"}));
}

TEST(SetVariables, NodesThatNeedTheVariableItselfAreFound) {
  const auto made = set({flag_variable("VarHandleOp"), node("takes", "ResourceGather", {"v"}),
                         flag_read("read", "v"), node("asks", "VarIsInitializedOp", {"v"})});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(values_taken_of(made->graph, {"v"}), Lines{"takes"});
}

TEST(SetVariables, AConstantGetsAnotherValueOfItsShape) {
  Conversions converted;
  Diagnostics diagnostics;
  const Model model = model_of({constant("c", {1, 2}, {2})});
  const auto made = with_set_values(model, {"c=[3,4]"}, {}, true, nullptr, converted, diagnostics);
  ASSERT_TRUE(made.ok());
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(find(made->graph, "c"), "value").value_or(""), *made->payloads);
  EXPECT_EQ(floats(tensor), (std::vector<float>{3, 4}));
  const auto other = with_set_values(model, {"c=[3]"}, {}, true, nullptr, converted, diagnostics);
  EXPECT_EQ(other.error().code, "wrong-shape");
}

}  // namespace
}  // namespace cryo
