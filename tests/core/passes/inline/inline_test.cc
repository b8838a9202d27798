#include "passes/inline/inline.h"

#include "functions.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

// square(a) -> mul, through a node with two output arguments.
const tensorflow::FunctionDef kSquare = body(
    "square", {{"a", kFloat32}}, {{"y", kFloat32, "mul:z:0"}}, {typed("mul", "Mul", {"a", "a"})});

struct Inlined {
  Inlined(const std::vector<std::string>& nodes, const Functions& functions,
          const Lines& outputs = {"y"}) {
    Model model{Kind::kGraphDef, "model.pb", {}, true, graph_of(Parts{nodes, functions})};
    result = inline_calls(model, only_outputs(outputs), false, &ops(), diagnostics);
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(Inline, PutsTheBodyInThePlaceOfTheCall) {
  const Inlined inlined(
      {placeholder("x"), call_of("c", "square", {"x"}, {1}, {1}), typed("y", "Relu", {"c"})},
      {kSquare});
  EXPECT_EQ(inlined.lines(), (Lines{"x = Placeholder()", "c/mul = Mul(x, x)", "y = Relu(c/mul)"}));
}

TEST(Inline, FollowsCallsInCallsAndKeepsEachApart) {
  const auto twice = body("twice", {{"a", kFloat32}}, {{"y", kFloat32, "two:output:0"}},
                          {call_of("one", "square", {"a"}, {1}, {1}),
                           call_of("two", "square", {"one:output:0"}, {1}, {1})});
  const Inlined inlined({placeholder("x"), call_of("c", "twice", {"x"}, {1}, {1}),
                         call_of("d", "square", {"c"}, {1}, {1}), typed("y", "Relu", {"d:0"})},
                        {kSquare, twice});
  EXPECT_EQ(inlined.lines(), (Lines{"x = Placeholder()", "c/one/mul = Mul(x, x)",
                                    "c/two/mul = Mul(c/one/mul, c/one/mul)",
                                    "d/mul = Mul(c/two/mul, c/two/mul)", "y = Relu(d/mul)"}));
}

TEST(Inline, CountsPortsOverOutputArgumentsAndLists) {
  // TopKV2 has two output arguments; Split gives a list; Unpack is taken as a whole list.
  const auto parts =
      body("parts", {{"a", kFloat32}, {"k", kInt32}},
           {{"places", kInt32, "top:indices:0"}, {"sum", kFloat32, "sum:sum:0"}},
           {node("top", "TopKV2", {"a", "k"}, {{"T", type_value(1)}}),
            node("cut", "Unpack", {"a"}, {{"T", type_value(1)}, {"num", int_value(2)}}),
            node("sum", "AddN", {"cut:output"}, {{"T", type_value(1)}, {"N", int_value(2)}})});
  const Inlined inlined(
      {placeholder("x"), constant("k", {1}, {}), call_of("c", "parts", {"x", "k"}, {1, 3}, {3, 1}),
       typed("y", "Op", {"c", "c:1"})},
      {parts});
  EXPECT_EQ(inlined.lines(),
            (Lines{"x = Placeholder()", "k = Const()", "c/top = TopKV2(x, k)", "c/cut = Unpack(x)",
                   "c/sum = AddN(c/cut, c/cut:1)", "y = Op(c/top:1, c/sum)"}));
}

TEST(Inline, FillsInWhatTheBodyLeavesToItsCaller) {
  auto generic = body("generic", {{"a", 0}}, {{"y", 0, "r:activations:0"}},
                      {node("r", "Relu", {"a"}, {{"T", placeholder_value("T")}})});
  auto& signature = *generic.mutable_signature();
  signature.mutable_input_arg(0)->set_type_attr("T");
  signature.mutable_output_arg(0)->set_type_attr("T");
  signature.add_attr()->set_name("T");
  signature.mutable_attr(0)->set_type("type");
  const Inlined inlined({placeholder("x"), typed("c", "generic", {"x"}), typed("y", "Op", {"c"})},
                        {generic});
  ASSERT_EQ(inlined.lines(), (Lines{"x = Placeholder()", "c/r = Relu(x)", "y = Op(c/r)"}));
  EXPECT_EQ(type_attr(find(inlined.result->graph, "c/r"), "T"), kFloat32);
}

TEST(Inline, CarriesControlEdgesInAndOut) {
  const auto checked =
      body("checked", {{"a", kFloat32}}, {{"y", kFloat32, "r:activations:0"}},
           {constant("k", {1}, {}), typed("n", "NoOp", {"^k"}), typed("m", "NoOp", {"^a"}),
            typed("r", "Relu", {"a"}), typed("s", "Relu", {"r:activations:0"})},
           {"n", "m"});
  const Inlined inlined(
      {placeholder("x"), node("init", "NoOp"), call_of("c", "checked", {"x", "^init"}, {1}, {1}),
       typed("y", "Op", {"x", "^c"}), typed("z", "Op", {"x", "^c"})},
      {checked});
  EXPECT_EQ(inlined.lines(),
            (Lines{"x = Placeholder()", "init = NoOp()", "c/k = Const(^init)", "c/n = NoOp(^c/k)",
                   "c/m = NoOp(^x, ^init)", "c/r = Relu(x, ^init)", "c/s = Relu(c/r)",
                   "y = Op(x, ^c/control_outputs)", "z = Op(x, ^c/control_outputs)",
                   "c/control_outputs = NoOp(^c/n, ^c/m)"}));
}

TEST(Inline, KeepsWhatStandsInABranchThere) {
  // Run by itself, the constant would be alive in the branch that is not taken.
  const auto seven =
      body("seven", {{"a", kFloat32}}, {{"y", kFloat32, "k:output:0"}}, {constant("k", {7}, {})});
  const Inlined inlined({placeholder("x"), placeholder("p"), typed("s", "Switch", {"x", "p"}),
                         call_of("c", "seven", {"s:1"}, {1}, {1}), typed("y", "Merge", {"s", "c"})},
                        {seven});
  EXPECT_EQ(inlined.lines(),
            (Lines{"x = Placeholder()", "p = Placeholder()", "s = Switch(x, p)",
                   "c/input_0 = Identity(s:1)", "c/control_inputs = NoOp(^c/input_0)",
                   "c/k = Const(^c/control_inputs)", "y = Merge(s, c/k)"}));
}

TEST(Inline, GivesFramesAndColocationsTheNamesOfTheirCall) {
  const auto loop =
      body("loop", {{"a", kFloat32}}, {{"y", kFloat32, "e:output:0"}},
           {node("e", "Enter", {"a"},
                 {{"T", type_value(1)},
                  {"frame_name", string_value("frame")},
                  {"_class", string_list_value({"loc:@e", "loc:@a", "loc:@gone"})}})});
  const Inlined inlined(
      {placeholder("x"), call_of("c", "loop", {"x"}, {1}, {1}), typed("y", "Op", {"c"})}, {loop});
  const Node enter = find(inlined.result->graph, "c/e");
  EXPECT_EQ(string_attr(enter, "frame_name"), "c/frame");
  EXPECT_EQ(colocations(enter), (std::vector<std::string_view>{"c/e", "x"}));
}

TEST(Inline, KeepsTheNameOfAnOutputThatWasACall) {
  const std::vector<std::string> nodes = {placeholder("x"),
                                          call_of("y", "square", {"x"}, {1}, {1})};
  EXPECT_EQ(Inlined(nodes, {kSquare}).lines(),
            (Lines{"x = Placeholder()", "y = Identity(y/mul)", "y/mul = Mul(x, x)"}));
  const auto both =
      body("both", {{"a", kFloat32}}, {{"p", kFloat32, "a"}, {"q", kFloat32, "r:activations:0"}},
           {typed("r", "Relu", {"a"})});
  const Inlined two({placeholder("x"), call_of("y", "both", {"x"}, {1}, {1, 1})}, {both}, {"y:1"});
  EXPECT_EQ(two.lines(), (Lines{"x = Placeholder()", "y = IdentityN(x, y/r)", "y/r = Relu(x)"}));
}

TEST(Inline, FindsNamesThatAreFree) {
  const Inlined inlined({placeholder("x"), placeholder("c/mul"),
                         call_of("c", "square", {"x"}, {1}, {1}), typed("y", "Op", {"c", "c/mul"})},
                        {kSquare});
  EXPECT_EQ(inlined.lines().back(), "y = Op(c/mul_1, c/mul)");
}

TEST(Inline, LeavesWhatXlaMustCompile) {
  const std::vector<std::string> nodes = {
      placeholder("x"), NodeEditor(*scan_node(call_of("c", "square", {"x"}, {1}, {1})))
                            .set_attr("_XlaMustCompile", bool_value(true))
                            .finish()};
  EXPECT_EQ(Inlined(nodes, {kSquare}).lines(),
            (Lines{"x = Placeholder()", "c = PartitionedCall(x)"}));
}

TEST(Inline, RefusesAFunctionThatCallsItself) {
  const auto f = body("f", {{"a", kFloat32}}, {{"y", kFloat32, "c:output:0"}},
                      {call_of("c", "g", {"a"}, {1}, {1})});
  const auto g = body("g", {{"a", kFloat32}}, {{"y", kFloat32, "d:output:0"}},
                      {call_of("d", "f", {"a"}, {1}, {1})});
  const Inlined inlined({placeholder("x"), call_of("y", "f", {"x"}, {1}, {1})}, {f, g});
  EXPECT_EQ(inlined.lines(), (Lines{"recursive-function: function 'f' calls itself, by 'y/c/d'"}));
}

TEST(Inline, RefusesAHugeGraphOutOfASmallFile) {
  Lines squares = {typed("s0", "Square", {"a"})};
  for (int i = 1; i < 300; ++i) {
    squares.push_back(typed(cat("s", i), "Square", {cat("s", i - 1, ":y:0")}));
  }
  Functions functions = {body("many", {{"a", kFloat32}}, {{"y", kFloat32, "s299:y:0"}}, squares)};
  std::string last = "many";
  for (int i = 0; i < 40; ++i) {
    const std::string name = cat("f", i);
    functions.push_back(
        body(name, {{"a", kFloat32}}, {{"y", kFloat32, "d:output:0"}},
             {call_of("c", last, {"a"}, {1}, {1}), call_of("d", last, {"c:output:0"}, {1}, {1})}));
    last = name;
  }
  const Inlined inlined({placeholder("x"), call_of("y", last, {"x"}, {1}, {1})}, functions);
  EXPECT_EQ(inlined.result.error().code, "too-large");
}

TEST(Inline, TakesTheOneOutputOfAnUnknownOpAndRefusesTwo) {
  const auto custom =
      body("custom", {{"a", kFloat32}}, {{"y", kFloat32, "u:out:1"}}, {node("u", "Custom", {"a"})});
  const Inlined one({placeholder("x"), call_of("y", "custom", {"x"}, {1}, {1})}, {custom});
  EXPECT_EQ(one.lines()[1], "y = Identity(y/u:1)");
  EXPECT_EQ(codes(one.diagnostics), (Lines{"op-assumed"}));
  const auto more =
      body("more", {{"a", kFloat32}}, {{"y", kFloat32, "u:out:0"}, {"z", kFloat32, "u:rest:0"}},
           {node("u", "Custom", {"a"})});
  const Inlined two({placeholder("x"), call_of("y", "more", {"x"}, {1}, {1, 1})}, {more});
  EXPECT_EQ(two.result.error().code, "unknown-op");
}

TEST(Inline, RefusesBrokenCallsAndBodies) {
  const auto lost = body("lost", {{"a", kFloat32}}, {{"y", kFloat32, "gone:z:0"}}, {});
  EXPECT_EQ(Inlined({placeholder("x"), call_of("y", "lost", {"x"}, {1}, {1})}, {lost})
                .result.error()
                .code,
            "unknown-input-node");
  EXPECT_EQ(Inlined({call_of("y", "square", {}, {}, {1})}, {kSquare}).result.error().code,
            "call-arguments");
  EXPECT_EQ(Inlined({placeholder("x"), call_of("c", "square", {"x"}, {1}, {1}),
                     typed("y", "Op", {"c:7"})},
                    {kSquare})
                .result.error()
                .code,
            "port-too-high");
  const auto same = body("same", {{"a", kFloat32}}, {{"y", kFloat32, "a"}}, {});
  EXPECT_EQ(Inlined({call_of("c", "same", {"c"}, {1}, {1}), typed("y", "Op", {"c"})}, {same})
                .result.error()
                .code,
            "cycle");
}

}  // namespace
}  // namespace cryo
