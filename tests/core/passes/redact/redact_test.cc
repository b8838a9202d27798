#include "passes/redact/redact.h"

#include "checked.h"
#include "passes/edit/edit.h"

namespace cryo {
namespace {

Result<EditResult> redact(const Model& model, Diagnostics& diagnostics) {
  Model own = model;
  own.payloads = std::make_shared<Payloads>(model.payloads);
  return edit(own, nullptr, {.redact = true}, &ops(), diagnostics);
}

Model redacted_model(const Model& model) {
  Diagnostics diagnostics;
  auto made = redact(model, diagnostics);
  EXPECT_TRUE(made.ok()) << failure_of(made);
  return made ? std::move(made->model) : Model();
}

std::string text_of(const Model& model, std::string_view node, std::string_view attr) {
  return std::string(string_attr(find(model.graph, node), attr).value_or("(none)"));
}

TEST(Redact, KeepsGraphAndFaults) {
  const Model model = model_of({node("net/x", "Const"), node("y", "Neg", {"net/x", "^gone/a"}),
                                node("y", "Secret", {"x:7"}), node("z z", "", {"y:1"})});
  EXPECT_EQ(
      described(redacted_model(model).graph),
      Lines({"n1/n2 = Const()", "n3 = Neg(n1/n2, ^n4/n5)", "n3 = Secret(n2:7)", "n6 n6 = (n3:1)"}));
}

TEST(Redact, RefusesOtherEditsNextToIt) {
  EditOptions options{.redact = true};
  options.rename = {"a=b"};
  Diagnostics diagnostics;
  const Model model = model_of({node("a", "NoOp")});
  EXPECT_EQ(edit(model, nullptr, options, &ops(), diagnostics).error().code, "bad-option");
  options = {.redact = true};
  EXPECT_EQ(edit(model, nullptr, options, nullptr, diagnostics).error().code, "ops-not-loaded");
}

// Texts of attributes: words of enumerations stay, the rest are names.
TEST(Redact, TellsNamesFromWordsOfOps) {
  const Model made = redacted_model(model_of({
      node("conv", "Conv2D", {},
           {{"padding", string_value("SAME")},
            {"data_format", string_value("mine")},
            {"_class", string_list_value({"loc:@conv", "loc:@gone", "free"})},
            {"_device_of", string_value("/job:mine/device:GPU:0")}}),
      node("einsum", "Einsum", {}, {{"equation", string_value("ab,bc->ac")}}),
      node("v", "VariableV2", {},
           {{"shared_name", string_value("v")}, {"container", string_value("mean")}}),
      node("custom", "MineOp", {},
           {{"format", string_value("NHWC")}, {"path", string_value("/home/me")}}),
      node("blob", "MineOp", {}, {{"config", string_value(std::string("\n\3abc\x12\1x", 8))}}),
      node("fused", "_FusedConv2D", {}, {{"fused_ops", string_list_value({"BiasAdd", "mine"})}}),
  }));
  EXPECT_EQ(text_of(made, "n1", "padding"), "SAME");
  EXPECT_EQ(text_of(made, "n1", "data_format"), "n4");
  const Node conv = find(made.graph, "n1");
  EXPECT_EQ(colocations(conv), std::vector<std::string_view>({"n1", "n2"}));
  EXPECT_EQ(text_of(made, "n1", "_device_of"), "/job:n4/device:GPU:0");
  EXPECT_EQ(text_of(made, "n5", "equation"), "ab,bc->ac");
  EXPECT_EQ(text_of(made, "n6", "shared_name"), "n6");
  EXPECT_EQ(text_of(made, "n6", "container"), "n7");
  EXPECT_EQ(text_of(made, "n8", "format"), "NHWC");
  EXPECT_EQ(text_of(made, "n8", "path"), "/n9/n10");
  EXPECT_EQ(text_of(made, "n11", "config"), "");
}

TEST(Redact, FollowsNamesIntoFunctions) {
  tensorflow::FunctionDef f = function("__inference_mine_12");
  f.mutable_signature()->set_description("what it does");
  (*f.add_attr()).set_key("api_implements");
  f.mutable_attr(0)->mutable_value()->set_s("mine");
  f.mutable_node_def(0)->mutable_experimental_debug_info()->add_original_node_names("n");
  tensorflow::FunctionDef g = function("g", "__inference_mine_12", "r");
  Model model = model_of({});
  model.graph = graph_of(Parts{{placeholder("x"), node("call", "g", {"x"})}, {f, g}});
  const Model made = redacted_model(model);
  EXPECT_EQ(described(made.graph), Lines({"n1 = Placeholder()", "n2 = n3(n1)"}));
  tensorflow::FunctionDef first;
  tensorflow::FunctionDef second;
  first.ParseFromString(std::string(made.graph.functions()[0].bytes));
  second.ParseFromString(std::string(made.graph.functions()[1].bytes));
  EXPECT_EQ(first.signature().name(), "__n4");
  EXPECT_EQ(first.signature().description(), "");
  EXPECT_EQ(first.attr(0).key(), "api_implements");
  EXPECT_EQ(first.attr(0).value().s(), "n8");
  EXPECT_FALSE(first.node_def(0).has_experimental_debug_info());
  EXPECT_EQ(first.ret(0).value(), cat(first.node_def(0).name(), ":y:0"));
  EXPECT_EQ(second.node_def(0).op(), "__n4");
  EXPECT_EQ(second.ret(0).value(),
            cat(second.node_def(0).name(), ":", first.signature().output_arg(0).name(), ":0"));
  EXPECT_EQ(findings(made.graph), Lines());
}

TEST(Redact, ReplacesKeysAndValuesOfACheckpoint) {
  Model model = model_of({variable("b", {2}), variable("a", {1})},
                         checkpoint_of({{"b", {1, 2}}, {"a", {3}}}));
  Diagnostics diagnostics;
  const auto made = redact(model, diagnostics);
  ASSERT_TRUE(made.ok());
  const Checkpoint& checkpoint = *made->model.checkpoint;
  ASSERT_EQ(checkpoint.entries.size(), 2U);
  EXPECT_EQ(checkpoint.find("n1")->content.size(), 8U);
  EXPECT_EQ(*checkpoint.find("n1")->content.read_all(), std::string(8, '\0'));
  EXPECT_EQ(*checkpoint.find("n2")->content.read_all(), std::string(4, '\0'));
  ASSERT_TRUE(made->redacted.has_value());
  EXPECT_EQ(made->redacted->names, 2U);
  EXPECT_EQ(made->redacted->tensors, 2U);
  EXPECT_EQ(made->redacted->bytes, 12U);
  EXPECT_EQ(codes(diagnostics), Lines({"redacted"}));
}

TEST(Redact, FollowsNamesAroundTheGraph) {
  Model model = model_of({placeholder("mine/x")});
  tensorflow::MetaGraphDef meta;
  meta.mutable_meta_info_def()->set_meta_graph_version("of mine");
  meta.mutable_meta_info_def()->set_tensorflow_version("2.21.0");
  meta.mutable_meta_info_def()->add_tags("serve");
  tensorflow::VariableDef variable;
  variable.set_variable_name("mine/x:0");
  auto* collection = meta.add_collection_def();
  collection->set_key("variables");
  collection->mutable_value()->mutable_bytes_list()->add_value(variable.SerializeAsString());
  collection = meta.add_collection_def();
  collection->set_key("my_losses");
  collection->mutable_value()->mutable_float_list()->add_value(0.5);
  auto* signature = meta.add_signature_def();
  signature->set_key("serving_default");
  signature->mutable_value()->set_method_name("tensorflow/serving/predict");
  auto* input = signature->mutable_value()->add_inputs();
  input->set_key("image");
  input->mutable_value()->set_name("mine/x:0");
  set_meta(model, meta);
  const Model redacted = redacted_model(model);
  const auto& made = parse_meta(redacted);
  EXPECT_EQ(made.meta_info_def().meta_graph_version(), "");
  EXPECT_EQ(made.meta_info_def().tensorflow_version(), "2.21.0");
  EXPECT_EQ(made.meta_info_def().tags(0), "serve");
  EXPECT_EQ(variable_defs(made, "variables").at(0).variable_name(), "n1/n2:0");
  EXPECT_EQ(made.collection_def(1).key(), "n3");
  EXPECT_EQ(made.collection_def(1).value().float_list().value(0), 0);
  EXPECT_EQ(made.signature_def(0).key(), "serving_default");
  EXPECT_EQ(made.signature_def(0).value().method_name(), "tensorflow/serving/predict");
  EXPECT_EQ(made.signature_def(0).value().inputs(0).key(), "n4");
  EXPECT_EQ(made.signature_def(0).value().inputs(0).value().name(), "n1/n2:0");
}

}  // namespace
}  // namespace cryo
