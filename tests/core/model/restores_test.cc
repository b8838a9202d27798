#include "model/restores.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/string_tensor.h"
#include "model/variables.h"

namespace cryo {
namespace {

std::string strings(std::string_view name, const std::vector<std::string>& values) {
  return node(name, "Const", {},
              {{"dtype", type_value(7)}, {"value", tensor_value(string_vector(values))}});
}

// A saver that restores w from "saved/w" and part of v from "saved/v"; another, older, assignment.
const std::vector<std::string> kSaved = {
    variable("w", {2}),
    variable("v", {2}, "VarHandleOp"),
    variable("u", {2}),
    strings("save/names", {"saved/w", "saved/v"}),
    strings("save/slices", {"", "4 0,2"}),
    node("save/RestoreV2", "RestoreV2", {"save/Const", "save/names", "save/slices"}),
    node("save/Assign", "Assign", {"w", "save/RestoreV2"}),
    node("save/Identity", "Identity", {"save/RestoreV2:1"}),
    node("save/AssignVariableOp", "AssignVariableOp", {"v", "save/Identity"}),
    node("save/restore_all", "NoOp", {"^save/Assign", "^save/AssignVariableOp"}),
    node("u/Assign", "Assign", {"u", "save/RestoreV2"}),
};

Restores restores_of(const std::vector<std::string>& nodes, const std::string& op) {
  return find_restores(graph_of(nodes), op, Payloads());
}

TEST(Restores, FollowTheSaversAssignments) {
  const Restores found = restores_of(kSaved, "save/restore_all");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("w").key, "saved/w");
  EXPECT_EQ(found.at("w").slice, "");
  EXPECT_EQ(found.at("v").key, "saved/v");
  EXPECT_EQ(found.at("v").slice, "4 0,2");
}

TEST(Restores, WithoutASaverAreThoseOfEveryAssignment) {
  EXPECT_EQ(restores_of(kSaved, "").size(), 3U);
  EXPECT_EQ(restores_of(kSaved, "no/such/node").size(), 3U);
}

TEST(Restores, OfTablesAreKeysAndValues) {
  auto nodes = kSaved;
  nodes.push_back(node("table", "MutableHashTableV2"));
  nodes.push_back(
      node("import", "LookupTableImportV2", {"table", "save/RestoreV2", "save/RestoreV2:1"}));
  nodes.push_back(node("half", "MutableHashTableV2"));
  nodes.push_back(node("import_half", "LookupTableImportV2", {"half", "save/RestoreV2", "u"}));
  const auto found = find_restored_tables(graph_of(nodes), "", Payloads());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at("table").keys.key, "saved/w");
  EXPECT_EQ(found.at("table").values.key, "saved/v");
  EXPECT_EQ(restores_of(nodes, "").size(), 3U);
}

TEST(Restores, ReadTheOlderOps) {
  const Restores found = restores_of(
      {variable("a", {}), variable("b", {}), strings("key", {"k"}), strings("s", {"2 0,1"}),
       node("r", "Restore", {"f", "key"}), node("rs", "RestoreSlice", {"f", "key", "s"}),
       node("aa", "Assign", {"a", "r"}), node("ab", "Assign", {"b", "rs"})},
      "");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("a").key, "k");
  EXPECT_EQ(found.at("a").slice, "");
  EXPECT_EQ(found.at("b").slice, "2 0,1");
}

TEST(Restores, SkipWhatIsNotWhole) {
  EXPECT_TRUE(
      restores_of({variable("a", {}), strings("key", {"k"}), node("r", "RestoreV2", {"f"}),
                   node("r2", "RestoreV2", {"f", "key"}), node("r3", "RestoreV2", {"f", "nope"}),
                   node("1", "Assign", {"a"}), node("2", "Assign"), node("3", "Assign", {"a", "r"}),
                   node("4", "Assign", {"a", "r2:1"}), node("5", "Assign", {"a", "r3"}),
                   node("6", "Assign", {"nope", "r2"}), node("7", "Assign", {"a", "7"})},
                  "")
          .empty());
}

TEST(Restores, OfARingOfIdentitiesEnd) {
  EXPECT_TRUE(restores_of({variable("a", {}), node("i", "Identity", {"i"}),
                           node("n", "NoOp", {"^n"}), node("s", "Assign", {"a", "i"})},
                          "")
                  .empty());
}

