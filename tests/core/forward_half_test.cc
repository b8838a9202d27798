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

// What tf.contrib.slim calls train_op: the loss, once all steps are done.
TEST(ForwardHalf, LeavesOutWhatWaitsForAStepOfTraining) {
  auto nodes = kTrained;
  nodes.push_back(node("step", "NoOp", {"^train"}));
  nodes.push_back(node("count", "AssignAdd", {"global_step", "^step"}));
  nodes.push_back(node("train_op", "Identity", {"logits", "^count"}));
  nodes.push_back(node("told", "Neg", {"train_op"}));
  nodes.push_back(node("returned", "_Retval", {"train_op"}));
  EXPECT_EQ(sinks_of(nodes), (Lines{"prob", "returned"}));
}

TEST(ForwardHalf, TellsWhatComesFromShapesAlone) {
  const Graph graph =
      graph_of({placeholder("x"), node("c", "Const"), node("shape", "Shape", {"x"}),
                node("rows", "StridedSlice", {"shape", "c", "c", "^x"}),
                node("twice", "Mul", {"rows", "rows"}), node("y", "Reshape", {"x", "twice"}),
                node("z", "Neg", {"c"}), node("loop", "Merge", {"rows", "next"}),
                node("next", "NextIteration", {"loop"})});
  const ForwardHalf forward(graph);
  Lines found;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (forward.is_of_shapes(i)) found.emplace_back(graph.nodes()[i].name);
  }
  EXPECT_EQ(found, (Lines{"shape", "rows", "twice"}));
}

TEST(ForwardHalf, WithoutWeightsHasNoLabels) {
  EXPECT_EQ(sinks_of({placeholder("a"), placeholder("b"), node("y", "Op", {"a", "b"})}),
            Lines{"y"});
}

// By which predictions are divided, and of which some are taken away, after the last weight.
TEST(ForwardHalf, KeepsAPlaceholderThatShapesThePrediction) {
  auto nodes = kTrained;
  nodes.push_back(placeholder("temperature"));
  nodes.push_back(node("warm", "RealDiv", {"prob", "temperature"}));
  nodes.push_back(placeholder("mask"));
  nodes.push_back(node("masked", "Mul", {"warm", "mask"}));
  nodes.push_back(placeholder("importance"));
  nodes.push_back(node("weighed", "Mul", {"loss", "importance"}));
  nodes.push_back(node("mean_error", "Mean", {"weighed"}));
  EXPECT_EQ(sinks_of(nodes), Lines{"masked"});
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

TEST(LikelyEndpoints, PutWhatComesFromShapesLast) {
  const Endpoints found = likely_endpoints(model_of(
      {placeholder("x"), node("a", "Relu", {"x"}), node("b", "Relu", {"a"}),
       node("c", "Shape", {"b"}), node("output_size", "Prod", {"c"}), node("d", "Relu", {"x"})}));
  ASSERT_EQ(found.outputs.size(), 2U);
  EXPECT_EQ(found.outputs[0].name, "d");
  EXPECT_EQ(found.outputs[1].name, "output_size");
  EXPECT_EQ(found.outputs[1].why,
            "training and saving aside, no other node uses it; it needs 5 nodes, but of tensors "
            "only their "
            "shapes");
}

TEST(LikelyEndpoints, PutSingleNumbersLastWhereAGraphTrains) {
  const auto shaped = [](const char* name, std::vector<int64_t> dims) {
    std::string list;
    put_bytes_field(list, 7, shape_bytes(dims));
    std::string value;
    put_bytes_field(value, 1, list);
    return node(name, "Sigmoid", {"logits"}, {{"_output_shapes", value}});
  };
  auto nodes = kTrained;
  nodes.push_back(shaped("pred_mean", {}));
  nodes.push_back(shaped("other", {-1, 2}));
  const Endpoints found = likely_endpoints(model_of(nodes));
  Lines names;
  for (const Endpoint& output : found.outputs) names.push_back(output.name);
  EXPECT_EQ(names, (Lines{"prob", "other", "pred_mean"}));
  EXPECT_TRUE(found.outputs[2].why.ends_with(", but is one number, as losses are"));
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
