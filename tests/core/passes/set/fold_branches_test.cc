#include "passes/set/fold_branches.h"

#include <gtest/gtest.h>

#include "functions.h"
#include "graphs.h"
#include "only_model.h"
#include "passes/inline/inline.h"
#include "passes/set/set_values.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

std::string switched(std::string_view name, const Lines& inputs, std::string_view op = "Switch") {
  return node(name, op, inputs, {{"T", type_value(1)}, {"_output_shapes", string_list_value({})}});
}

std::string merge(std::string_view name, const Lines& inputs, std::string_view op = "Merge") {
  return node(name, op, inputs,
              {{"N", int_value(static_cast<int64_t>(inputs.size()))}, {"T", type_value(1)}});
}

std::string asked(std::string_view name, int type = kBool) {
  return node(name, "Placeholder", {}, {{"dtype", type_value(type)}});
}

std::string bools(std::string_view name, std::string_view op, const Lines& inputs) {
  return node(name, op, inputs);
}

struct Set {
  Set(const Model& model, const Lines& values, const Lines& outputs = {}) {
    const PruneOptions options{.selection = {.outputs = outputs}, .set = values};
    Conversions converted;
    result = outputs.empty()
                 ? with_set_values(model, values, {}, true, nullptr, converted, diagnostics)
                 : only_model(prune(model, options, nullptr, diagnostics));
  }
  Set(const std::vector<std::string>& nodes, const Lines& values, const Lines& outputs = {})
      : Set(model_of(nodes), values, outputs) {}
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

// The graph of tf.cond: pivots, a Switch for each outer tensor, constants with a control input on
// their pivot.
const std::vector<std::string> kCond = {
    asked("p"),
    placeholder("x"),
    switched("cond/Switch", {"p", "p"}),
    typed("cond/switch_t", "Identity", {"cond/Switch:1"}),
    typed("cond/switch_f", "Identity", {"cond/Switch"}),
    typed("cond/pred_id", "Identity", {"p"}),
    switched("x_f", {"x", "cond/pred_id"}),
    switched("x_t", {"x", "cond/pred_id"}),
    node("two", "Const", {"^cond/switch_t"}),
    node("then", "Mul", {"x_t:1", "two"}),
    node("else", "Neg", {"x_f"}),
    merge("m", {"else", "then"}),
    node("y", "Op", {"m"}),
};

TEST(Decide, LeavesTheLivingBranchAlone) {
  EXPECT_EQ(Set(kCond, {"p=true"}, {"y"}).lines(),
            (Lines{"x = Placeholder()", "x_t = Identity(x)", "two = Const()",
                   "then = Mul(x_t, two)", "m = Identity(then)", "y = Op(m)"}));
  EXPECT_EQ(Set(kCond, {"p:0=0"}, {"y"}).lines(),
            (Lines{"x = Placeholder()", "x_f = Identity(x)", "else = Neg(x_f)",
                   "m = Identity(else)", "y = Op(m)"}));
}

TEST(Decide, MakesWholeNodesOfSwitchAndMerge) {
  const Set set(kCond, {"p=true"});
  for (const char* name : {"x_t", "m"}) {
    EXPECT_EQ(type_attr(find(set.result->graph, name), "T"), kFloat32) << name;
    EXPECT_FALSE(find_attr(find(set.result->graph, name), "N")) << name;
    EXPECT_FALSE(find_attr(find(set.result->graph, name), "_output_shapes")) << name;
  }
}

TEST(Decide, WithoutValuesIsTheModelItself) {
  const Model model = model_of(kCond);
  EXPECT_EQ(Set(model, {}).result->graph.skeleton(), model.graph.skeleton());
}

TEST(Decide, FollowsTheConditionThroughLogic) {
  const auto value_of_s = [](const std::vector<std::string>& logic) {
    std::vector<std::string> nodes = {asked("p"),
                                      asked("q"),
                                      placeholder("x"),
                                      switched("s", {"x", "c"}),
                                      node("no", "Op", {"s"}),
                                      node("yes", "Op", {"s:1"})};
    nodes.insert(nodes.end(), logic.begin(), logic.end());
    const Set set(nodes, {"p=true"});
    const auto has = [&](const char* name) {
      const auto& all = set.result->graph.nodes();
      return std::any_of(all.begin(), all.end(), [&](const Node& n) { return n.name == name; });
    };
    return std::string(has("yes") ? "yes" : "") + (has("no") ? "no" : "");
  };
  EXPECT_EQ(value_of_s({bools("c", "LogicalNot", {"p"})}), "no");
  EXPECT_EQ(value_of_s({bools("c", "LogicalAnd", {"p", "q"})}), "yesno");
  EXPECT_EQ(value_of_s({bools("c", "LogicalOr", {"q", "p"})}), "yes");
  EXPECT_EQ(value_of_s({bools("n", "LogicalNot", {"p"}), bools("c", "LogicalAnd", {"q", "n"})}),
            "no");
  EXPECT_EQ(value_of_s({bools("n", "LogicalNot", {"p"}), bools("c", "NotEqual", {"p", "n"})}),
            "yes");
  EXPECT_EQ(value_of_s({node("c", "PlaceholderWithDefault", {"p"}, {{"dtype", type_value(10)}})}),
            "yes");
  EXPECT_EQ(value_of_s({bools("c", "Any", {"p"})}), "yesno");
  const std::string number =
      node("n", "Cast", {"p"}, {{"SrcT", type_value(kBool)}, {"DstT", type_value(kFloat32)}});
  EXPECT_EQ(value_of_s({number, constant("half", {0.5F}, {}), bools("c", "Less", {"n", "half"})}),
            "no");
}

TEST(Decide, OfADeadNodeAllThatWaitsForItIsDead) {
  const Set set({asked("p"), placeholder("x"), switched("s", {"x", "p"}),
                 node("dead", "Op", {"s:1"}), node("waits", "Const", {"^dead"}),
                 node("uses", "Op", {"x", "waits"}), node("trigger", "ControlTrigger", {"^dead"}),
                 node("after", "Op", {"s", "^s"}), merge("m", {"uses", "after", "^dead"})},
                {"p=false"});
  EXPECT_EQ(set.lines(),
            (Lines{"p = Const()", "x = Placeholder()", "s = Identity(x)",
                   "trigger = ControlTrigger()", "after = Op(s, ^s)", "m = Identity(after)"}));
}

TEST(Decide, OfAMergeOnlyTheDataSaysWhetherItLives) {
  const Set set({asked("p"), placeholder("x"), switched("s", {"x", "p"}), node("live", "NoOp"),
                 merge("m", {"s:1", "^live"}), node("y", "Op", {"m"})},
                {"p=false"});
  EXPECT_EQ(set.lines(),
            (Lines{"p = Const()", "x = Placeholder()", "s = Identity(x)", "live = NoOp()"}));
}

TEST(Decide, TellsWhichInputAMergeTook) {
  std::vector<std::string> nodes = kCond;
  nodes.push_back(node("which", "Op", {"m:1", "m"}));
  const Set set(nodes, {"p=true"}, {"which"});
  ASSERT_TRUE(set.result.ok());
  EXPECT_EQ(described(find(set.result->graph, "m/value_index")), "m/value_index = Const(^m)");
  EXPECT_EQ(described(find(set.result->graph, "which")), "which = Op(m/value_index, m)");
  const auto index = read_tensor(*tensor_attr(find(set.result->graph, "m/value_index"), "value"),
                                 *set.result->payloads);
  EXPECT_EQ(*index->content.read_all(), std::string("\1\0\0\0", 4));
}

TEST(Decide, OfSeveralInputsOfAMergeTheDeadOnesGo) {
  const std::vector<std::string> nodes = {asked("p"),
                                          asked("q"),
                                          placeholder("x"),
                                          switched("s", {"x", "p"}),
                                          switched("r", {"x", "q"}),
                                          merge("m", {"s:1", "r", "r:1"}),
                                          node("i", "Op", {"m:1"})};
  const Set set({nodes.begin(), nodes.end() - 1}, {"p=false"});
  EXPECT_EQ(described(find(set.result->graph, "m")), "m = Merge(r, r:1)");
  EXPECT_EQ(int_attr(find(set.result->graph, "m"), "N"), 2);
  EXPECT_EQ(failure_of(Set(nodes, {"p=false"}).result).substr(0, 12), "merge-index:");
}

// A condition within another's branch: what is decided must still die with that branch.
TEST(Decide, KeepsWhatMakesANestedBranchDie) {
  const std::vector<std::string> nodes = {asked("p"),
                                          asked("q"),
                                          placeholder("x"),
                                          switched("p_in", {"p", "q"}),
                                          typed("pred_id", "Identity", {"p_in:1"}),
                                          switched("s", {"x", "pred_id"}),
                                          switched("bare", {"x", "p_in:1"}),
                                          node("a", "Op", {"s:1", "bare:1"}),
                                          switched("q_x", {"x", "q"}),
                                          merge("y", {"q_x", "a"})};
  EXPECT_EQ(
      Set(nodes, {"p=true"}, {"y"}).lines(),
      (Lines{"p = Const()", "q = Placeholder()", "x = Placeholder()", "p_in = Switch(p, q)",
             "pred_id = Identity(p_in:1)", "s = Identity(x, ^pred_id)", "bare = Switch(x, p_in:1)",
             "a = Op(s, bare:1)", "q_x = Switch(x, q)", "y = Merge(q_x, a)"}));
}

TEST(Decide, LeavesLoopsWhole) {
  const std::vector<std::string> nodes = {
      asked("p"),
      placeholder("x"),
      node("enter_p", "Enter", {"p"}),
      node("enter", "Enter", {"x"}),
      merge("merge", {"enter", "next"}),
      node("less", "Less", {"merge"}),
      node("cond", "LoopCond", {"less"}),
      switched("loop", {"merge", "cond"}),
      switched("in", {"loop:1", "enter_p"}),
      node("then", "Op", {"in:1"}),
      node("else", "Neg", {"in"}),
      merge("chosen", {"else", "then"}),
      node("next", "NextIteration", {"chosen"}),
      node("y", "Exit", {"loop"}),
  };
  const Set set(nodes, {"p=true"}, {"y"});
  EXPECT_EQ(described(find(set.result->graph, "merge")), "merge = Merge(enter, next)");
  EXPECT_EQ(described(find(set.result->graph, "loop")), "loop = Switch(merge, cond)");
  EXPECT_EQ(described(find(set.result->graph, "in")), "in = Identity(loop:1)");
  EXPECT_EQ(described(find(set.result->graph, "chosen")), "chosen = Identity(then)");
}

// The Merge of a loop is one, if it never comes round.
TEST(Decide, OfALoopThatNeverComesRoundTheMergeStays) {
  const Set set(
      {asked("p"), placeholder("x"), node("enter_p", "Enter", {"p"}), node("enter", "Enter", {"x"}),
       merge("merge", {"enter", "next"}), switched("s", {"merge", "enter_p"}),
       node("next", "NextIteration", {"s:1"}), node("y", "Exit", {"s"})},
      {"p=false"}, {"y"});
  EXPECT_EQ(set.lines(), (Lines{"x = Placeholder()", "enter = Enter(x)", "merge = Merge(enter)",
                                "s = Identity(merge)", "y = Exit(s)"}));
  EXPECT_EQ(int_attr(find(set.result->graph, "merge"), "N"), 1);
}

TEST(Decide, OfALoopThatNeverBeginsNothingIsLeft) {
  const Set set(
      {asked("p"), placeholder("x"), switched("s", {"x", "p"}), node("enter", "Enter", {"s"}),
       merge("merge", {"enter", "next"}), node("next", "NextIteration", {"merge"}),
       node("exit", "Exit", {"merge"}), merge("y", {"exit", "s:1"})},
      {"p=true"});
  EXPECT_EQ(set.lines(),
            (Lines{"p = Const()", "x = Placeholder()", "s = Identity(x)", "y = Identity(s)"}));
}

TEST(Decide, MakesReferenceOpsOfReferenceOps) {
  const Set set({asked("p"), variable("w", {2}), switched("s", {"w", "p"}, "RefSwitch"),
                 merge("m", {"s", "s:1"}, "RefMerge"), node("y", "Op", {"m"})},
                {"p=true"}, {"y"});
  EXPECT_EQ(set.lines(),
            (Lines{"w = VariableV2()", "s = RefIdentity(w)", "m = RefIdentity(s)", "y = Op(m)"}));
}

TEST(Decide, TakesTheChosenOperandOfASelect) {
  EXPECT_EQ(
      Set({asked("p"), placeholder("a"), placeholder("b"), typed("y", "Select", {"p", "a", "b"})},
          {"p=false"}, {"y"})
          .lines(),
      (Lines{"b = Placeholder()", "y = Identity(b)"}));
}

// SelectV2 gives the shape that both operands have together.
TEST(Decide, TakesTheOperandOfASelectV2OnlyWhereNothingIsBroadcast) {
  const auto chosen = [](const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    const Set set({asked("p"), placeholder("a", a), placeholder("b", b),
                   typed("y", "SelectV2", {"p", "a", "b"})},
                  {"p=true"});
    return described(find(set.result->graph, "y"));
  };
  EXPECT_EQ(chosen({2, 3}, {2, 3}), "y = Identity(a)");
  EXPECT_EQ(chosen({-1, 3}, {}), "y = Identity(a)");
  for (const auto& shapes : {std::pair<std::vector<int64_t>, std::vector<int64_t>>({}, {2}),
                             {{3}, {2, 3}},
                             {{-1}, {-1}}}) {
    EXPECT_EQ(chosen(shapes.first, shapes.second), "y = SelectV2(p, a, b)");
  }
}

// The operand that is not taken may be what is dead.
TEST(Decide, LeavesASelectWhoseOperandMayBeDead) {
  const Set set({asked("p"), asked("q"), placeholder("a"), switched("s", {"a", "q"}),
                 typed("y", "Select", {"p", "a", "s"})},
                {"p=true"});
  EXPECT_EQ(described(find(set.result->graph, "y")), "y = Select(p, a, s)");
}

Model with_branches(const std::string& choice) {
  Model model{
      Kind::kMetaGraph,
      "m",
      {},
      true,
      graph_of(Parts{{asked("p"), asked("i", 3), placeholder("x"), choice},
                     {body("f", {{"a", 1}}, {{"r", 1, "n:y:0"}}, {typed("n", "Neg", {"a"})}),
                      body("g", {{"a", 1}}, {{"r", 1, "n:y:0"}}, {typed("n", "Abs", {"a"})})}})};
  return model;
}

std::string if_of(std::string_view op) {
  return node("y", op, {"p", "x"},
              {{"Tcond", type_value(kBool)},
               {"Tin", type_list_value({1})},
               {"Tout", type_list_value({1})},
               {"else_branch", func_value("g")},
               {"output_shapes", string_list_value({})},
               {"then_branch", func_value("f")}});
}

TEST(Decide, MakesACallOfTheChosenBranch) {
  const Set yes(with_branches(if_of("If")), {"p=true"}, {"y"});
  EXPECT_EQ(yes.lines(), (Lines{"x = Placeholder()", "y = StatefulPartitionedCall(x)"}));
  EXPECT_EQ(functions_named_by(find(yes.result->graph, "y")).back(), "f");
  EXPECT_EQ(yes.result->graph.functions().size(), 1U);
  for (const char* attr : {"Tcond", "then_branch", "else_branch", "output_shapes"}) {
    EXPECT_FALSE(find_attr(find(yes.result->graph, "y"), attr)) << attr;
  }
  const Set no(with_branches(if_of("StatelessIf")), {"p=false"}, {"y"});
  EXPECT_EQ(no.lines(), (Lines{"x = Placeholder()", "y = PartitionedCall(x)"}));
  EXPECT_EQ(functions_named_by(find(no.result->graph, "y")).back(), "g");
}

TEST(Decide, OfACaseTheLastBranchIsForAllOthers) {
  const auto chosen = [](const std::string& value) {
    std::string f, g, list, attr;
    put_bytes_field(f, 1, "f");
    put_bytes_field(g, 1, "g");
    put_bytes_field(list, 9, f);
    put_bytes_field(list, 9, g);
    put_bytes_field(attr, 1, list);
    const Set set(
        with_branches(node(
            "y", "Case", {"i", "x"},
            {{"Tin", type_list_value({1})}, {"Tout", type_list_value({1})}, {"branches", attr}})),
        {"i=" + value});
    return std::string(functions_named_by(find(set.result->graph, "y")).back());
  };
  EXPECT_EQ(chosen("0"), "f");
  EXPECT_EQ(chosen("1"), "g");
  EXPECT_EQ(chosen("7"), "g");
  EXPECT_EQ(chosen("-1"), "g");
}

TEST(Decide, SaysWhichEndIsGone) {
  EXPECT_EQ(failure_of(Set(kCond, {"p=true"}, {"else"}).result),
            "output-removed: 'else' never runs with --set p=true");
  EXPECT_EQ(failure_of(Set(kCond, {"p=true"}, {"x_t:1"}).result),
            "output-removed: 'x_t:1' is decided by --set p=true");
}

TEST(Decide, LeavesOutTheColocationWithWhatIsDead) {
  std::vector<std::string> nodes = kCond;
  nodes.push_back(node("z", "Op", {"x"}, {{"_class", string_list_value({"loc:@x", "loc:@else"})}}));
  const Set set(nodes, {"p=true"});
  EXPECT_EQ(colocations(find(set.result->graph, "z")), (std::vector<std::string_view>{"x"}));
}

}  // namespace
}  // namespace cryo
