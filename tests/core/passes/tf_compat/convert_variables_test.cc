#include "passes/tf_compat/convert_variables.h"

#include "functions.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

// Every variable converted, to two floats.
struct Frozen {
  explicit Frozen(const std::vector<std::string>& nodes, const Functions& functions = {})
      : model{Kind::kGraphDef, "g.pb", {}, true, graph_of(Parts{nodes, functions})} {
    SessionFreeze freeze(model);
    const Tensor value{DType::kFloat, Shape{false, {2}}, 2, Splice(fresh("abcdefgh"))};
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      const std::string_view op = model.graph.nodes()[i].op;
      if (op != "VariableV2" && op != "VarHandleOp") continue;
      const Status done = freeze.convert(i, value);
      if (!done) failures.push_back(failure_of(done));
    }
    graph = *freeze.finish();
  }
  Lines lines() const { return failures.empty() ? described(graph) : failures; }
  std::vector<int> types(std::string_view name, std::string_view attr) const {
    std::vector<int> all;
    AttrValue(find_attr(find(graph, name), attr).value_or(""))
        .each_number(AttrKind::kType, [&](int64_t type) { all.push_back(static_cast<int>(type)); });
    return all;
  }

  Model model;
  Graph graph = {};
  Lines failures = {};
};

const std::string kHandle = variable("w", {2}, "VarHandleOp");

TEST(SessionFreeze, ReadsBecomeIdentitiesWithoutControlInputs) {
  const Frozen frozen({kHandle, node("init", "NoOp"),
                       node("read", "ReadVariableOp", {"w", "^init"},
                            {{"_class", string_list_value({"loc:@w"})},
                             {"_output_shapes", shape_value("")},
                             {"dtype", type_value(kFloat32)}}),
                       typed("y", "Tanh", {"read"})});
  EXPECT_EQ(frozen.lines(),
            (Lines{"w = Const()", "init = NoOp()", "read = Identity(w)", "y = Tanh(read)"}));
  const Node read = find(frozen.graph, "read");
  EXPECT_TRUE(find_attr(read, "_class"));
  EXPECT_EQ(attrs_of(read).size(), 2U);
  EXPECT_EQ(type_attr(read, "T"), kFloat32);
}

TEST(SessionFreeze, WhatHandsTheValueOnTakesItsType) {
  const Frozen frozen({kHandle, placeholder("p"), typed("enter", "Enter", {"w"}, kResource),
                       typed("switch", "Switch", {"enter", "p"}, kResource),
                       typed("merge", "Merge", {"switch:1"}, kResource), read_of("read", "switch"),
                       read_of("behind", "merge")});
  EXPECT_EQ(type_attr(find(frozen.graph, "switch"), "T"), kFloat32);
  EXPECT_EQ(find(frozen.graph, "read").op, "Identity");
  // TensorFlow's walk ends at a Merge.
  EXPECT_EQ(type_attr(find(frozen.graph, "merge"), "T"), kResource);
  EXPECT_EQ(find(frozen.graph, "behind").op, "ReadVariableOp");
}

TEST(SessionFreeze, GathersGetTheirAxisBehindAllNodes) {
  const Attrs attrs = {{"Tindices", type_value(kInt32)},
                       {"batch_dims", int_value(0)},
                       {"dtype", type_value(kFloat32)}};
  const Frozen frozen({kHandle, placeholder("i"), node("g", "ResourceGather", {"w", "i"}, attrs),
                       node("nd", "ResourceGatherNd", {"w", "i"}, attrs),
                       typed("y", "Tanh", {"g"})});
  EXPECT_EQ(frozen.lines(), (Lines{"w = Const()", "i = Placeholder()", "g = GatherV2(w, i, g/axis)",
                                   "nd = GatherNd(w, i)", "y = Tanh(g)", "g/axis = Const()"}));
  EXPECT_EQ(type_attr(find(frozen.graph, "g"), "Taxis"), kInt32);
}

