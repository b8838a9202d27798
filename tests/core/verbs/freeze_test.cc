#include "verbs/freeze.h"

#include <gtest/gtest.h>

#include "files.h"
#include "formats/open.h"
#include "functions.h"
#include "model/variables.h"
#include "only_model.h"

namespace cryo {
namespace {

struct Frozen {
  Frozen(const Model& model, const std::vector<std::string>& outputs) {
    auto made = freeze(model, {.selection = {.outputs = outputs}}, {}, diagnostics);
    if (made) converted = std::move(made->converted);
    result = only_model(std::move(made));
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }

  Diagnostics diagnostics = {};
  Conversions converted = {};
  Result<Model> result = failure("", "");
};

std::shared_ptr<const Checkpoint> values() { return checkpoint_of({{"v", {3, 4}}, {"w", {1, 2}}}); }

std::string handed_on(std::string_view name, std::string_view op, const Lines& inputs) {
  return node(name, op, inputs,
              {{"T", type_value(kResource)}, {"_output_shapes", string_list_value({})}});
}

TEST(Freeze, MakesConstantsOfReferenceVariables) {
  const Model model =
      model_of({variable("w", {2}), node("w/read", "Identity", {"w"}, {{"T", type_value(1)}}),
                node("y", "Op", {"w/read", "w"})},
               values());
  const Frozen frozen(model, {"y"});
  EXPECT_EQ(frozen.lines(), (Lines{"w = Const()", "w/read = Identity(w)", "y = Op(w/read, w)"}));
  EXPECT_EQ(floats(*frozen.result, "w"), (std::vector<float>{1, 2}));
  EXPECT_EQ(find(frozen.result->graph, "y").bytes, find(model.graph, "y").bytes);
  for (const char* attr : {"shape", "container", "shared_name"}) {
    EXPECT_FALSE(find_attr(find(frozen.result->graph, "w"), attr)) << attr;
  }
  ASSERT_EQ(frozen.converted.size(), 1U);
  EXPECT_EQ(frozen.converted[0].from, "VariableV2");
  EXPECT_EQ(frozen.converted[0].bytes, 8U);
  EXPECT_EQ(frozen.result->checkpoint, nullptr);
}

TEST(Freeze, MakesIdentitiesOfTheReadsOfHandles) {
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"),
                node("v/Read", "ReadVariableOp", {"v", "^w"}, {{"dtype", type_value(1)}}),
                variable("w", {2}), node("y", "Op", {"v/Read"})},
               values()),
      {"y"});
  EXPECT_EQ(frozen.lines(),
            (Lines{"v = Const()", "v/Read = Identity(v, ^w)", "w = Const()", "y = Op(v/Read)"}));
  EXPECT_EQ(type_attr(find(frozen.result->graph, "v/Read"), "T"), kFloat32);
  EXPECT_FALSE(find_attr(find(frozen.result->graph, "v/Read"), "dtype"));
  EXPECT_EQ(floats(*frozen.result, "v"), (std::vector<float>{3, 4}));
}

TEST(Freeze, GivesWhatHandsAHandleOnTheValuesType) {
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"), handed_on("enter", "Enter", {"v"}),
                handed_on("switch", "Switch", {"enter", "p"}), node("p", "Const"),
                node("read", "ReadVariableOp", {"switch:1"}, {{"dtype", type_value(1)}})},
               values()),
      {"read"});
  EXPECT_EQ(frozen.lines(), (Lines{"v = Const()", "enter = Enter(v)", "switch = Switch(enter, p)",
                                   "p = Const()", "read = Identity(switch:1)"}));
  for (const char* name : {"enter", "switch"}) {
    EXPECT_EQ(type_attr(find(frozen.result->graph, name), "T"), kFloat32);
    EXPECT_FALSE(find_attr(find(frozen.result->graph, name), "_output_shapes"));
  }
}

TEST(Freeze, MakesReferenceOpsTheirValueForms) {
  const Frozen frozen(model_of({variable("w", {2}), node("enter", "RefEnter", {"w"}),
                                node("i", "RefIdentity", {"enter"}),
                                node("ok", "IsVariableInitialized", {"w", "^i"})},
                               values()),
                      {"ok"});
  EXPECT_EQ(frozen.lines(),
            (Lines{"w = Const()", "enter = Enter(w)", "i = Identity(enter)", "ok = Const(^i)"}));
  const auto answer = read_tensor(*tensor_attr(find(frozen.result->graph, "ok"), "value"),
                                  *frozen.result->payloads);
  EXPECT_EQ(*answer->content.read_all(), "\1");
}

