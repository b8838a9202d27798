#include "verbs/prune.h"

#include <gtest/gtest.h>

#include "graph/functions/functions_needed.h"
#include "graph/op_registry.h"
#include "graphs.h"
#include "model/analysis/stats.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "native/embedded_ops.h"
#include "only_model.h"
#include "wire_message.h"

namespace cryo {
namespace {

const std::vector<std::string> kNodes = {
    placeholder("x", {-1, 2}),
    variable("w", {2, 3}),
    node("init", "NoOp"),
    node("mm", "MatMul", {"x", "w", "^init"}, {{"T", type_value(1)}}),
    node("Split", "Split", {"axis", "mm"}, {{"T", type_value(1)}, {"num_split", int_value(2)}}),
    node("axis", "Const"),
    node("out", "Add", {"Split:1", "Split"}, {{"T", type_value(1)}}),
    node("loss", "Sum", {"out"}),
};

struct Pruned {
  Pruned(const Model& model, const std::vector<std::string>& outputs,
         const std::vector<std::string>& inputs = {}) {
    const Selection selection{.outputs = outputs, .inputs = inputs};
    result = only_model(prune(model, {.selection = selection}, nullptr, diagnostics));
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(Prune, KeepsWhatTheOutputsNeedInItsOrder) {
  EXPECT_EQ(Pruned(model_of(kNodes), {"mm"}).lines(),
            (Lines{"x = Placeholder()", "w = VariableV2()", "init = NoOp()",
                   "mm = MatMul(x, w, ^init)"}));
  EXPECT_EQ(Pruned(model_of(kNodes), {"axis", "init:0"}).lines(),
            (Lines{"init = NoOp()", "axis = Const()"}));
}

TEST(Prune, KeepsTheBytesOfTheNodes) {
  const Model model = model_of(kNodes);
  const Pruned pruned(model, {"out"});
  for (const Node& node : pruned.result->graph.nodes()) {
    EXPECT_EQ(node.bytes, find(model.graph, node.name).bytes);
  }
}

TEST(Prune, OfAllIsTheModelItself) {
  const Model model = model_of(kNodes);
  EXPECT_EQ(Pruned(model, {"loss"}).result->graph.skeleton(), model.graph.skeleton());
}

TEST(Prune, CountsOfTheCheckpointWhatIsWritten) {
  const Model model =
      model_of({placeholder("x"), variable("w", {2}), variable("w/Adam", {99}),
                node("y", "Mul", {"x", "w"}), node("step", "ApplyAdam", {"w", "w/Adam", "y"})},
               checkpoint_of({{"w", {1, 2}}, {"w/Adam", std::vector<float>(99)}}));
  const Pruned pruned(model, {"y"});
  const uint64_t graph = pruned.result->graph.skeleton().size();
  const uint64_t bytes = stats_of(*pruned.result).bytes;
  EXPECT_GE(bytes, 8U);
  EXPECT_LE(bytes, graph + pruned.result->meta.bytes().size() + 8) << "the slot stays behind";
}

TEST(Prune, PutsAPlaceholderWhereItIsCut) {
  const Pruned pruned(model_of(kNodes), {"out"}, {"mm"});
  EXPECT_EQ(pruned.lines(), (Lines{"mm = Placeholder()", "Split = Split(axis, mm)",
                                   "axis = Const()", "out = Add(Split:1, Split)"}));
  EXPECT_EQ(type_attr(find(pruned.result->graph, "mm"), "dtype"), 1);
}

TEST(Prune, NamesThePlaceholderOfAnotherPortAfterIt) {
  EXPECT_EQ(
      Pruned(model_of(kNodes), {"out"}, {"Split:1", "Split:0"}).lines(),
      (Lines{"Split_1 = Placeholder()", "Split = Placeholder()", "out = Add(Split_1, Split)"}));
  // If the node is kept for another port, its name is taken.
  const Pruned partly(model_of(kNodes), {"out"}, {"Split:0"});
  EXPECT_EQ(partly.lines().back(), "out = Add(Split:1, Split_0)");
  EXPECT_EQ(codes(partly.diagnostics), Lines{"input-stays"});
}

TEST(Prune, CutsAllOutputsOfANodeThatAreTaken) {
  const Lines all = {"Split = Placeholder()", "Split_1 = Placeholder()",
                     "out = Add(Split_1, Split)"};
  const Pruned pruned(model_of(kNodes), {"out"}, {"Split"});
  EXPECT_EQ(pruned.lines(), all);
  EXPECT_EQ(codes(pruned.diagnostics), Lines{});
  std::vector<std::string> nodes = kNodes;
  nodes.push_back(node("training", "Neg", {"Split:1"}, {{"T", type_value(1)}}));
  nodes.push_back(node("first", "Neg", {"Split"}, {{"T", type_value(1)}}));
  EXPECT_EQ(Pruned(model_of(nodes), {"first"}, {"Split"}).lines(),
            (Lines{"Split = Placeholder()", "first = Neg(Split)"}));
}

// Updates of a cut variable go with it: nothing waits for them.
TEST(Prune, DropsUpdatesOfACutVariable) {
  const Attrs floats = {{"T", type_value(1)}};
  const Model references = model_of({placeholder("x"), variable("state", {1}),
                                     node("next", "Add", {"state", "x"}, floats),
                                     node("keep", "Assign", {"state", "next"}, floats),
                                     node("y", "Identity", {"next", "^keep"}, floats)});
  EXPECT_EQ(Pruned(references, {"y"}, {"state", "x"}).lines(),
            (Lines{"x = Placeholder()", "state = Placeholder()", "next = Add(state, x)",
                   "y = Identity(next)"}));
  const Model handles =
      model_of({placeholder("x"), variable("state", {1}, "VarHandleOp"),
                node("read", "ReadVariableOp", {"state"}, {{"dtype", type_value(1)}}),
                node("again", "ReadVariableOp", {"state"}, {{"dtype", type_value(1)}}),
                node("next", "Add", {"read", "again"}, floats),
                node("keep", "AssignVariableOp", {"state", "next"}, {{"dtype", type_value(1)}}),
                node("y", "Identity", {"next", "^keep"}, floats)});
  const Pruned pruned(handles, {"y"}, {"state"});
  EXPECT_EQ(pruned.lines(),
            (Lines{"state = Placeholder()", "next = Add(state, state)", "y = Identity(next)"}));
  EXPECT_EQ(type_attr(find(pruned.result->graph, "state"), "dtype"), 1);
}

TEST(Prune, LeavesAPlaceholderThatIsAnInputAsItIs) {
  const Model model = model_of(kNodes);
  EXPECT_EQ(Pruned(model, {"mm"}, {"x"}).lines(), Pruned(model, {"mm"}).lines());
}

TEST(Prune, CutsControlEdgesOfACutNode) {
  EXPECT_EQ(Pruned(model_of(kNodes), {"mm"}, {"init"}).lines()[0],
            "unknown-type: the type of init:0 is unknown: op NoOp is not known");
}

TEST(Prune, NamesWhatIsNotThereAndWhatLooksAlike) {
  const Pruned pruned(model_of(kNodes), {"scope/out"});
  EXPECT_EQ(pruned.lines(), Lines{"not-in-graph: scope/out is not in graph"});
  EXPECT_EQ(pruned.result.error().fix, "there is out");
  for (const char* name : {"", "^init", "nope:1"}) {
    EXPECT_EQ(Pruned(model_of(kNodes), {name}).result.error().code, "not-in-graph") << name;
  }
  EXPECT_EQ(Pruned(model_of(kNodes), {"out"}, {"nope"}).result.error().code, "not-in-graph");
}

TEST(Prune, RefusesAPortThatAnOutputDoesNotHave) {
  PruneOptions options;
  Diagnostics diagnostics;
  const OpRegistry ops = *OpRegistry::parse(std::string(embedded_ops()));
  const auto code = [&](const char* output) {
    options.selection.outputs = {output};
    return failure_of(prune(model_of(kNodes), options, &ops, diagnostics));
  };
  EXPECT_EQ(code("Split:1"), "ok");
  EXPECT_EQ(code("Split:2"), "not-in-graph: Split:2 is not in graph: Split 'Split' has 2 outputs");
  EXPECT_EQ(code("mm:4"), "not-in-graph: mm:4 is not in graph: MatMul 'mm' has 1 output");
}

TEST(Prune, RefusesAGraphThatLacksWhatAnOutputNeeds) {
  const Model model =
      model_of({node("y", "Op", {"a", "nope:1"}), node("a", "Op"), node("z", "Op")});
  EXPECT_EQ(Pruned(model, {"y"}).lines(),
            Lines{"unknown-input: Node 'y': Unknown input node 'nope:1'"});
  EXPECT_EQ(Pruned(model, {"z"}).lines(), Lines{"z = Op()"});
}

TEST(Prune, LosesColocationsWithWhatGoes) {
  const auto at = [](const Lines& partners) {
    return Attrs{{"_class", string_list_value(partners)}, {"a", int_value(1)}};
  };
  const Model model =
      model_of({node("w", "Op"), node("gone", "Op"), node("a", "Op", {"w"}, at({"loc:@w"})),
                node("b", "Op", {"a"}, at({"loc:@gone", "loc:@w"})),
                node("c", "Op", {"b"}, at({"loc:@gone"}))});
  const Pruned pruned(model, {"c"});
  EXPECT_EQ(pruned.lines(), (Lines{"w = Op()", "a = Op(w)", "b = Op(a)", "c = Op(b)"}));
  EXPECT_EQ(find(pruned.result->graph, "a").bytes, find(model.graph, "a").bytes);
  EXPECT_EQ(colocations(find(pruned.result->graph, "b")), std::vector<std::string_view>{"w"});
  EXPECT_FALSE(find_attr(find(pruned.result->graph, "c"), "_class"));
  EXPECT_EQ(int_attr(find(pruned.result->graph, "c"), "a"), 1);
}

TEST(Prune, FollowsLoopsAndEnds) {
  const Model model = model_of({node("enter", "Enter"), node("merge", "Merge", {"enter", "next"}),
                                node("next", "NextIteration", {"merge"}), node("other", "Op")});
  EXPECT_EQ(Pruned(model, {"merge"}).lines().size(), 3U);
}

TEST(Prune, WithoutOutputsTakesTheLikelyOnesAndSaysSo) {
  const Pruned certain(model_of({placeholder("x"), node("y", "Op", {"x"}), node("done", "NoOp")}),
                       {});
  EXPECT_EQ(certain.lines(), (Lines{"x = Placeholder()", "y = Op(x)"}));
  EXPECT_EQ(certain.result->outputs, Lines{"y"});
  EXPECT_EQ(codes(certain.diagnostics), Lines{"output-chosen"});
  const Pruned guess(model_of({placeholder("x"), node("y", "Op", {"x"}), node("z", "Op", {"x"})}),
                     {});
  EXPECT_EQ(codes(guess.diagnostics), (Lines{"output-chosen", "output-chosen", "output-guessed"}));
  EXPECT_EQ(guess.result->outputs, (Lines{"y", "z"}));
  EXPECT_EQ(Pruned(model_of({}), {}).result.error().code, "no-outputs");
}

TEST(Prune, ReportsAnInputThatNoOutputNeeds) {
  const Pruned unused(model_of(kNodes), {"axis"}, {"mm", "x"});
  EXPECT_EQ(codes(unused.diagnostics), (Lines{"input-unused", "input-unused"}));
  EXPECT_EQ(codes(Pruned(model_of(kNodes), {"mm"}, {"x"}).diagnostics), Lines{});
  EXPECT_EQ(codes(Pruned(model_of(kNodes), {"mm"}, {"mm"}).diagnostics), Lines{});
}

// f calls g in its body, h is g's gradient, k that which g's node asks for by its registered type;
// i and j call each other and nobody calls them.
std::string with_library() {
  const auto function = [](const std::string& name, const std::string& op) {
    const Attrs attrs = name == "g" ? Attrs{{"_gradient_op_type", string_value("K")}} : Attrs{};
    return WireMessage()
        .message(1, WireMessage().bytes(1, name))
        .bytes(3, node("n", op, {}, attrs));
  };
  const WireMessage library = WireMessage()
                                  .message(1, function("f", "g"))
                                  .message(1, function("g", "Op"))
                                  .message(1, function("h", "Op"))
                                  .message(1, function("i", "j"))
                                  .message(1, function("j", "i"))
                                  .message(1, function("k", "Op"))
                                  .message(2, WireMessage().bytes(1, "g").bytes(2, "h"))
                                  .message(3, WireMessage().bytes(1, "k").bytes(2, "K"))
                                  .message(3, WireMessage().bytes(1, "i").bytes(2, "I"));
  return serialise(
      WireMessage().bytes(1, node("call", "f")).bytes(1, node("y", "Op")).message(2, library));
}

Lines names_of(const std::vector<Function>& functions) {
  Lines names;
  for (const Function& each : functions) names.emplace_back(each.name);
  return names;
}

TEST(Prune, KeepsTheFunctionsThatAreReached) {
  Model model = model_of({});
  model.graph = *Graph::parse(with_library());
  EXPECT_EQ(names_of(Pruned(model, {"call"}).result->graph.functions()),
            (Lines{"f", "g", "h", "k"}));
  EXPECT_EQ(names_of(Pruned(model, {"y"}).result->graph.functions()), Lines{});
  EXPECT_EQ(names_of(functions_needed({*scan_node(node("n", "j"))}, model.graph)),
            (Lines{"i", "j"}));
}

TEST(Prune, KeepsTheGradientsOfTheFunctionsThatItKeeps) {
  Model model = model_of({});
  model.graph = *Graph::parse(with_library());
  const auto described = [&](const std::string& output) {
    const Graph graph = Pruned(model, {output}).result->graph;
    Lines lines;
    for (const Gradient& each : graph.gradients())
      lines.push_back(cat(each.of, " ", each.function));
    for (const Gradient& each : graph.registered_gradients()) {
      lines.push_back(cat(each.of, " ", each.function));
    }
    return lines;
  };
  EXPECT_EQ(described("call"), (Lines{"g h", "K k"}));
  EXPECT_EQ(described("y"), Lines{});
}

const std::vector<std::string> kTables = {
    placeholder("x", {-1}),
    node("keys", "Const"),
    node("table", "HashTableV2"),
    node("fill", "InitializeTableV2", {"table", "keys", "lengths"}),
    node("lengths", "LookupTableFindV2", {"other", "keys", "x"}),
    node("other", "HashTableV2"),
    node("fill_other", "call", {"other"}),
    node("idle", "HashTableV2"),
    node("fill_idle", "InitializeTableV2", {"idle", "keys", "keys"}),
    node("group", "NoOp", {"^fill", "^fill_idle"}),
    node("init", "NoOp", {"^group", "^fill_other"}),
    node("found", "LookupTableFindV2", {"table", "x", "x"}),
};

TEST(Prune, KeepsWhatFillsTheTablesThatItKeeps) {
  Model model = model_of(kTables);
  tensorflow::MetaGraphDef meta;
  set_init_op(meta, "init");
  set_meta(model, meta);
  const Pruned pruned(model, {"found"});
  EXPECT_EQ(pruned.lines(),
            (Lines{"x = Placeholder()", "keys = Const()", "table = HashTableV2()",
                   "fill = InitializeTableV2(table, keys, lengths)",
                   "lengths = LookupTableFindV2(other, keys, x)", "other = HashTableV2()",
                   "fill_other = call(other)", "group = NoOp(^fill)",
                   "init = NoOp(^group, ^fill_other)", "found = LookupTableFindV2(table, x, x)"}));
  EXPECT_TRUE(names_init_op(parse_meta(*pruned.result)));
  EXPECT_EQ(Pruned(model, {"keys"}).lines(), Lines{"keys = Const()"});
  EXPECT_FALSE(names_init_op(parse_meta(*Pruned(model, {"keys"}).result)));
}

// Only what is known to fill a table, and what waits for just that.
TEST(Prune, FindsWhatFillsTheTablesOfABareGraph) {
  EXPECT_EQ(Pruned(model_of(kTables), {"found"}).lines(),
            (Lines{"x = Placeholder()", "keys = Const()", "table = HashTableV2()",
                   "fill = InitializeTableV2(table, keys, lengths)",
                   "lengths = LookupTableFindV2(other, keys, x)", "other = HashTableV2()",
                   "group = NoOp(^fill)", "found = LookupTableFindV2(table, x, x)"}));
}

tensorflow::MetaGraphDef meta_with_everything() {
  tensorflow::MetaGraphDef meta;
  meta.mutable_saver_def()->set_restore_op_name("init");
  for (const char* output : {"out:0", "loss:0"}) {
    auto* entry = meta.add_signature_def();
    entry->set_key(cat("to ", output));
    auto* named = entry->mutable_value()->add_outputs();
    named->set_key("y");
    named->mutable_value()->set_name(output);
  }
  const auto add = [&](const char* key) {
    meta.add_collection_def()->set_key(key);
    return meta.mutable_collection_def(meta.collection_def_size() - 1)->mutable_value();
  };
  auto* nodes = add("losses")->mutable_node_list();
  nodes->add_value("loss:0");
  auto* mixed = add("mixed")->mutable_node_list();
  mixed->add_value("loss:0");
  mixed->add_value("mm:0");
  for (const char* name : {"w", "gone"}) {
    tensorflow::VariableDef def;
    def.set_variable_name(cat(name, ":0"));
    def.set_initializer_name("init");
    def.set_snapshot_name("w:0");
    auto* value = std::string_view(name) == "w" ? add("variables") : add("trainable_variables");
    value->mutable_bytes_list()->add_value(def.SerializeAsString());
  }
  add("while_context")->mutable_bytes_list()->add_value("?");
  add("numbers")->mutable_int64_list()->add_value(5);
  return meta;
}

TEST(Prune, ASignatureSaysWhereTheGraphBeginsToo) {
  Model model = model_of(kNodes);
  tensorflow::MetaGraphDef meta;
  auto& signature = *meta.add_signature_def();
  signature.set_key("serving_default");
  const auto name = [](auto* arguments, const char* key, const char* tensor) {
    auto* argument = arguments->Add();
    argument->set_key(key);
    argument->mutable_value()->set_name(tensor);
  };
  name(signature.mutable_value()->mutable_inputs(), "half", "Split:1");
  name(signature.mutable_value()->mutable_inputs(), "x", "x:0");
  name(signature.mutable_value()->mutable_outputs(), "y", "out:0");
  set_meta(model, meta);
  const Pruned pruned(model, {});
  ASSERT_EQ(pruned.lines(),
            (Lines{"x = Placeholder()", "w = VariableV2()", "init = NoOp()",
                   "mm = MatMul(x, w, ^init)", "Split = Split(axis, mm)", "Split_1 = Placeholder()",
                   "axis = Const()", "out = Add(Split_1, Split)"}));
  const tensorflow::MetaGraphDef& after = parse_meta(*pruned.result);
  const auto& inputs = after.signature_def(0).value().inputs();
  EXPECT_EQ(inputs.Get(0).value().name(), "Split_1:0");
  EXPECT_EQ(inputs.Get(1).value().name(), "x:0");
}

TEST(Prune, TrimsWhatNamesNodesThatWent) {
  Model model = model_of(kNodes);
  set_meta(model, meta_with_everything());
  const Pruned pruned(model, {"out"});
  const tensorflow::MetaGraphDef& meta = parse_meta(*pruned.result);
  Lines collections;
  for (const auto& entry : meta.collection_def()) collections.push_back(entry.key());
  EXPECT_EQ(collections, (Lines{"mixed", "variables", "numbers"}));
  EXPECT_EQ(meta.collection_def(0).value().node_list().value_size(), 1);
  ASSERT_EQ(meta.signature_def_size(), 1);
  EXPECT_EQ(meta.signature_def(0).key(), "to out:0");
  EXPECT_FALSE(meta.has_saver_def());
  EXPECT_EQ(codes(pruned.diagnostics), (Lines{"signature-dropped", "collection-dropped"}));
}

}  // namespace
}  // namespace cryo