std::string function(std::string_view name, const std::vector<std::string>& args,
                     const std::vector<std::string>& nodes) {
  std::string signature;
  put_bytes_field(signature, 1, name);
  for (const std::string& arg : args) {
    std::string each;
    put_bytes_field(each, 1, arg);
    put_bytes_field(signature, 2, each);
  }
  std::string message;
  put_bytes_field(message, 1, signature);
  for (const std::string& each : nodes) put_bytes_field(message, 3, each);
  return message;
}

std::string call(std::string_view name, const std::string& called,
                 const std::vector<std::string>& inputs) {
  return node(name, "StatefulPartitionedCall", inputs, {{"f", func_value(called)}});
}

// The restores of a graph that begin with the call "restore".
Restores restores_of_call(const std::vector<std::string>& nodes,
                          const std::vector<std::string>& functions) {
  GraphBuilder builder{Graph()};
  for (const std::string& each : nodes) builder.add(each);
  for (const std::string& each : functions) builder.add_function(each);
  return find_restores(builder.finish(), "restore", Payloads());
}

// inner(prefix, p, q): p <- key 0, q <- key 1.
const std::string kInner = function(
    "inner", {"prefix", "p", "q"},
    {strings("names", {"first", "second"}), strings("slices", {"", ""}),
     node("r", "RestoreV2", {"prefix", "names:output:0", "slices:output:0"}),
     node("id", "Identity", {"r:tensors:1"}), node("1", "AssignVariableOp", {"q", "id:output:0"}),
     node("2", "AssignVariableOp", {"p", "r:tensors:0"})});

// __inference__traced_restore(file_prefix, a, b): a <- key 1, b <- key 0, through a call of its
// own.
TEST(Restores, FollowFunctionsAndWhatTheyCall) {
  const Restores found = restores_of_call(
      {variable("v", {}, "VarHandleOp"), variable("w", {}, "VarHandleOp"),
       call("restore", "outer", {"prefix", "v", "w"})},
      {function(
           "outer", {"prefix", "a", "b"},
           {node("i", "Identity", {"a"}), call("call", "inner", {"prefix", "b", "i:output:0"})}),
       kInner});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("v").key, "second");
  EXPECT_EQ(found.at("w").key, "first");
}

// A variable that belongs to a function is unknown to its callers.
TEST(Restores, OfAFunctionsOwnVariablesAreNotItsCallers) {
  const Restores found = restores_of_call(
      {variable("v", {}, "VarHandleOp"), call("restore", "f", {"v", "v", "v", "v"})},
      {function(
          "f", {"a"},
          {variable("own", {}, "VarHandleOp"), strings("names", {"key"}), strings("slices", {""}),
           node("r", "RestoreV2", {"a", "names:output:0", "slices:output:0"}),
           node("1", "AssignVariableOp", {"own:resource:0", "r:tensors:0"})})});
  EXPECT_TRUE(found.empty());
}

// Each function calls the next eight times, and itself: 9^24 calls.
TEST(Restores, ReadEachFunctionOnce) {
  std::vector<std::string> functions = {kInner};
  std::string next = "inner";
  for (int i = 0; i < 24; ++i) {
    const std::string name = cat("f", i);
    std::vector<std::string> calls = {call("self", name, {"prefix", "p", "q"})};
    for (int j = 0; j < 8; ++j) calls.push_back(call(cat("c", j), next, {"prefix", "p", "q"}));
    functions.push_back(function(name, {"prefix", "p", "q"}, calls));
    next = name;
  }
  const Restores found =
      restores_of_call({variable("v", {}, "VarHandleOp"), variable("w", {}, "VarHandleOp"),
                        call("restore", next, {"prefix", "v", "w"})},
                       functions);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found.at("v").key, "first");
}

TEST(StringTensor, IsReadBackAsWritten) {
  const Payloads payloads;
  for (const Lines& lines :
       {Lines{}, Lines{""}, Lines{"a", "", std::string(100, 'x'), std::string("\0\xFF", 2)}}) {
    const auto read = read_strings(string_vector(lines), payloads);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, lines);
  }
  EXPECT_EQ(*read_strings(string_scalar("model"), payloads), Lines{"model"});
}

