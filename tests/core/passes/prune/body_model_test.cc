#include "passes/prune/body_model.h"

#include "functions.h"

namespace cryo {
namespace {

tensorflow::FunctionDef sorted_by() {
  return body("f", {{"a", kFloat32}, {"p", kBool}},
              {{"first", kFloat32, "top:values:0"}, {"at", kInt32, "top:indices:0"}},
              {node("k", "Const", {}), typed("top", "TopKV2", {"a", "k:output:0"}),
               node("print", "PrintV2", {"top:indices:0", "^top"}), node("last", "NoOp", {"^k"})},
              {"print"});
}

// A model, for its functions to outlive what is made of them.
struct Described {
  explicit Described(const tensorflow::FunctionDef& function)
      : graph(graph_of(Parts{{}, {function}})), library(graph), known(ops(), library) {
    body = BodyModel::of(graph.functions().front(), known, std::make_shared<Payloads>());
  }
  Lines lines() const { return body ? cryo::described(body->model().graph) : Lines{"none"}; }
  Lines back(const Graph& changed) const {
    const auto made = body->function_def(changed);
    if (!made) return {"none"};
    tensorflow::FunctionDef function;
    function.ParseFromString(*made);
    Lines lines = cryo::described(graph_of(Parts{{}, {function}}), "f");
    for (const auto& each : function.control_ret()) {
      lines.push_back(cat("control ", each.key(), " = ", each.value()));
    }
    return lines;
  }
  // Returns the graph without the nodes of these lines.
  Lines without(const std::string& name) const {
    GraphBuilder builder(body->model().graph);
    for (const Node& each : body->model().graph.nodes()) {
      if (each.name != name) builder.add(each);
    }
    return back(builder.finish());
  }

  Graph graph;
  Library library;
  KnownOps known;
  std::optional<BodyModel> body;
};

TEST(BodyModel, IsAMainGraphWithArgumentsAndReturns) {
  const Described described(sorted_by());
  EXPECT_EQ(described.lines(),
            (Lines{"a = _Arg()", "p = _Arg()", "k = Const()", "top = TopKV2(a, k)",
                   "print = PrintV2(top:1, ^top)", "last = NoOp(^k)", "%end_0 = _Retval(top)",
                   "%end_1 = _Retval(top:1)", "%end_2 = ControlTrigger(^print)",
                   "%end_3 = ControlTrigger(^last)"}));
}

TEST(BodyModel, BecomesTheFunctionAgain) {
  const Described described(sorted_by());
  EXPECT_EQ(
      described.back(described.body->model().graph),
      (Lines{"a: 1", "p: 10", "k = Const()", "top = TopKV2(a, k:output:0)",
             "print = PrintV2(top:indices:0, ^top)", "last = NoOp(^k)",
             "return first = top:values:0", "return at = top:indices:0", "control print = print"}));
}

TEST(BodyModel, IsNoFunctionWithoutAReturn) {
  EXPECT_EQ(Described(sorted_by()).without("%end_1"), Lines{"none"});
}

TEST(BodyModel, OfAControlOutputThatIsGoneANoOpIsLeft) {
  const Lines lines = Described(sorted_by()).without("%end_2");
  EXPECT_EQ(lines.back(), "control print = control_output");
  EXPECT_EQ(lines.at(6), "control_output = NoOp()");
}

TEST(BodyModel, IsNoneWhereTheBodyIsNotWhole) {
  EXPECT_FALSE(Described(body("f", {}, {}, {node("x", "Abs", {"gone:y:0"})})).body);
  EXPECT_FALSE(Described(body("f", {}, {{"y", 1, "gone:y:0"}}, {})).body);
  EXPECT_FALSE(Described(body("f", {}, {}, {}, {"gone"})).body);
  EXPECT_FALSE(Described(body("f", {{"a", 1}}, {}, {node("a", "NoOp")})).body);
  EXPECT_FALSE(Described(body("f", {}, {}, {node("%end_0", "NoOp")})).body);
  tensorflow::FunctionDef lists = sorted_by();
  lists.mutable_signature()->mutable_input_arg(0)->set_number_attr("N");
  lists.mutable_signature()->add_attr()->set_name("N");
  EXPECT_FALSE(Described(lists).body);
}

}  // namespace
}  // namespace cryo
