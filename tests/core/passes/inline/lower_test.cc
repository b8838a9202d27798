#include "passes/inline/lower.h"

#include "functions.h"
#include "passes/inline/inline.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

Attrs with_funcs(Attrs attrs, const Attrs& functions) {
  for (const auto& [attr, function] : functions) attrs.emplace_back(attr, func_value(function));
  return attrs;
}

std::string loop_of(const Lines& inputs, const std::vector<int>& types) {
  return node("loop", "While", inputs,
              with_funcs({{"T", type_list_value(types)}, {"parallel_iterations", int_value(7)}},
                         {{"cond", "less"}, {"body", "step"}}));
}

// less(i, w) -> i < w. The body doubles i and hands w on.
const Functions kLoop = {
    body("less", {{"i", kFloat32}, {"w", kFloat32}}, {{"y", kBool, "lt:z:0"}},
         {typed("lt", "Less", {"i", "w"})}),
    body("step", {{"i", kFloat32}, {"w", kFloat32}},
         {{"j", kFloat32, "mul:z:0"}, {"v", kFloat32, "same:output:0"}},
         {typed("mul", "Mul", {"i", "i"}), typed("same", "Identity", {"w"})}),
};

struct Lowered {
  Lowered(const std::vector<std::string>& nodes, const Functions& functions,
          bool no_inline = false) {
    Model model{Kind::kGraphDef, "model.pb", {}, true, graph_of(Parts{nodes, functions})};
    Diagnostics diagnostics = {};
    result = lower_control_flow(model, only_outputs({"y"}), no_inline, &ops(), diagnostics);
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }
  bool has(const std::string& line) const {
    const Lines all = lines();
    return std::find(all.begin(), all.end(), line) != all.end();
  }

  Result<Model> result = failure("", "");
};

TEST(Lowered, ALoopGoesRoundThroughMergeSwitchAndNextIteration) {
  const Lowered lowered(
      {placeholder("x"), placeholder("w"), node("init", "NoOp"),
       loop_of({"x", "w", "^init"}, {1, 1}), typed("y", "Op", {"loop", "loop:1"})},
      kLoop);
  EXPECT_EQ(
      lowered.lines(),
      (Lines{
          "x = Placeholder()", "w = Placeholder()", "init = NoOp()", "loop/Enter = Enter(x, ^init)",
          "loop/Merge = Merge(loop/Enter, loop/NextIteration)", "loop/Enter_1 = Enter(w, ^init)",
          // The condition.
          "loop/cond/input_0 = Identity(loop/Merge)", "loop/cond/input_1 = Identity(loop/Enter_1)",
          "loop/cond/control_inputs = NoOp(^loop/cond/input_0, ^loop/cond/input_1)",
          "loop/cond/lt = Less(loop/cond/input_0, loop/cond/input_1)",
          "loop/LoopCond = LoopCond(loop/cond/lt)",
          "loop/Switch = Switch(loop/Merge, loop/LoopCond)", "loop/Exit = Exit(loop/Switch)",
          // The body.
          "loop/body/input_0 = Identity(loop/Switch:1)",
          "loop/body/input_1 = Identity(loop/Enter_1)",
          "loop/body/control_inputs = NoOp(^loop/body/input_0, ^loop/body/input_1)",
          "loop/body/mul = Mul(loop/body/input_0, loop/body/input_0)",
          "loop/body/same = Identity(loop/body/input_1)",
          "loop/NextIteration = NextIteration(loop/body/mul)", "y = Op(loop/Exit, w)"}));
  const Node round = find(lowered.result->graph, "loop/Enter");
  const Node same = find(lowered.result->graph, "loop/Enter_1");
  EXPECT_EQ(string_attr(round, "frame_name"), "loop");
  EXPECT_EQ(int_attr(round, "parallel_iterations"), 7);
  EXPECT_EQ(bool_attr(round, "is_constant"), false);
  EXPECT_EQ(bool_attr(same, "is_constant"), true);
}

TEST(Lowered, WhatALoopDoesBesidesIsDoneInEachRound) {
  Functions functions = kLoop;
  functions[1] =
      body("step", {{"i", kFloat32}, {"w", kFloat32}},
           {{"j", kFloat32, "mul:z:0"}, {"v", kFloat32, "w"}},
           {typed("mul", "Mul", {"i", "i"}), node("print", "PrintV2", {"i"})}, {"print"});
  const Lowered lowered(
      {placeholder("x"), placeholder("w"), loop_of({"x", "w"}, {1, 1}), typed("y", "Op", {"loop"})},
      functions);
  EXPECT_TRUE(lowered.has("loop/NextIteration = NextIteration(loop/body/mul, ^loop/body/print)"));
}

