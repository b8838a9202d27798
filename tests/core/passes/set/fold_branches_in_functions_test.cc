#include "passes/set/fold_branches_in_functions.h"

#include "functions.h"

namespace cryo {
namespace {

std::string bool_constant(std::string_view name, bool value) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_BOOL);
  tensor.add_bool_val(value);
  return node(name, "Const", {},
              {{"dtype", type_value(kBool)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

std::string branches(std::string_view name, std::string_view op, const Lines& inputs,
                     std::string_view one, std::string_view other) {
  const bool loop = op == "While";
  return node(name, op, inputs,
              {{loop ? "cond" : "else_branch", func_value(std::string(other))},
               {loop ? "body" : "then_branch", func_value(std::string(one))}});
}

// The functions that a node calls.
Lines called(const Node& node) {
  const auto names = functions_named_by(node);
  return {names.begin() + 1, names.end()};
}

const std::vector<Typed> kArgs = {{"a", kFloat32}, {"q", kBool}};

// f(a, q) is q ? g(a) : h(a), and an Identity with the name that inlining would give g's.
tensorflow::FunctionDef deciding() {
  return body(
      "f_7", kArgs, {{"y", kFloat32, "i/Identity:output:0"}},
      {branches("i", "If", {"q", "a"}, "g", "h"), typed("i/Identity", "Identity", {"i:output:0"})});
}

tensorflow::FunctionDef handing_on() {
  return body("outer", kArgs, {{"y", kFloat32, "c:output:0"}},
              {node("n", "LogicalNot", {"q"}), call_of("c", "f_7", {"a", "n:y:0"}, {1, 10}, {1})});
}

tensorflow::FunctionDef turn(const char* name, const char* condition) {
  return body(name, kArgs, {{"a", kFloat32, "i:output:0"}, {"q", kBool, condition}},
              {branches("i", "If", {"q", "a"}, "g", "h"), typed("n", "LogicalNot", {"q"}),
               typed("same", "Identity", {"q"})});
}

Model folded(const std::vector<std::string>& nodes) {
  Model model = model_of({});
  model.graph = graph_of(Parts{
      nodes, {deciding(), handing_on(), turn("keeps", "same:output:0"), turn("turns", "n:y:0")}});
  return fold_branches_in_functions(model, {"p=true"}, ops());
}

TEST(DecidedFunctions, ABodyIsMadeForWhatItIsHanded) {
  const Graph graph = folded({placeholder("x"), bool_constant("p", true), placeholder("o"),
                              call_of("y", "f_7", {"x", "p"}, {1, 10}, {1}),
                              call_of("z", "f_7", {"x", "o"}, {1, 10}, {1})})
                          .graph;
  EXPECT_EQ(called(find(graph, "y")), Lines{"f_set_0"});
  EXPECT_EQ(called(find(graph, "z")), Lines{"f_7"});
  EXPECT_EQ(described(graph, "f_set_0"),
            (Lines{"a: 1", "q: 10", "i/branch = StatefulPartitionedCall(a)",
                   "i/Identity = Identity(i/branch:output:0)", "return y = i/Identity:output:0"}));
}

TEST(DecidedFunctions, WhatABodyHandsOnDecidesToo) {
  const Graph graph = folded({placeholder("x"), bool_constant("p", true),
                              call_of("y", "outer", {"x", "p"}, {1, 10}, {1}),
                              call_of("z", "outer", {"x", "p"}, {1, 10}, {1})})
                          .graph;
  EXPECT_EQ(graph.functions().size(), 6U);  // one more of each, for both calls
  const auto body = body_nodes(*find_function(graph, "f_set_0"));
  EXPECT_EQ(called(body->front()), Lines{"h"});
}

TEST(DecidedFunctions, ALoopKnowsWhatEachTurnHandsOn) {
  const auto loop = [](const char* body) {
    return folded({placeholder("x"), bool_constant("p", true),
                   branches("y", "While", {"x", "p"}, body, "f_7")})
        .graph;
  };
  EXPECT_EQ(called(find(loop("keeps"), "y")), (Lines{"keeps_set_1", "f_set_0"}));
  EXPECT_EQ(called(find(loop("turns"), "y")), (Lines{"turns", "f_7"}));
}

TEST(DecidedFunctions, AFunctionThatCallsItselfStays) {
  Model model = model_of({});
  model.graph = graph_of(Parts{
      {placeholder("x"), bool_constant("p", true), call_of("y", "r", {"x", "p"}, {1}, {1})},
      {body("r", kArgs, {{"y", 1, "c:output:0"}}, {call_of("c", "r", {"a", "q"}, {1, 10}, {1})})}});
  EXPECT_EQ(fold_branches_in_functions(model, {"p=true"}, ops()).graph.functions().size(), 1U);
}

// Neither calls that are handed nothing, nor what calls itself.
TEST(DecidedFunctions, CallsAreNamedInWhichSomethingIsDecided) {
  const auto itself = body(
      "again", kArgs, {{"y", kFloat32, "i:output:0"}},
      {branches("i", "If", {"q", "a"}, "g", "h"), call_of("c", "again", {"a", "q"}, {1, 10}, {1})});
  Model model = model_of({});
  model.graph = graph_of(Parts{
      {placeholder("x"), bool_constant("p", true), placeholder("o"),
       call_of("y", "f_7", {"x", "p"}, {1, 10}, {1}), call_of("z", "f_7", {"x", "o"}, {1, 10}, {1}),
       call_of("u", "outer", {"x", "p"}, {1, 10}, {1}),
       call_of("v", "again", {"x", "p"}, {1, 10}, {1})},
      {deciding(), handing_on(), itself}});
  EXPECT_EQ(calls_with_folded_branches(model, {"p=true"}, ops()), (Lines{"y", "u"}));
}

TEST(DecidedFunctions, AValueIsKnownThatIsSelectedOfTwoScalars) {
  Model model = model_of({});
  model.graph = graph_of(
      Parts{{placeholder("x"), bool_constant("p", true), bool_constant("t", true), placeholder("o"),
             node("both", "SelectV2", {"p", "t", "p"}), node("one", "SelectV2", {"p", "t", "o"}),
             call_of("y", "f_7", {"x", "both"}, {1, 10}, {1}),
             call_of("z", "f_7", {"x", "one"}, {1, 10}, {1})},
            {deciding()}});
  EXPECT_EQ(calls_with_folded_branches(model, {"p=true"}, ops()), Lines{"y"});
}

}  // namespace
}  // namespace cryo