TEST(Freeze, MakesGathersOfResourceGathers) {
  const std::string gather = node("y", "ResourceGather", {"v", "ids", "^p"},
                                  {{"batch_dims", int_value(1)},
                                   {"dtype", type_value(1)},
                                   {"validate_indices", bool_value(true)}});
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"), placeholder("ids"), node("p", "NoOp"), gather,
                node("nd", "ResourceGatherNd", {"v", "ids"}, {{"dtype", type_value(1)}}),
                node("y/axis", "NoOp")},
               values()),
      {"y", "nd", "y/axis"});
  EXPECT_EQ(frozen.lines(), (Lines{"v = Const()", "ids = Placeholder()", "p = NoOp()",
                                   "y/axis_1 = Const()", "y = GatherV2(v, ids, y/axis_1, ^p)",
                                   "nd = GatherNd(v, ids)", "y/axis = NoOp()"}));
  const Node y = find(frozen.result->graph, "y");
  EXPECT_EQ(type_attr(y, "Tparams"), kFloat32);
  EXPECT_EQ(type_attr(y, "Taxis"), 3);
  EXPECT_EQ(int_attr(y, "batch_dims"), 1);
  EXPECT_FALSE(find_attr(y, "validate_indices"));
  const auto axis = read_tensor(*tensor_attr(find(frozen.result->graph, "y/axis_1"), "value"),
                                *frozen.result->payloads);
  EXPECT_EQ(*axis->content.read_all(), unhex("01000000"));
}

// A node has all its inputs from one frame.
TEST(Freeze, PutsTheAxisOfAGatherIntoItsLoop) {
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"), placeholder("ids"),
                node("in", "Enter", {"v"}, {{"T", type_value(20)}}),
                node("i", "Enter", {"ids"}, {{"T", type_value(3)}}),
                node("y", "ResourceGather", {"in", "i:0"}, {{"dtype", type_value(1)}})},
               values()),
      {"y"});
  EXPECT_EQ(described(find(frozen.result->graph, "y/axis")), "y/axis = Const(^i)");
}

TEST(Freeze, RefusesAGatherWithoutIndices) {
  for (const Lines& inputs : {Lines{"v"}, Lines{"v", "^p"}}) {
    const Frozen frozen(model_of({variable("v", {2}, "VarHandleOp"), node("p", "NoOp"),
                                  node("y", "ResourceGather", inputs)},
                                 values()),
                        {"y"});
    EXPECT_FALSE(frozen.result.ok());
  }
}

TEST(Freeze, RefusesOutputsThatNeedAChangeAndNamesThePath) {
  for (const char* op : {"Assign", "ScatterAdd", "CountUpTo", "ApplyAdam"}) {
    const Frozen frozen(
        model_of({variable("w", {2}), node("change", op, {"w", "w"}),
                  node("group", "NoOp", {"^change"}), node("y", "Op", {"w", "^group"})},
                 values()),
        {"y"});
    ASSERT_FALSE(frozen.result.ok()) << op;
    const Diagnostic error = frozen.result.error();
    EXPECT_EQ(error.code, "variable-in-use");
    EXPECT_EQ(error.where.node, "change");
    EXPECT_NE(error.message.find("change -> group -> y"), std::string::npos) << error.message;
    EXPECT_NE(error.fix, "");
  }
}

TEST(Freeze, RefusesHandlesInOpsThatItDoesNotKnow) {
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"), node("call", "RemoteCall", {"v"})}, values()),
      {"call"});
  EXPECT_EQ(frozen.result.error().code, "variable-in-use");
  EXPECT_NE(frozen.result.error().message.find("takes its handle into RemoteCall"),
            std::string::npos);
}

// TensorFlow's converter cannot rewrite the function of a data set either.
TEST(Freeze, RefusesHandlesThatTheFunctionOfADataSetCaptures) {
  const Frozen frozen(
      model_of({variable("v", {2}, "VarHandleOp"), placeholder("x"),
                node("map", "MapDataset", {"x", "v"}), node("y", "ReduceDataset", {"map"})},
               values()),
      {"y"});
  EXPECT_EQ(frozen.result.error().code, "variable-in-use");
  EXPECT_NE(frozen.result.error().message.find("captures it for the function of a data set"),
            std::string::npos);
}

TEST(Freeze, MakesAVariableThatIsAlwaysAssignedWhatItIsAssigned) {
  const Frozen frozen(
      model_of({variable("w", {2}), variable("v", {2}, "VarHandleOp"), placeholder("x"),
                node("set", "Assign", {"w", "x"}, {{"T", type_value(1)}}),
                node("put", "AssignVariableOp", {"v", "x"}, {{"dtype", type_value(1)}}),
                node("read", "ReadVariableOp", {"v", "^put"}, {{"dtype", type_value(1)}}),
                node("y", "Op", {"set", "read"})}),
      {"y"});
  EXPECT_EQ(frozen.lines(),
            (Lines{"w = Identity(x)", "v = Identity(x)", "x = Placeholder()", "set = Identity(w)",
                   "put = NoOp()", "read = Identity(v, ^put)", "y = Op(set, read)"}));
}

