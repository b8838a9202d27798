#include "passes/freeze/signature_names.h"

#include "functions.h"
#include "only_model.h"
#include "passes/common/select_outputs.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

const tensorflow::FunctionDef kServe =
    body("serve", {{"a", kFloat32}, {"h", kResource}},
         {{"p", kFloat32, "mul:z:0"}, {"q", kFloat32, "a"}},
         {read_of("read", "h"), typed("mul", "Mul", {"a", "read:value:0"})});

using Names = std::vector<std::pair<std::string, std::string>>;

void add_signature(tensorflow::MetaGraphDef& meta, const std::string& key, const Names& inputs,
                   const Names& outputs) {
  auto& entry = *meta.add_signature_def();
  entry.set_key(key);
  for (const auto& each : inputs) {
    auto& input = *entry.mutable_value()->add_inputs();
    input.set_key(each.first);
    input.mutable_value()->set_name(each.second);
  }
  for (const auto& each : outputs) {
    auto& output = *entry.mutable_value()->add_outputs();
    output.set_key(each.first);
    output.mutable_value()->set_name(each.second);
    output.mutable_value()->set_dtype(tensorflow::DT_FLOAT);
  }
}

Model served(const std::vector<std::pair<std::string, Names>>& signatures,
             const Names& inputs = {{"x", "serving_default_x:0"}}) {
  Model model{Kind::kSavedModel,
              "model",
              {},
              true,
              graph_of(Parts{{placeholder("serving_default_x"), variable("w", {2}, "VarHandleOp"),
                              call_of("Call", "serve", {"serving_default_x", "w"},
                                      {kFloat32, kResource}, {kFloat32, kFloat32}),
                              typed("plain", "Relu", {"serving_default_x"})},
                             {kServe}})};
  model.checkpoint = checkpoint_of({{"w", {1, 2}}});
  tensorflow::MetaGraphDef meta;
  for (const auto& each : signatures) add_signature(meta, each.first, inputs, each.second);
  set_meta(model, meta);
  return model;
}

