#include "passes/unfreeze/unfreeze.h"

#include <gtest/gtest.h>

#include "counting_source.h"
#include "graph/added_nodes.h"
#include "graphs.h"
#include "model/variables.h"
#include "only_model.h"
#include "passes/variables/variable_nodes.h"
#include "verbs/freeze.h"
#include "wire/elide.h"

namespace cryo {
namespace {

struct PlannedVariable {
  explicit PlannedVariable(const Model& model, const UnfreezeOptions& options = {})
      : result(failure("", "")) {
    auto made = unfreeze(model, options, diagnostics);
    if (made) converted = std::move(made->converted);
    result = only_model(std::move(made));
  }
  Lines names() const {
    Lines all;
    for (const Conversion& each : converted) all.push_back(each.name);
    return all;
  }
  // The original lines, without the ones appended.
  Lines lines(size_t count) const {
    Lines all = result ? described(result->graph) : Lines{failure_of(result)};
    if (all.size() > count) all.resize(count);
    return all;
  }

  Diagnostics diagnostics = {};
  Conversions converted = {};
  Result<Model> result;
};

UnfreezeOptions style(const std::string& style) {
  UnfreezeOptions options;
  options.style = style;
  return options;
}

Model frozen_model() {
  return model_of({placeholder("x", {-1, 2}), constant("w", {1, 2, 3, 4}, {2, 2}),
                   node("w/read", "Identity", {"w"}, {{"T", type_value(1)}}),
                   node("mm", "MatMul", {"x", "w/read"}), constant("b", {5, 6}, {2}),
                   node("y", "BiasAdd", {"mm", "b", "^w"})});
}

TEST(Unfreeze, MakesReferenceVariablesWhereReadsSaySo) {
  const PlannedVariable planned(frozen_model());
  EXPECT_EQ(planned.lines(6),
            (Lines{"x = Placeholder()", "w = VariableV2()", "w/read = Identity(w)",
                   "mm = MatMul(x, w/read)", "b = VariableV2()", "y = BiasAdd(mm, b, ^w)"}));
  EXPECT_EQ(planned.names(), (Lines{"w", "b"}));
}

TEST(Unfreeze, MakesResourceVariablesWithTheirReads) {
  const PlannedVariable planned(frozen_model(), style("resource"));
  EXPECT_EQ(planned.lines(6),
            (Lines{"x = Placeholder()", "w = VarHandleOp()", "w/read = ReadVariableOp(w)",
                   "mm = MatMul(x, w/read)", "b = VarHandleOp()",
                   "y = BiasAdd(mm, b/Read/ReadVariableOp, ^w)"}));
  const Node read = find(planned.result->graph, "w/read");
  EXPECT_EQ(type_attr(read, "dtype"), kFloat32);
  EXPECT_FALSE(find_attr(read, "T"));
  EXPECT_EQ(string_attr(find(planned.result->graph, "w"), "shared_name"), "w");
  EXPECT_TRUE(find_attr(find(planned.result->graph, "b/Read/ReadVariableOp"), kAddedAttr));
}

TEST(Unfreeze, AddsInitialisersSaverAndCollections) {
  const PlannedVariable planned(frozen_model(), style("ref"));
  const Graph& graph = planned.result->graph;
  EXPECT_EQ(described(find(graph, "b/Assign")), "b/Assign = Assign(b, b/Initializer/RestoreV2)");
  EXPECT_EQ(described(find(graph, "b/read")), "b/read = Identity(b)");
  EXPECT_EQ(described(find(graph, "b/Initializer/RestoreV2")),
            "b/Initializer/RestoreV2 = RestoreV2(checkpoint_initializer/prefix, "
            "b/Initializer/RestoreV2/tensor_names, checkpoint_initializer/shape_and_slices)");
  const tensorflow::MetaGraphDef& meta = parse_meta(*planned.result);
  EXPECT_EQ(meta.saver_def().restore_op_name(), "save/restore_all");
  const auto defs = variable_defs(meta, "trainable_variables");
  ASSERT_EQ(defs.size(), 2U);
  EXPECT_EQ(defs[0].variable_name(), "w:0");
  EXPECT_EQ(defs[0].snapshot_name(), "w/read:0");
  EXPECT_EQ(defs[1].initializer_name(), "b/Assign");
  EXPECT_EQ(variable_defs(meta, "variables").size(), 2U);
}

TEST(Unfreeze, StoresInitialValuesWhereAsked) {
  UnfreezeOptions options;
  options.initial_values = true;
  const PlannedVariable planned(frozen_model(), options);
  const Graph& graph = planned.result->graph;
  EXPECT_EQ(described(find(graph, "b/Assign")), "b/Assign = Assign(b, b/Initializer/Const)");
  EXPECT_EQ(floats(*planned.result, "b/Initializer/Const"), (std::vector<float>{5, 6}));
}

TEST(Unfreeze, KeepsTheValuesUnderTheVariablesNames) {
  for (const char* kind : {"ref", "resource"}) {
    const PlannedVariable planned(frozen_model(), style(kind));
    const std::vector<Variable> variables = variables_of(*planned.result);
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(floats(value_of(*planned.result, variables[0])), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(floats(value_of(*planned.result, variables[1])), (std::vector<float>{5, 6}));
    EXPECT_TRUE(variables[0].trainable);
  }
}

TEST(Unfreeze, NamesAsTheRulesSay) {
  for (const char* kind : {"ref", "resource"}) {
    UnfreezeOptions options = style(kind);
    options.rename = {"*=*_turned_var"};
    const PlannedVariable planned(frozen_model(), options);
    ASSERT_TRUE(planned.result.ok()) << failure_of(planned.result);
    EXPECT_EQ(planned.names(), (Lines{"w_turned_var", "b_turned_var"}));
    const bool ref = kind == std::string("ref");
    EXPECT_EQ(described(find(planned.result->graph, "w/read")),
              ref ? "w/read = Identity(w_turned_var)" : "w/read = ReadVariableOp(w_turned_var)");
    EXPECT_EQ(described(find(planned.result->graph, "y")),
              ref ? "y = BiasAdd(mm, b_turned_var, ^w_turned_var)"
                  : "y = BiasAdd(mm, b_turned_var/Read/ReadVariableOp, ^w_turned_var)");
    const std::vector<Variable> variables = variables_of(*planned.result);
    ASSERT_EQ(variables.size(), 2U);
    EXPECT_EQ(variables[0].key, "w_turned_var");
    EXPECT_EQ(floats(value_of(*planned.result, variables[1])), (std::vector<float>{5, 6}));
  }
}

std::string int_constant(std::string_view name, int value = 7) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_INT32);
  (void)tensor.mutable_tensor_shape();
  tensor.add_int_val(value);
  return node(name, "Const", {},
              {{"dtype", type_value(3)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

TEST(Unfreeze, RenamesWhatOthersLiveWith) {
  std::string w = constant("w", {1, 2}, {2});
  const auto near = [](const std::string& name, const std::string& op) {
    return node(name, op, {"w"}, {{"_class", string_list_value({"loc:@w", "loc:@x"})}});
  };
  UnfreezeOptions options = style("ref");
  options.rename = {"w=v"};
  const Graph graph =
      PlannedVariable(
          model_of({placeholder("x"), w, near("w/read", "Identity"), near("m", "MatMul")}), options)
          .result->graph;
  const Node near_v = find(graph, "m");
  EXPECT_EQ(described(near_v), "m = MatMul(v)");
  EXPECT_EQ(colocations(near_v), (std::vector<std::string_view>{"v", "x"}));
}

TEST(Unfreeze, GathersFromTheHandleWhereAsked) {
  const auto gather = [](std::string_view name, const std::string& axis) {
    return node(name, "GatherV2", {"table", "ids", axis, "^ids"},
                {{"Taxis", type_value(3)}, {"Tparams", type_value(1)}});
  };
  const Model model = model_of({constant("table", {1, 2, 3, 4}, {2, 2}), placeholder("ids"),
                                int_constant("rows", 0), int_constant("columns", 1),
                                gather("g", "rows"), gather("h", "columns")});
  UnfreezeOptions options = style("resource");
  EXPECT_EQ(described(find(PlannedVariable(model, options).result->graph, "g")),
            "g = GatherV2(table/Read/ReadVariableOp, ids, rows, ^ids)");
  options.resource_gather = true;
  const Graph graph = PlannedVariable(model, options).result->graph;
  EXPECT_EQ(described(find(graph, "g")), "g = ResourceGather(table, ids, ^ids)");
  EXPECT_EQ(type_attr(find(graph, "g"), "dtype"), kFloat32);
  EXPECT_FALSE(find_attr(find(graph, "g"), "Taxis"));
  EXPECT_EQ(described(find(graph, "h")),
            "h = GatherV2(table/Read/ReadVariableOp, ids, columns, ^ids)");
  options.style = "ref";
  EXPECT_EQ(described(find(PlannedVariable(model, options).result->graph, "g")),
            "g = GatherV2(table, ids, rows, ^ids)");
}

TEST(Unfreeze, RefusesNamesThatCannotBe) {
  const auto code = [](const char* rule) {
    UnfreezeOptions options;
    options.rename = {rule};
    const PlannedVariable planned(frozen_model(), options);
    return planned.result ? join(codes(planned.diagnostics), " ") : planned.result.error().code;
  };
  EXPECT_EQ(code("w=mm"), "duplicate-name");
  EXPECT_EQ(code("*=same"), "duplicate-name");
  EXPECT_EQ(code("w=a b"), "bad-option");
  EXPECT_EQ(code("v=u"), "rename-unused");
  EXPECT_EQ(code("w=u"), "");
}

// Half of a model that was frozen partly: its variables stay loadable.
TEST(Unfreeze, KeepsTheVariablesThatAreThere) {
  Model model = model_of({variable("v", {2}, "VarHandleOp"), variable("r", {2}),
                          node("v/Read", "ReadVariableOp", {"v"}, {{"dtype", type_value(1)}}),
                          constant("w", {1, 2, 3, 4}, {2, 2}), node("y", "MatMul", {"v/Read", "w"}),
                          node("z", "Op", {"r"})},
                         checkpoint_of({{"v", {5, 6}}, {"r", {7, 8}}}));
  tensorflow::MetaGraphDef meta;
  auto& listed = *meta.add_collection_def();
  listed.set_key("variables");
  tensorflow::VariableDef def;
  def.set_variable_name("v:0");
  def.set_snapshot_name("v/Read:0");
  listed.mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
  set_meta(model, meta);
  const PlannedVariable planned(model, style("resource"));
  ASSERT_TRUE(planned.result.ok()) << failure_of(planned.result);
  ASSERT_EQ(planned.result->checkpoint->entries.size(), 3U);
  EXPECT_EQ(variable_defs(parse_meta(*planned.result), "variables").size(), 2U);
  EXPECT_EQ(parse_meta(*planned.result).collection_def().size(), 2);
  EXPECT_EQ(described(find(planned.result->graph, "save/SaveV2")),
            "save/SaveV2 = SaveV2(save/Const, save/SaveV2/tensor_names, "
            "save/SaveV2/shape_and_slices, r, v/Read, w/Read/ReadVariableOp)");
}

// Its data file is missing: what cannot be had cannot be saved, and does not hinder the others.
TEST(Unfreeze, LeavesOutTheVariableWhoseValueIsLost) {
  Model model =
      model_of({variable("v", {2}), constant("w", {1, 2}, {2}), node("y", "MatMul", {"v", "w"})},
               checkpoint_of({{"v", {5, 6}}}));
  Checkpoint lost = *model.checkpoint;
  lost.entries[0].fault = std::make_shared<const Diagnostic>();
  model.checkpoint = std::make_shared<const Checkpoint>(lost);
  const PlannedVariable planned(model);
  ASSERT_TRUE(planned.result.ok()) << failure_of(planned.result);
  ASSERT_EQ(planned.result->checkpoint->entries.size(), 1U);
  EXPECT_EQ(planned.result->checkpoint->entries[0].key, "w");
}

TEST(Unfreeze, IsUndoneByFreezing) {
  for (const char* kind : {"ref", "resource"}) {
    const Model model = frozen_model();
    const PlannedVariable planned(model, style(kind));
    FreezeOptions options;
    options.selection.outputs = {"y"};
    Diagnostics diagnostics;
    const auto frozen = freeze(*planned.result, options, {}, diagnostics);
    ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
    EXPECT_EQ(described(frozen->model.graph), described(model.graph)) << kind;
  }
}

TEST(Unfreeze, ReadsNoWeight) {
  const std::string graph = graph_of({constant("w", std::vector<float>(50'000, 1), {100, 500}),
                                      node("y", "MatMul", {"x", "w"})})
                                .skeleton();
  const auto source = std::make_shared<CountingSource>(graph, "w.pb");
  Model model = model_of({});
  model.graph =
      *Graph::parse(*elide(whole(source), message_schema("tensorflow.GraphDef"), *model.payloads));
  const uint64_t before = source->bytes_read();
  const PlannedVariable planned(model);
  EXPECT_EQ(planned.result->checkpoint->entries[0].bytes, 200'000U);
  EXPECT_EQ(source->bytes_read(), before);
}

// A record tells which constants were one variable; a constant alone is not compared with itself.
TEST(Unfreeze, ReadsNoWeightWithARecord) {
  const auto source = std::make_shared<CountingSource>(std::string(200'000, 'w'), "data");
  Checkpoint checkpoint;
  CheckpointEntry entry{"w", DType::kFloat, Shape{false, {100, 500}}, 200'000};
  entry.content = Splice(whole(source));
  checkpoint.entries.push_back(std::move(entry));
  const Model model = model_of({placeholder("x", {-1, 100}), variable("w", {100, 500}),
                                node("y", "MatMul", {"x", "w"}, {{"T", type_value(1)}})},
                               std::make_shared<const Checkpoint>(std::move(checkpoint)));
  Diagnostics diagnostics;
  const auto frozen = freeze(model, {.selection = {.outputs = {"y"}}}, {}, diagnostics);
  ASSERT_TRUE(frozen.ok()) << failure_of(frozen);
  ASSERT_TRUE(unfreeze(frozen->model, {}, diagnostics).ok());
  EXPECT_EQ(source->bytes_read(), 0U);
}

Lines weights(const std::vector<std::string>& nodes, const UnfreezeOptions& options = {}) {
  return PlannedVariable(model_of(nodes), options).names();
}

TEST(Weights, AreWhatKernelsBiasesAndEmbeddingsTake) {
  EXPECT_EQ(weights({constant("k", {1, 2}, {2}), node("c", "Conv2D", {"x", "k"})}), Lines{"k"});
  EXPECT_EQ(weights({constant("t", {1, 2}, {2, 1}), node("g", "GatherV2", {"t", "ids", "axis"}),
                     int_constant("axis")}),
            Lines{"t"});
  EXPECT_EQ(weights({constant("k", {1, 2}, {2}), node("i", "Identity", {"k"}),
                     node("r", "Reshape", {"i", "s"}), node("m", "MatMul", {"r", "x"})}),
            Lines{"k"});
  EXPECT_EQ(weights({constant("a", {1, 2}, {2}), constant("b", {1, 2}, {2}),
                     node("c", "ConcatV2", {"a", "b", "axis"}), node("m", "MatMul", {"x", "c"})}),
            (Lines{"a", "b"}));
}

TEST(Weights, OfArithmeticAreNotItsScalars) {
  EXPECT_EQ(weights({constant("bias", {1, 2}, {2}), node("a", "Add", {"x", "bias"}),
                     constant("half", {0.5}, {}), node("m", "Mul", {"a", "half"})}),
            Lines{"bias"});
}

TEST(Weights, OfABatchNormAreTrainableOrStatistics) {
  const PlannedVariable planned(
      model_of({constant("scale", {1, 2}, {2}), constant("offset", {1, 2}, {2}),
                constant("mean", {1, 2}, {2}), constant("variance", {1, 2}, {2}),
                node("n", "FusedBatchNormV3", {"x", "scale", "offset", "mean", "variance"})}));
  EXPECT_EQ(planned.names().size(), 4U);
  const auto defs = variable_defs(parse_meta(*planned.result), "trainable_variables");
  ASSERT_EQ(defs.size(), 2U);
  EXPECT_EQ(defs[1].variable_name(), "offset:0");
}

TEST(Weights, AreNotShapesAxesOrWhatWaits) {
  EXPECT_EQ(weights({int_constant("s"), node("r", "Reshape", {"x", "s"}),
                     node("m", "MatMul", {"r", "x"})}),
            Lines{});
  std::string waiting = constant("k", {1, 2}, {2});
  put_bytes_field(waiting, 3, "^x");
  EXPECT_EQ(weights({waiting, node("m", "MatMul", {"x", "k"})}), Lines{});
}

TEST(Weights, AreChosenByHand) {
  const std::vector<std::string> nodes = {
      constant("a/w", {1, 2}, {2}), node("m", "MatMul", {"x", "a/w"}), constant("b/w", {1, 2}, {2}),
      node("n", "MatMul", {"m", "b/w"}), int_constant("step")};
  UnfreezeOptions options;
  options.weights.exclude = {"a/*"};
  EXPECT_EQ(weights(nodes, options), Lines{"b/w"});
  options.weights.exclude = {};
  options.weights.constants = {"a/*", "step"};
  EXPECT_EQ(weights(nodes, options), (Lines{"a/w", "step"}));
}

TEST(Weights, ThatAreNoneAreAnError) {
  const PlannedVariable planned(model_of({placeholder("x")}));
  EXPECT_EQ(planned.result.error().code, "no-weights");
  EXPECT_NE(planned.result.error().fix, "");
  EXPECT_EQ(PlannedVariable(frozen_model(), style("other")).result.error().code, "bad-option");
}

// 400 inputs a node, six nodes deep: there are 400^6 ways, and they all lead to one place.
TEST(Weights, OfManyWaysAreFoundSoon) {
  std::vector<std::string> nodes = {constant("w0", {1, 2}, {2})};
  for (int i = 1; i < 6; ++i)
    nodes.push_back(node(cat("w", i), "Pack", Lines(400, cat("w", i - 1))));
  nodes.push_back(node("end", "Softmax", {"w5"}));
  EXPECT_EQ(weights(nodes), Lines{});
}

TEST(Unfreeze, NamesWhatItAddsAsIsFree) {
  Model model = frozen_model();
  GraphBuilder builder(model.graph);
  for (const Node& each : model.graph.nodes()) builder.add(each);
  for (const char* name : {"b/read", "b/Assign", "b/Initializer/RestoreV2", "save/Const"})
    builder.add(node(name, "NoOp"));
  model.graph = builder.finish();
  const Graph graph = PlannedVariable(model, style("ref")).result->graph;
  EXPECT_EQ(described(find(graph, "b/Assign_1")),
            "b/Assign_1 = Assign(b, b/Initializer/RestoreV2_1)");
  EXPECT_EQ(described(find(graph, "b/read_1")), "b/read_1 = Identity(b)");
  EXPECT_EQ(described(find(graph, "save_1/restore_all")),
            "save_1/restore_all = NoOp(^save_1/Assign, ^save_1/Assign_1)");
}

}  // namespace
}  // namespace cryo