TEST(SessionFreeze, FailsWhereTheToolDoes) {
  EXPECT_EQ(Frozen({kHandle, placeholder("i"),
                    node("g", "ResourceGather", {"w", "i"},
                         {{"Tindices", type_value(kInt32)}, {"batch_dims", int_value(1)}})})
                .failures.size(),
            1U);
  // A variable as the predicate of a Switch.
  EXPECT_EQ(
      Frozen({variable("w", {2}), placeholder("x"), typed("s", "Switch", {"x", "w"})}).failures,
      Lines{"tensorflow-fails: TensorFlow's own tool fails on this graph: `index` 1 is out "
            "of range for node(s).attr(T), which has 1 elements."});
  EXPECT_EQ(Frozen({kHandle, typed("a", "Identity", {"b"}), typed("b", "Identity", {"w", "a"})})
                .failures.size(),
            1U);
}

// w -> w * w; hands its argument to another function.
const tensorflow::FunctionDef kInner =
    body("inner_7", {{"w", kResource}}, {{"o", kFloat32, "read:value:0"}}, {read_of("read", "w")});
const tensorflow::FunctionDef kOuter =
    body("outer_3", {{"i", kFloat32}, {"w", kResource}}, {{"o", kFloat32, "mul:z:0"}},
         {read_of("read", "w"), call_of("call", "inner_7", {"w"}, {kResource}, {kFloat32}),
          typed("mul", "Mul", {"read:value:0", "call:output:0"})});
const tensorflow::FunctionDef kOther = body("other", {}, {}, {});

TEST(SessionFreeze, FunctionsThatTakeAVariableAreMadeAnew) {
  const Frozen frozen({placeholder("x"), kHandle,
                       call_of("y", "outer_3", {"x", "w"}, {kFloat32, kResource}, {kFloat32})},
                      {kOther, kInner, kOuter});
  ASSERT_EQ(frozen.failures, Lines{});
  EXPECT_EQ(functions_named_by(find(frozen.graph, "y")),
            (std::vector<std::string_view>{"PartitionedCall", "outer_frozen_0"}));
  EXPECT_EQ(frozen.types("y", "Tin"), (std::vector<int>{kFloat32, kFloat32}));
  EXPECT_EQ(described(frozen.graph, "outer_frozen_0"),
            (Lines{"i: 1", "w: 1", "read = Identity(w)", "call = PartitionedCall(w)",
                   "mul = Mul(read:output:0, call:output:0)", "return o = mul:z:0"}));
  // TensorFlow does not rename the return values of a function.
  EXPECT_EQ(described(frozen.graph, "inner_frozen_1"),
            (Lines{"w: 1", "read = Identity(w)", "return o = read:value:0"}));
  EXPECT_NE(find_function(frozen.graph, "other"), nullptr);
  EXPECT_EQ(frozen.graph.functions().size(), 3U);
}

TEST(SessionFreeze, AReadThatFeedsWhatBecameShorterIsRefused) {
  const auto broken =
      body("f", {{"w", kResource}}, {},
           {node("nd", "ResourceGatherNd", {"w", "w", "read:value:0"}), read_of("read", "w")});
  const Frozen frozen({kHandle, call_of("y", "f", {"w"}, {kResource}, {})}, {broken});
  EXPECT_EQ(frozen.failures.size(), 1U);
}

TEST(SessionFreeze, LoopsReturnTheTypeThatTheyTake) {
  const auto body_of_loop =
      body("body_2", {{"w", kResource}}, {{"w_out", kResource, "w"}}, {read_of("read", "w")});
  const auto cond = body("cond_1", {{"w", kResource}}, {{"go", kBool, "go:output:0"}}, {});
  const Frozen frozen({kHandle, node("loop", "While", {"w"},
                                     {{"T", type_list_value({kResource})},
                                      {"body", func_value("body_2")},
                                      {"cond", func_value("cond_1")}})},
                      {cond, body_of_loop});
  ASSERT_EQ(frozen.failures, Lines{});
  tensorflow::FunctionDef made;
  const std::string bytes(find_function(frozen.graph, "body_frozen_1")->bytes);
  ASSERT_TRUE(made.ParseFromString(bytes));
  EXPECT_EQ(made.signature().output_arg(0).type(), tensorflow::DT_FLOAT);
  EXPECT_NE(find_function(frozen.graph, "cond_frozen_0"), nullptr);
  EXPECT_TRUE(find_attr(find(frozen.graph, "loop"), "output_shapes"));
}

}  // namespace
}  // namespace cryo
