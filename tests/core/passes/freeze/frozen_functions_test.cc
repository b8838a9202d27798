#include "passes/freeze/frozen_functions.h"

#include "functions.h"
#include "only_model.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

struct FrozenFunctions {
  FrozenFunctions(const std::vector<std::string>& nodes, const Functions& functions,
                  const Lines& outputs = {"y"}) {
    Model model{Kind::kMetaGraph, "model.meta", {}, true, graph_of(Parts{nodes, functions})};
    model.checkpoint = checkpoint_of({{"v", {3, 4}}, {"w", {1, 2}}});
    result = only_model(freeze(model, {.selection = {.outputs = outputs}}, {}, diagnostics));
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }
  Lines function(std::string_view name) const { return described(result->graph, name); }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

std::string while_of(const Lines& inputs, const std::vector<int>& types) {
  return node("loop", "While", inputs,
              {{"T", type_list_value(types)},
               {"body", func_value("body_12")},
               {"cond", func_value("cond_7")}});
}

std::vector<int> types_of(const Node& node, std::string_view attr) {
  std::vector<int> types;
  AttrValue(find_attr(node, attr).value_or("")).each_number(AttrKind::kType, [&](int64_t type) {
    types.push_back(static_cast<int>(type));
  });
  return types;
}

// i, w -> i * w, w.
const tensorflow::FunctionDef kBody =
    body("body_12", {{"i", kFloat32}, {"w", kResource}},
         {{"i_out", kFloat32, "mul:z:0"}, {"w_out", kResource, "w"}},
         {read_of("read", "w"), typed("mul", "Mul", {"i", "read:value:0"})});
const tensorflow::FunctionDef kCond =
    body("cond_7", {{"i", kFloat32}, {"w", kResource}}, {{"less", kBool, "less:z:0"}},
         {constant("five", {5}, {}), typed("less", "Less", {"i", "five:output:0"})});

TEST(FrozenFunctions, LoopsAreHandedTheValueAndHandItOn) {
  const FrozenFunctions frozen({placeholder("x"), variable("w", {2}, "VarHandleOp"),
                                while_of({"x", "w"}, {kFloat32, kResource}),
                                read_of("after", "loop:1"), typed("y", "Add", {"loop", "after"})},
                               {kCond, kBody});
  ASSERT_EQ(frozen.lines(), (Lines{"x = Placeholder()", "w = Const()", "loop = While(x, w)",
                                   "after = Identity(loop:1)", "y = Add(loop, after)"}));
  const Node loop = find(frozen.result->graph, "loop");
  EXPECT_EQ(types_of(loop, "T"), (std::vector<int>{kFloat32, kFloat32}));
  EXPECT_EQ(functions_named_by(loop),
            (std::vector<std::string_view>{"While", "body_frozen_1", "cond_frozen_0"}));
  EXPECT_EQ(frozen.function("body_frozen_1"),
            (Lines{"i: 1", "w: 1", "read = Identity(w)", "mul = Mul(i, read:output:0)",
                   "return i_out = mul:z:0", "return w_out = w"}));
  EXPECT_EQ(frozen.function("body_12"), (Lines{"no function body_12"})) << "nobody needs it now";
}

TEST(FrozenFunctions, AreSharedByCallersOfTheSameKindAndKeptForOthers) {
  const auto times =
      body("times", {{"a", kFloat32}, {"h", kResource}}, {{"r", kFloat32, "mul:z:0"}},
           {read_of("read", "h"), typed("mul", "Mul", {"a", "read:value:0"})});
  const FrozenFunctions frozen(
      {placeholder("x"), variable("v", {2}, "VarHandleOp"), variable("w", {2}, "VarHandleOp"),
       node("other", "Other", {}),
       call_of("p", "times", {"x", "v"}, {kFloat32, kResource}, {kFloat32}),
       call_of("q", "times", {"p", "w"}, {kFloat32, kResource}, {kFloat32}),
       call_of("y", "times", {"q", "other"}, {kFloat32, kResource}, {kFloat32})},
      {times});
  const Graph& graph = frozen.result->graph;
  EXPECT_EQ(functions_named_by(find(graph, "p"))[1], "times_frozen_0");
  EXPECT_EQ(functions_named_by(find(graph, "q"))[1], "times_frozen_0");
  EXPECT_EQ(functions_named_by(find(graph, "y"))[1], "times");
  EXPECT_EQ(types_of(find(graph, "y"), "Tin"), (std::vector<int>{kFloat32, kResource}));
  EXPECT_EQ(graph.functions().size(), 2U);
}

TEST(FrozenFunctions, ReadEachWayOfReadingInABody) {
  const auto all = body("all", {{"i", kInt32}, {"h", kResource}},
                        {{"g", kFloat32, "g:output:0"},
                         {"n", kFloat32, "n:output:0"},
                         {"s", kInt32, "s:output:0"},
                         {"b", kBool, "b:is_initialized:0"}},
                        {node("same", "Identity", {"h"}, {{"T", type_value(kResource)}}),
                         node("g", "ResourceGather", {"same:output:0", "i"},
                              {{"dtype", type_value(1)}, {"Tindices", type_value(3)}}),
                         node("n", "ResourceGatherNd", {"h", "i"},
                              {{"dtype", type_value(1)}, {"Tindices", type_value(3)}}),
                         node("s", "VariableShape", {"h"}, {{"out_type", type_value(3)}}),
                         node("b", "VarIsInitializedOp", {"h"})});
  const FrozenFunctions frozen(
      {node("i", "Placeholder", {}, {{"dtype", type_value(3)}}), variable("w", {2}, "VarHandleOp"),
       call_of("y", "all", {"i", "w"}, {kInt32, kResource}, {1, 1, 3, 10})},
      {all});
  ASSERT_TRUE(frozen.result.ok()) << failure_of(frozen.result);
  EXPECT_EQ(frozen.function("all_frozen_0"),
            (Lines{"i: 3", "h: 1", "same = Identity(h)", "g/axis = Const()",
                   "g = GatherV2(same:output:0, i, g/axis:output:0)", "n = GatherNd(h, i)",
                   "s = Shape(h)", "b = Const()", "return g = g:output:0", "return n = n:output:0",
                   "return s = s:output:0", "return b = b:output:0"}));
}

TEST(FrozenFunctions, FollowHandlesThroughBranchesInLoops) {
  const auto branch = [](const char* name) {
    return body(name, {{"h", kResource}}, {{"r", kFloat32, "read:value:0"}},
                {read_of("read", "h")});
  };
  const auto loop_body =
      body("body_12", {{"i", kFloat32}, {"w", kResource}},
           {{"i_out", kFloat32, "if:output:0"}, {"w_out", kResource, "same:output:0"}},
           {node("if", "If", {"i", "w"},
                 {{"Tcond", type_value(1)},
                  {"Tin", type_list_value({kResource})},
                  {"Tout", type_list_value({kFloat32})},
                  {"else_branch", func_value("no")},
                  {"then_branch", func_value("yes")}}),
            node("same", "Identity", {"w"}, {{"T", type_value(kResource)}})});
  const FrozenFunctions frozen(
      {placeholder("x"), variable("w", {2}, "VarHandleOp"),
       while_of({"x", "w"}, {kFloat32, kResource}), typed("y", "Relu", {"loop"})},
      {kCond, loop_body, branch("yes"), branch("no")});
  ASSERT_TRUE(frozen.result.ok()) << failure_of(frozen.result);
  EXPECT_EQ(frozen.result->graph.functions().size(), 4U);
  for (const Function& function : frozen.result->graph.functions()) {
    const auto nodes = body_nodes(function);
    for (const Node& each : *nodes) EXPECT_NE(each.op, "ReadVariableOp");
    const OpDef signature = read_op_def(last_bytes(function.bytes, 1));
    for (const ArgDef& arg : signature.inputs) {
      EXPECT_EQ(arg.type, DType::kFloat) << function.name;
    }
  }
}

TEST(FrozenFunctions, RefuseAChangeAndNameTheNodeTheFunctionAndThePath) {
  auto changing = kBody;
  changing.add_node_def()->ParseFromString(
      node("grow", "AssignAddVariableOp", {"w", "i"}, {{"dtype", type_value(1)}}));
  const FrozenFunctions frozen(
      {placeholder("x"), variable("v", {2}, "VarHandleOp"), variable("w", {2}, "VarHandleOp"),
       read_of("v/Read", "v"), while_of({"v/Read", "w"}, {kFloat32, kResource}),
       typed("y", "Relu", {"loop"})},
      {kCond, changing});
  ASSERT_FALSE(frozen.result.ok());
  const Diagnostic& error = frozen.result.error();
  EXPECT_EQ(error.code, "variable-in-use");
  EXPECT_EQ(error.where.function, "body_12");
  EXPECT_EQ(error.where.node, "grow");
  EXPECT_EQ(error.message,
            "the variable 'w' cannot become a constant: AssignAddVariableOp 'grow' of function "
            "'body_12' changes it, and an output needs that: loop -> y");
}

TEST(FrozenFunctions, RefuseWhatTheyCannotFollow) {
  const std::vector<std::string> nodes = {placeholder("x"), variable("w", {2}, "VarHandleOp"),
                                          while_of({"x", "w"}, {kFloat32, kResource}),
                                          typed("y", "Relu", {"loop"})};
  EXPECT_EQ(FrozenFunctions(nodes, {kCond}).result.error().code, "unknown-function");
  auto swapped = kBody;
  swapped.mutable_ret(1)->set_value("lost:output:0");
  EXPECT_NE(failure_of(FrozenFunctions(nodes, {kCond, swapped}).result).find("from turn to turn"),
            std::string::npos);
  auto itself = kBody;
  itself.add_node_def()->ParseFromString(node("in", "body_12", {"i", "w"}));
  EXPECT_EQ(FrozenFunctions(nodes, {kCond, itself}).result.error().code, "recursive-function");
  auto few = kBody;
  few.mutable_signature()->mutable_input_arg()->RemoveLast();
  EXPECT_EQ(FrozenFunctions(nodes, {kCond, few}).result.error().code, "call-arguments");
}

}  // namespace
}  // namespace cryo