std::string if_of(const Lines& inputs, int type = kBool) {
  return node("pick", "If", inputs,
              with_funcs({{"Tcond", type_value(type)},
                          {"Tin", type_list_value({1})},
                          {"Tout", type_list_value({1})}},
                         {{"then_branch", "f"}, {"else_branch", "g"}}));
}

const Functions kBranches = {
    body("f", {{"a", kFloat32}}, {{"y", kFloat32, "r:activations:0"}}, {typed("r", "Relu", {"a"})}),
    body("g", {{"a", kFloat32}}, {{"y", kFloat32, "a"}}, {}),
};

TEST(Lowered, OneOfTwoBranchesRuns) {
  const Lowered lowered({placeholder("p"), placeholder("x"), node("init", "NoOp"),
                         if_of({"p", "x", "^init"}), typed("y", "Op", {"pick"})},
                        kBranches);
  for (const char* line :
       {"pick/index = Identity(p, ^init)", "pick/Switch = Switch(x, pick/index)",
        "pick/then/input_0 = Identity(pick/Switch:1)", "pick/then/r = Relu(pick/then/input_0)",
        "pick/else/input_0 = Identity(pick/Switch)",
        "pick/Merge = Merge(pick/then/r, pick/else/input_0)", "y = Op(pick/Merge)"}) {
    EXPECT_TRUE(lowered.has(line)) << line << "\n" << join(lowered.lines(), "\n");
  }
}

TEST(Lowered, AConditionOfAnotherTypeBecomesABool) {
  const Lowered lowered(
      {placeholder("p"), placeholder("x"), if_of({"p", "x"}, kFloat32), typed("y", "Op", {"pick"})},
      kBranches);
  EXPECT_TRUE(lowered.has("pick/Switch = Switch(x, pick/ToBool)"));
}

TEST(Lowered, ACaseAsksForOneBranchAfterTheOther) {
  std::string branches;
  for (const char* name : {"f", "g", "f"}) {
    put_bytes_field(branches, 9, last_bytes(func_value(name), 10));
  }
  std::string list;
  put_bytes_field(list, 1, branches);
  const Lowered lowered(
      {placeholder("i"), placeholder("x"),
       node("pick", "Case", {"i", "x"},
            {{"branches", list}, {"Tin", type_list_value({1})}, {"Tout", type_list_value({1})}}),
       typed("y", "Op", {"pick"})},
      kBranches);
  for (const char* line :
       {"pick/Equal = Equal(pick/index, pick/Const)", "pick/Const = Const(^pick/index)",
        "pick/Switch = Switch(x, pick/Equal)", "pick/Switch_1 = Switch(pick/Switch, pick/Equal_1)",
        "pick/Equal_1 = Equal(pick/not_taken, pick/Const_1)",
        "pick/branch_2/input_0 = Identity(pick/Switch_1)",
        "pick/Merge = Merge(pick/branch_0/r, pick/branch_1/input_0, pick/branch_2/r)"}) {
    EXPECT_TRUE(lowered.has(line)) << line << "\n" << join(lowered.lines(), "\n");
  }
}

TEST(Lowered, CallsAreInlinedUnlessToldOtherwise) {
  const std::vector<std::string> nodes = {placeholder("p"), placeholder("x"), if_of({"p", "x"}),
                                          call_of("c", "f", {"pick"}, {1}, {1}),
                                          typed("y", "Op", {"c"})};
  EXPECT_TRUE(Lowered(nodes, kBranches).has("c/r = Relu(pick/Merge)"));
  const Lowered calls(nodes, kBranches, true);
  EXPECT_TRUE(calls.has("c = PartitionedCall(pick/Merge)"));
  EXPECT_TRUE(calls.has("pick/then/r = Relu(pick/then/input_0)"));
}

TEST(Lowered, RefusesWhatDoesNotFitTogether) {
  EXPECT_EQ(Lowered({placeholder("x"), loop_of({"x"}, {1, 1}), typed("y", "Op", {"loop"})}, kLoop)
                .result.error()
                .code,
            "call-arguments");
  EXPECT_EQ(Lowered({placeholder("x"), loop_of({"x"}, {1}), typed("y", "Op", {"loop"})}, {})
                .result.error()
                .code,
            "unknown-function");
  Functions endless = kBranches;
  endless[1] = body("g", {{"a", kFloat32}}, {{"y", kFloat32, "pick:output:0"}},
                    {placeholder("p"), if_of({"p:output:0", "a"})});
  EXPECT_EQ(
      Lowered({placeholder("p"), placeholder("x"), if_of({"p", "x"}), typed("y", "Op", {"pick"})},
              endless)
          .result.error()
          .code,
      "recursive-function");
}

}  // namespace
}  // namespace cryo