struct FrozenSignatures {
  explicit FrozenSignatures(const Model& model, const Selection& selection = {}) {
    result = only_model(freeze(model, {.selection = selection}, OpData{&ops()}, diagnostics));
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }
  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(SignatureNames, AreThoseOfThePlainGraph) {
  const FrozenSignatures frozen(
      served({{"serving_default", {{"p out:0", "Call:0"}, {"q", "Call:1"}}}}));
  EXPECT_EQ(frozen.lines(), (Lines{"x = Placeholder()", "w = Const()", "Call/read = Identity(w)",
                                   "Call/mul = Mul(x, Call/read)", "p_out_0 = Identity(Call/mul)",
                                   "q = Identity(x)"}));
  EXPECT_EQ(frozen.result->outputs, (Lines{"p_out_0", "q"}));
  const auto reported = codes(frozen.diagnostics);
  EXPECT_EQ(std::count(reported.begin(), reported.end(), "renamed"), 1);
  const auto& meta = parse_meta(*frozen.result);
  ASSERT_EQ(meta.signature_def_size(), 1);
  EXPECT_EQ(meta.signature_def(0).value().inputs(0).value().name(), "x:0");
  EXPECT_EQ(meta.signature_def(0).value().outputs(0).value().name(), "p_out_0:0");
}

TEST(SignatureNames, OfOrdinaryNodesStayWhatTheyAre) {
  const FrozenSignatures frozen(served({{"serving_default", {{"out", "plain:0"}}}}));
  EXPECT_EQ(frozen.lines(),
            (Lines{"serving_default_x = Placeholder()", "plain = Relu(serving_default_x)"}));
}

TEST(SignatureNames, AreUnique) {
  const FrozenSignatures frozen(served({{"serving_default", {{"x", "Call:1"}, {"w", "Call:0"}}}}));
  EXPECT_EQ(frozen.result->outputs, (Lines{"x_1", "w_1"}));
}

TEST(SignatureNames, GiveWayToOutputsThatAPersonNames) {
  Selection selection;
  selection.outputs = {"Call:1"};
  const FrozenSignatures frozen(served({{"serving_default", {{"p", "Call:0"}}}}), selection);
  EXPECT_EQ(frozen.lines(),
            (Lines{"serving_default_x = Placeholder()", "w = Const()",
                   "Call = IdentityN(Call/mul, serving_default_x)", "Call/read = Identity(w)",
                   "Call/mul = Mul(serving_default_x, Call/read)"}));
  selection.outputs = {"Call/mul"};
  EXPECT_EQ(
      FrozenSignatures(served({{"serving_default", {{"p", "Call:0"}}}}), selection).lines().back(),
      "Call/mul = Mul(serving_default_x, Call/read)")
      << "a node of a body can be named as it will be";
}

TEST(ChosenOutputs, AreOfTheOnlySignatureOrTheDefaultOrThoseAskedFor) {
  const auto chosen = [](const Model& model, const Lines& signatures) {
    Diagnostics diagnostics;
    const auto chosen = with_chosen_outputs(model, {.signatures = signatures}, diagnostics);
    return chosen ? join(chosen->outputs, " ") : failure_of(chosen);
  };
  const Model one = served({{"only", {{"p", "Call:0"}}}});
  const Model several =
      served({{"a", {{"p", "Call:0"}}}, {"b", {{"q", "Call:1"}, {"p", "Call:0"}}}});
  const Model with_default =
      served({{"a", {{"p", "Call:0"}}}, {"serving_default", {{"q", "Call:1"}}}});
  EXPECT_EQ(chosen(one, {}), "Call");
  EXPECT_EQ(chosen(with_default, {}), "Call:1");
  EXPECT_EQ(chosen(several, {"b", "a"}), "Call:1 Call");
  EXPECT_EQ(chosen(several, {}), "several-signatures: the model has 2 signatures: 'a', 'b'");
  EXPECT_EQ(chosen(several, {"c"}), "no-signature: there is no signature 'c' with outputs");
}

TEST(SignatureKeys, AreOutputsAndInputsWhereNoNodeHasTheName) {
  const auto resolved = [](const Model& model, const Selection& requested) {
    const auto found = with_signature_keys(model, requested);
    if (!found) return failure_of(found);
    return cat(join(found->outputs, " "), " of ", join(found->signatures, " "), " from ",
               join(found->inputs, " "));
  };
  const Names inputs = {{"image", "serving_default_x:0"}};
  const Model one = served({{"only", {{"p", "Call:0"}, {"q", "Call:1"}}}}, inputs);
  EXPECT_EQ(resolved(one, {.outputs = {"q", "plain"}, .inputs = {"image"}}),
            "Call:1 plain of only from serving_default_x");
  EXPECT_EQ(resolved(one, {.outputs = {"other"}}), "other of  from ");
  const Model two = served({{"a", {{"p", "Call:0"}}}, {"b", {{"p", "Call:1"}}}}, inputs);
  EXPECT_EQ(resolved(two, {.outputs = {"p"}, .signatures = {"b"}}), "Call:1 of b from ");
  EXPECT_EQ(resolved(two, {.outputs = {"p"}}),
            "several-signatures: 'p' is of several signatures: 'a', 'b'");
  const Model by_default =
      served({{"a", {{"p", "Call:0"}}}, {"serving_default", {{"p", "Call:1"}}}}, inputs);
  EXPECT_EQ(resolved(by_default, {.outputs = {"p"}}), "Call:1 of serving_default from ");
}

// A cut within a call needs its nodes; its outputs keep the names of the signature.
TEST(SignatureNames, AreKeptByACutWithinACall) {
  Selection selection;
  selection.inputs = {"Call/read"};
  const FrozenSignatures frozen(served({{"serving_default", {{"p", "Call:0"}}}}), selection);
  EXPECT_EQ(frozen.lines().back(), "p = Identity(Call/mul)");
}

TEST(Initializers, KeepsWhatFillsTheTablesThatAreAsked) {
  const auto fill =
      body("fill", {{"table", kResource}}, {},
           {constant("k", {1}, {}),
            node("import", "LookupTableImportV2", {"table", "k:output:0", "k:output:0"},
                 {{"Tin", type_value(1)}, {"Tout", type_value(1)}})},
           {"import"});
  Model model{
      Kind::kSavedModel,
      "model",
      {},
      true,
      graph_of(Parts{{placeholder("x"), node("asked", "HashTableV2"), node("idle", "HashTableV2"),
                      call_of("fill_asked", "fill", {"asked"}, {kResource}, {}),
                      call_of("fill_idle", "fill", {"idle"}, {kResource}, {}),
                      node("init", "NoOp", {"^fill_asked", "^fill_idle"}),
                      node("y", "LookupTableFindV2", {"asked", "x", "x"})},
                     {fill}})};
  tensorflow::MetaGraphDef meta;
  add_signature(meta, "__saved_model_init_op", {}, {{"__saved_model_init_op", "init"}});
  add_signature(meta, "serving_default", {}, {{"y", "y:0"}});
  set_meta(model, meta);
  const FrozenSignatures frozen(model);
  EXPECT_EQ(
      frozen.lines(),
      (Lines{"x = Placeholder()", "asked = HashTableV2()", "fill_asked/k = Const()",
             "fill_asked/import = LookupTableImportV2(asked, fill_asked/k, fill_asked/k)",
             "y = LookupTableFindV2(asked, x, x)", "init_all_tables = NoOp(^fill_asked/import)"}));
  const auto& after = parse_meta(*frozen.result);
  EXPECT_EQ(after.collection_def(0).value().node_list().value(0), "init_all_tables");
}

// A table that grows as it is used is empty at first, and may be asked.
TEST(Initializers, WarnsOfATableThatNothingFills) {
  const Model model =
      model_of({placeholder("x"), node("table", "HashTableV2"), node("grows", "MutableHashTableV2"),
                node("known", "LookupTableFindV2", {"table", "x", "x"}),
                node("y", "LookupTableFindV2", {"grows", "known", "x"})});
  const FrozenSignatures frozen(model, {.outputs = {"y"}});
  Lines warned;
  for (const Diagnostic& each : frozen.diagnostics.all()) {
    if (each.code == "table-not-filled") warned.push_back(each.where.node);
  }
  EXPECT_EQ(warned, Lines{"table"}) << frozen.lines().front();
}

TEST(Initializers, GivesVariablesThatNoCheckpointHasTheirFirstValue) {
  Model model{
      Kind::kSavedModel,
      "model",
      {},
      true,
      graph_of(
          {placeholder("path"), variable("v", {}, "VarHandleOp"),
           node("v/Assign", "AssignVariableOp", {"v", "path"}), node("init", "NoOp", {"^v/Assign"}),
           node("read", "ReadVariableOp", {"v", "^v/Assign"}, {{"dtype", type_value(kFloat32)}}),
           typed("y", "Relu", {"read"})})};
  tensorflow::MetaGraphDef meta;
  add_signature(meta, "__saved_model_init_op", {}, {{"__saved_model_init_op", "init"}});
  auto& asset = *meta.add_asset_file_def();
  asset.set_filename("vocabulary.txt");
  asset.mutable_tensor_info()->set_name("path:0");
  set_meta(model, meta);
  const FrozenSignatures frozen(model, {.outputs = {"y"}});
  EXPECT_EQ(frozen.lines(), (Lines{"path = Const()", "v = Identity(path)", "read = Identity(v)",
                                   "y = Relu(read)"}));
  EXPECT_EQ(codes(frozen.diagnostics).back(), "asset-needed");
}

}  // namespace
}  // namespace cryo
