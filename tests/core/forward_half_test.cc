#include "graph/forward_half.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/outputs.h"

namespace cryo {
namespace {

Lines sinks_of(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const ForwardHalf forward(graph);
  Lines names;
  for (const uint32_t sink : forward.sinks()) names.emplace_back(graph.nodes()[sink].name);
  return names;
}

// x -> logits -> prob, trained against labels.
const std::vector<std::string> kTrained = {
    placeholder("x"),
    placeholder("labels"),
    variable("w", {2}),
    node("w/read", "Identity", {"w"}),
    node("logits", "MatMul", {"x", "w/read"}),
    node("prob", "Softmax", {"logits"}),
    node("loss", "Xent", {"logits", "labels"}),
    node("gradients/g", "MatMul", {"loss", "x"}),
    node("train", "ApplyMomentum", {"w", "gradients/g"}),
    node("summary", "ScalarSummary", {"loss"}),
    node("save/SaveV2", "SaveV2", {"w"}),
    node("init", "NoOp", {"^w"}),
};

TEST(ForwardHalf, EndsWhereThePredictionIs) { EXPECT_EQ(sinks_of(kTrained), Lines{"prob"}); }

TEST(ForwardHalf, LeavesOutWhatHangsOnLabels) {
  const Graph graph = graph_of(kTrained);
  const ForwardHalf forward(graph);
  const NodeNames names(graph.nodes());
  for (const char* name :
       {"labels", "loss", "gradients/g", "train", "summary", "save/SaveV2", "init"}) {
    EXPECT_TRUE(forward.excluded(names.find(name))) << name;
  }
  for (const char* name : {"x", "w", "w/read", "logits", "prob"}) {
    EXPECT_FALSE(forward.excluded(names.find(name))) << name;
  }
}

TEST(ForwardHalf, WithoutWeightsHasNoLabels) {
  EXPECT_EQ(sinks_of({placeholder("a"), placeholder("b"), node("y", "Op", {"a", "b"})}),
            Lines{"y"});
}

TEST(ForwardHalf, CountsWhatANodeNeeds) {
  const Graph graph = graph_of({node("a", "Const"), node("b", "Op", {"a", "a:1"}),
                                node("c", "Op", {"b", "^a", "nope"}), node("d", "Op")});
  const ForwardHalf forward(graph);
  EXPECT_EQ(forward.ancestors(0), 1U);
  EXPECT_EQ(forward.ancestors(2), 3U);
}

TEST(ForwardHalf, OfACycleEnds) {
  EXPECT_EQ(sinks_of({node("a", "Op", {"b"}), node("b", "Op", {"a"}), node("c", "Op", {"c"})}),
            Lines{});
}

Lines names_of(const std::vector<Endpoint>& endpoints) {
  Lines names;
  for (const Endpoint& each : endpoints) names.push_back(each.name);
  return names;
}

TEST(LikelyEndpoints, AreThoseOfTheForwardHalf) {
  const Endpoints found = likely_endpoints(model_of(kTrained));
  EXPECT_EQ(names_of(found.outputs), Lines{"prob"});
  EXPECT_EQ(names_of(found.inputs), Lines{"x"});
  EXPECT_TRUE(found.certain);
  EXPECT_NE(found.outputs[0].why, "");
}

TEST(LikelyEndpoints, PutNamesOfOutputsFirstThenTheLargest) {
  const Endpoints found = likely_endpoints(
      model_of({placeholder("x"), node("small", "Op", {"x"}), node("a", "Op", {"x"}),
                node("large", "Op", {"a"}), node("my_output", "Op", {"x"}), node("lonely", "Const"),
                node("done", "NoOp", {"^x"})}));
  EXPECT_EQ(names_of(found.outputs), (Lines{"my_output", "large", "small"}));
  EXPECT_FALSE(found.certain);
}

TEST(LikelyEndpoints, OfASignatureGoBeforeAllElse) {
  Model model = model_of(kTrained);
  tensorflow::MetaGraphDef meta;
  auto* signature = meta.add_signature_def();
  signature->set_key("serving_default");
  const auto set = [](auto* entry, const char* key, const char* name) {
    entry->set_key(key);
    entry->mutable_value()->set_name(name);
  };
  set(signature->mutable_value()->add_inputs(), "image", "x:0");
  set(signature->mutable_value()->add_outputs(), "scores", "logits:0");
  set(signature->mutable_value()->add_outputs(), "second", "logits:1");
  auto* init = meta.add_signature_def();
  init->set_key("__saved_model_init_op");
  set(init->mutable_value()->add_outputs(), "init", "init");
  set_meta(model, meta);
  const Endpoints found = likely_endpoints(model);
  EXPECT_EQ(names_of(found.inputs), Lines{"x"});
  EXPECT_EQ(names_of(found.outputs), (Lines{"logits", "logits:1"}));
  EXPECT_TRUE(found.certain);
  EXPECT_EQ(found.outputs[0].why, "output 'scores' of signature 'serving_default'");
}

TEST(LikelyEndpoints, OfAnEmptyModelAreNone) {
  const Endpoints found = likely_endpoints(Model());
  EXPECT_TRUE(found.inputs.empty());
  EXPECT_TRUE(found.outputs.empty());
  EXPECT_FALSE(found.certain);
}

}  // namespace
}  // namespace cryo