TEST(Freeze, NamesEveryVariableWithoutAValue) {
  const Frozen frozen(model_of({variable("a", {2}), variable("w", {2}), variable("b", {2}),
                                node("y", "Op", {"a", "w", "b"})},
                               values()),
                      {"y"});
  EXPECT_EQ(frozen.lines(),
            Lines{"missing-key: Key a not found in checkpoint; the same for 2 variables: a, b"});
  EXPECT_EQ(Frozen(model_of({variable("w", {2})}), {"w"}).result.error().code, "no-checkpoint");
}

TEST(Freeze, WithoutVariablesIsPruning) {
  const Frozen frozen(model_of({placeholder("x"), node("y", "Op", {"x"}), node("z", "Op")}), {"y"});
  EXPECT_EQ(frozen.lines(), (Lines{"x = Placeholder()", "y = Op(x)"}));
  EXPECT_EQ(codes(frozen.diagnostics), Lines{"no-variables"});
}

TEST(Freeze, InlinesACallForAnEndWithinIt) {
  const auto within = [](const std::string& input, const std::string& output, bool no_inline) {
    const tensorflow::FunctionDef function =
        body("f", {{"a", kFloat32}}, {{"r", kFloat32, "last:activations:0"}},
             {typed("first", "Relu", {"a"}), typed("last", "Relu", {"first:activations:0"})});
    Model model = model_of({});
    model.graph =
        graph_of(Parts{.nodes = {placeholder("x"), call("c", "f"), typed("y", "Neg", {"c"})},
                       .functions = {function}});
    FreezeOptions options{.selection = {.outputs = {output}}};
    if (!input.empty()) options.selection.inputs = {input};
    options.no_inline = no_inline;
    Diagnostics diagnostics;
    const auto made = only_model(freeze(model, options, OpData{&ops()}, diagnostics));
    return made ? described(made->graph) : Lines{made.error().code};
  };
  EXPECT_EQ(within("", "c/first", false), Lines({"x = Placeholder()", "c/first = Relu(x)"}));
  EXPECT_EQ(within("c/first", "c/last:0", false),
            Lines({"c/first = Placeholder()", "c/last = Relu(c/first)"}));
  EXPECT_EQ(within("", "y", false),
            Lines({"x = Placeholder()", "c = PartitionedCall(x)", "y = Neg(c)"}));
  EXPECT_EQ(within("", "c/first", true), Lines{"not-in-graph"});
  EXPECT_EQ(within("", "c/second", false), Lines{"not-in-graph"});
}

TEST(Freeze, TakesVariablesAndSaverOutOfTheMeta) {
  Model model = model_of({variable("w", {2})}, values());
  tensorflow::MetaGraphDef meta;
  meta.mutable_saver_def()->set_restore_op_name("w");
  meta.add_collection_def()->set_key("variables");
  meta.add_collection_def()->set_key("kept");
  set_meta(model, meta);
  const Frozen made(model, {"w"});
  const tensorflow::MetaGraphDef& frozen = parse_meta(*made.result);
  EXPECT_FALSE(frozen.has_saver_def());
  ASSERT_EQ(frozen.collection_def_size(), 1);
  EXPECT_EQ(frozen.collection_def(0).key(), "kept");
}

Result<Model> open_fixture(const std::string& name) {
  std::vector<SourcePtr> files;
  for (const auto& file : std::filesystem::directory_iterator(fixture(name))) {
    files.push_back(file_source(file.path()));
  }
  Diagnostics diagnostics;
  return open(files, {(fixture(name) / "model.ckpt.meta").string()}, diagnostics);
}

// Each constant of TensorFlow's frozen graph, in ours.
TEST(Freeze, HasTheValuesThatTensorFlowsHas) {
  int compared = 0;
  for (const char* name : {"ref", "resource", "mixed", "partitioned", "renamed", "while_resource",
                           "cond_resource", "gather"}) {
    const auto model = open_fixture(name);
    ASSERT_TRUE(model.ok());
    const Frozen frozen(*model, {"y"});
    ASSERT_TRUE(frozen.result.ok()) << name << failure_of(frozen.result);
    const auto theirs = Graph::parse(file_bytes(fixture(cat(name, "/frozen.pb"))));
    for (const Node& each : theirs->nodes()) {
      if (each.op != "Const") continue;
      const auto expected = read_tensor(*tensor_attr(each, "value"), Payloads());
      const Node ours = find(frozen.result->graph, each.name);
      const auto found =
          read_tensor(tensor_attr(ours, "value").value_or(""), *frozen.result->payloads);
      ASSERT_TRUE(found.ok()) << name << " " << each.name;
      EXPECT_EQ(found->dtype, expected->dtype);
      EXPECT_EQ(found->shape.dims, expected->shape.dims);
      EXPECT_EQ(*found->content.read_all(), *expected->content.read_all())
          << name << " " << each.name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace cryo