TEST(StringTensor, OfAnotherTypeIsRefused) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_FLOAT);
  EXPECT_EQ(read_strings(tensor.SerializeAsString(), Payloads()).error().code, "bad-tensor");
}

// A shape of 2^40 and one string: what its tensor holds would fill any memory.
TEST(StringTensor, ThatRepeatsItsOnlyValueIsRefused) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_STRING);
  tensor.mutable_tensor_shape()->add_dim()->set_size(int64_t{1} << 40);
  tensor.add_string_val("key");
  EXPECT_FALSE(read_strings(tensor.SerializeAsString(), Payloads()).ok());
}

Model saved_model() {
  Model model = model_of(
      kSaved, checkpoint_of({{"saved/w", {1, 2}}, {"saved/v", {3, 4, 5, 6}}, {"u", {7, 8}}}));
  model.restores = find_restores(model.graph, "save/restore_all", *model.payloads);
  tensorflow::MetaGraphDef meta;
  auto* collection = meta.add_collection_def();
  collection->set_key("trainable_variables");
  tensorflow::VariableDef def;
  def.set_variable_name("v:0");
  collection->mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
  set_meta(model, meta);
  return model;
}

TEST(Variables, AreTheGraphsInItsOrderWithTheirKeys) {
  const std::vector<Variable> variables = variables_of(saved_model());
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[0].name, "w");
  EXPECT_EQ(variables[0].key, "saved/w");
  EXPECT_FALSE(variables[0].resource);
  EXPECT_FALSE(variables[0].trainable);
  EXPECT_TRUE(variables[1].resource);
  EXPECT_TRUE(variables[1].trainable);
  EXPECT_EQ(variables[1].slice, "4 0,2");
  EXPECT_EQ(variables[2].key, "u");
  EXPECT_EQ(variables[2].dtype, DType::kFloat);
  EXPECT_EQ(variables[2].shape.dims, std::vector<int64_t>{2});
}

TEST(Variables, HaveTheirValuesInTheCheckpoint) {
  const Model model = saved_model();
  const std::vector<Variable> variables = variables_of(model);
  EXPECT_EQ(floats(value_of(model, variables[0])), (std::vector<float>{1, 2}));
  EXPECT_EQ(floats(value_of(model, variables[1])), (std::vector<float>{3, 4}));
  EXPECT_EQ(floats(value_of(model, variables[2])), (std::vector<float>{7, 8}));
}

TEST(Variables, WithoutASaverAreSavedUnderTheirOwnOrTheirSharedName) {
  const std::string shared = node("scope/handle", "VarHandleOp", {},
                                  {{"dtype", type_value(1)},
                                   {"shape", shape_value(shape_bytes({1}))},
                                   {"shared_name", string_value("w")}});
  Model model = model_of({shared}, checkpoint_of({{"w", {1}}}));
  EXPECT_EQ(variables_of(model)[0].key, "w");
  model.checkpoint = checkpoint_of({{"scope/handle", {1}}, {"w", {2}}});
  EXPECT_EQ(variables_of(model)[0].key, "scope/handle");
}

TEST(Variables, WithoutAValueSayWhy) {
  Model model = model_of({variable("w", {2})});
  const auto why = [&] { return value_of(model, variables_of(model)[0]).error(); };
  EXPECT_EQ(why().code, "no-checkpoint");
  model.checkpoint = checkpoint_of({{"v", {1}}});
  EXPECT_EQ(why().message, "Key w not found in checkpoint");
  EXPECT_EQ(why().where.node, "w");
  model.checkpoint = checkpoint_of({{"w", {1}}});
  EXPECT_EQ(why().code, "checkpoint-mismatch");
  EXPECT_EQ(why().message, "the graph declares float32 [2], the checkpoint holds float32 [1]");
}

TEST(Variables, OfUnknownShapeTakeTheCheckpoints) {
  for (const Shape& declared : {Shape{true, {}}, Shape{false, {-1}}}) {
    const std::string w =
        node("w", "VariableV2", {},
             {{"dtype", type_value(1)}, {"shape", shape_value(shape_message(declared))}});
    const Model model = model_of({w}, checkpoint_of({{"w", {1, 2, 3}}}));
    EXPECT_EQ(value_of(model, variables_of(model)[0])->shape.dims, std::vector<int64_t>{3});
  }
}

}  // namespace
}  // namespace cryo
