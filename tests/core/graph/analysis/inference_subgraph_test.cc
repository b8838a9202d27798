#include "graph/analysis/inference_subgraph.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/analysis/likely_inputs.h"

namespace cryo {
namespace {

Lines sinks_of(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const InferenceSubgraph& forward = graph.index().inference();
  Lines names;
  for (const uint32_t sink : forward.sinks) names.emplace_back(graph.nodes()[sink].name);
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

TEST(InferenceSubgraph, EndsWhereThePredictionIs) { EXPECT_EQ(sinks_of(kTrained), Lines{"prob"}); }

TEST(InferenceSubgraph, LeavesOutWhatHangsOnLabels) {
  const Graph graph = graph_of(kTrained);
  const InferenceSubgraph& forward = graph.index().inference();
  const NodeNames names(graph.nodes());
  for (const char* name :
       {"labels", "loss", "gradients/g", "train", "summary", "save/SaveV2", "init"}) {
    EXPECT_TRUE(forward.excluded[names.find(name)]) << name;
  }
  for (const char* name : {"x", "w", "w/read", "logits", "prob"}) {
    EXPECT_FALSE(forward.excluded[names.find(name)]) << name;
  }
}

// The train_op of tf.contrib.slim: the loss, once all steps are done.
TEST(InferenceSubgraph, LeavesOutWhatWaitsForAStepOfTraining) {
  auto nodes = kTrained;
  nodes.push_back(node("step", "NoOp", {"^train"}));
  nodes.push_back(node("count", "AssignAdd", {"global_step", "^step"}));
  nodes.push_back(node("train_op", "Identity", {"logits", "^count"}));
  nodes.push_back(node("told", "Neg", {"train_op"}));
  nodes.push_back(node("returned", "_Retval", {"train_op"}));
  EXPECT_EQ(sinks_of(nodes), (Lines{"prob", "returned"}));
}

TEST(InferenceSubgraph, TellsWhatComesFromShapesAlone) {
  const Graph graph =
      graph_of({placeholder("x"), node("c", "Const"), node("shape", "Shape", {"x"}),
                node("rows", "StridedSlice", {"shape", "c", "c", "^x"}),
                node("twice", "Mul", {"rows", "rows"}), node("y", "Reshape", {"x", "twice"}),
                node("z", "Neg", {"c"}), node("loop", "Merge", {"rows", "next"}),
                node("next", "NextIteration", {"loop"})});
  const InferenceSubgraph& forward = graph.index().inference();
  Lines found;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (forward.of_shapes[i]) found.emplace_back(graph.nodes()[i].name);
  }
  EXPECT_EQ(found, (Lines{"shape", "rows", "twice"}));
}

TEST(InferenceSubgraph, WithoutWeightsHasNoLabels) {
  EXPECT_EQ(sinks_of({placeholder("a"), placeholder("b"), node("y", "Op", {"a", "b"})}),
            Lines{"y"});
}

// Predictions are divided by one placeholder and reduced by another after the last weight.
TEST(InferenceSubgraph, KeepsAPlaceholderThatShapesThePrediction) {
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

TEST(InferenceSubgraph, CountsTheLayersBeforeANode) {
  const Graph graph = graph_of(kTrained);
  const NodeNames& names = graph.index().names();
  const NodeMeasures& measures = graph.index().inference().measures;
  EXPECT_EQ(measures.depth[names.find("x")], 0U);
  EXPECT_EQ(measures.depth[names.find("prob")], 1U);
  EXPECT_TRUE(measures.before_layer[names.find("x")]);
  EXPECT_FALSE(measures.before_layer[names.find("logits")]);
  EXPECT_TRUE(measures.fed[names.find("prob")]);
  EXPECT_FALSE(measures.fed[names.find("w/read")]);
}

// Nodes that feed only an update or a queue are computed for it; nodes computed from an update,
// too.
TEST(InferenceSubgraph, LeavesOutWhatOnlyUpdatesTake) {
  auto nodes = kTrained;
  nodes.push_back(variable("average", {2}));
  nodes.push_back(node("change", "Sub", {"average", "logits"}));
  nodes.push_back(node("move", "AssignSub", {"average", "change"}));
  nodes.push_back(node("moved", "Neg", {"move"}));
  EXPECT_EQ(sinks_of(nodes), Lines{"prob"});
}

TEST(InferenceSubgraph, KnowsWhatIsInALoop) {
  const Graph graph = graph_of(
      {placeholder("x"), node("enter", "Enter", {"x"}), node("merge", "Merge", {"enter", "next"}),
       node("body", "Neg", {"merge"}), node("next", "NextIteration", {"body"}),
       node("exit", "Exit", {"merge"}), node("y", "Neg", {"exit"})});
  const InferenceSubgraph& forward = graph.index().inference();
  Lines inside;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (forward.measures.in_loop[i]) inside.emplace_back(graph.nodes()[i].name);
  }
  EXPECT_EQ(inside, (Lines{"enter", "merge", "body", "next"}));
  EXPECT_TRUE(forward.measures.fed[graph.index().names().find("y")]);
}

// A GAN's discriminator judges what the generator makes.
TEST(InferenceSubgraph, EndsBeforeADiscriminator) {
  EXPECT_EQ(sinks_of({placeholder("z"), variable("g/w", {2}), node("made", "MatMul", {"z", "g/w"}),
                      variable("discriminator/w", {2}),
                      node("discriminator/y", "MatMul", {"made", "discriminator/w"}),
                      node("gradients/g", "Neg", {"discriminator/y"})}),
            Lines{"made"});
}

TEST(InferenceSubgraph, WithoutPredictionsEndsInUpdates) {
  EXPECT_EQ(sinks_of({variable("count", {}), node("count/Assign", "Assign", {"count", "zero"}),
                      node("zero", "Const"), node("add", "AssignAdd", {"count", "zero"})}),
            Lines{"add"});
}

TEST(InferenceSubgraph, OfACycleEnds) {
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
  EXPECT_EQ(names_of(found.outputs), (Lines{"prob", "logits"}));
  EXPECT_EQ(names_of(found.inputs), Lines{"x"});
  EXPECT_FALSE(found.certain);
  EXPECT_TRUE(found.outputs[0].chosen);
  EXPECT_EQ(found.outputs[0].why, "not used by any inference node; computed from 5 nodes");
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
  EXPECT_EQ(names_of(found.outputs), (Lines{"b", "d", "output_size"}));
  EXPECT_FALSE(found.outputs[2].chosen);
  EXPECT_EQ(found.outputs[2].why,
            "not used by any inference node; computed from 5 nodes; depends on shapes only");
}

// A frozen Object Detection graph: the outputs are the last of many ends.
TEST(LikelyEndpoints, WeighAllEnds) {
  std::vector<std::string> nodes = {placeholder("image_tensor", {1, 2}),
                                    constant("w", {1, 2, 3, 4}, {2, 2}),
                                    node("features", "MatMul", {"image_tensor", "w"})};
  for (int i = 0; i < 200; ++i) nodes.push_back(node(cat("crop/end_", i), "Neg", {"image_tensor"}));
  nodes.push_back(node("boxes", "Relu", {"features"}));
  nodes.push_back(node("found", "Sigmoid", {"features"}));
  nodes.push_back(node("detection_boxes", "Identity", {"boxes"}));
  nodes.push_back(node("detection_scores", "Identity", {"found"}));
  const Endpoints found = likely_endpoints(model_of(nodes));
  Lines chosen;
  for (const Endpoint& each : found.outputs) {
    if (each.chosen) chosen.push_back(each.name);
  }
  EXPECT_EQ(chosen, (Lines{"detection_scores", "detection_boxes"}));
  EXPECT_EQ(names_of({found.outputs.begin(), found.outputs.begin() + 2}), chosen);
}

TEST(LikelyEndpoints, LeaveOutPivotsTruthValuesAndHandles) {
  const Endpoints found = likely_endpoints(
      model_of({placeholder("x"), placeholder("training"),
                node("cond/Switch", "Switch", {"training", "training"}, {{"T", type_value(10)}}),
                node("cond/switch_t", "Identity", {"cond/Switch:1"}, {{"T", type_value(10)}}),
                node("large", "Greater", {"x", "x"}), node("data", "RangeDataset", {"x"}),
                node("made", "MakeIterator", {"data", "it"}), node("it", "IteratorV2"),
                node("still", "DisableCopyOnRead", {"v"}), variable("v", {2}, "VarHandleOp"),
                node("y", "Relu", {"x"})}));
  EXPECT_EQ(names_of(found.outputs), Lines{"y"});
}

// An op without outputs is no output, also where it is all that a graph has.
TEST(LikelyEndpoints, AreNeverOpsWithoutOutputs) {
  const Endpoints found = likely_endpoints(
      model_of({variable("v", {2}, "VarHandleOp"), node("still", "DisableCopyOnRead", {"v"}),
                node("it", "IteratorV2"), node("made", "MakeIterator", {"v", "it"})}));
  EXPECT_EQ(names_of(found.outputs), Lines{});
}

// The prediction is an inner node: its class feeds the accuracy.
TEST(LikelyEndpoints, FindWhatOnlyALossAndAMetricTake) {
  const Endpoints found = likely_endpoints(
      model_of({placeholder("x"), placeholder("labels"), variable("w", {2}),
                node("w/read", "Identity", {"w"}), node("fc", "MatMul", {"x", "w/read"}),
                node("y", "Softmax", {"fc"}), node("loss", "Xent", {"y", "labels"}),
                node("gradients/g", "Neg", {"loss"}), node("class", "ArgMax", {"y"}),
                node("truth", "ArgMax", {"labels"}), node("right", "Equal", {"class", "truth"}),
                node("accuracy", "Mean", {"right"})}));
  ASSERT_FALSE(found.outputs.empty());
  EXPECT_EQ(found.outputs[0].name, "y");
}

// A queue gives images and labels: two outputs of one node.
const std::vector<std::string> kQueued = {
    node("reader", "TFRecordReaderV2"),
    node("read", "ReaderReadV2", {"reader", "names"}),
    node("pixels", "DecodeRaw", {"read:1"}),
    node("queue", "FIFOQueueV2"),
    node("enqueue", "QueueEnqueueV2", {"queue", "pixels"}),
    node("batch", "QueueDequeueManyV2", {"queue"}),
    variable("w", {2}),
    node("w/read", "Identity", {"w"}),
    node("fc", "MatMul", {"batch", "w/read"}),
    node("each", "SparseSoftmaxCrossEntropyWithLogits", {"fc", "batch:1"}),
    node("loss", "Mean", {"each"}),
    node("gradients/g", "Neg", {"loss"}),
    node("step", "ApplyGradientDescent", {"w", "gradients/g"}),
};

TEST(LikelyEndpoints, OfAPipelineAreItsDataAndThePrediction) {
  const Endpoints found = likely_endpoints(model_of(kQueued));
  EXPECT_EQ(names_of(found.outputs), Lines{"fc"});
  EXPECT_EQ(names_of(found.inputs), Lines{"batch"});
  EXPECT_EQ(found.inputs[0].why, "the data of an input pipeline, from QueueDequeueManyV2");
}

TEST(PipelineHeads, AreTheLastParsingOfWhatAPipelineGives) {
  const Model model = model_of({node("it", "IteratorV2"), node("next", "IteratorGetNext", {"it"}),
                                node("parsed", "ParseExampleV2", {"next"}),
                                node("y", "Mul", {"parsed:2", "next:1"}), placeholder("x"),
                                node("jpeg", "DecodeJpeg", {"x"}), node("z", "Neg", {"jpeg"})});
  EXPECT_EQ(pipeline_heads(model.graph, {"y", "nope"}), (Lines{"next:1", "parsed:2"}));
  EXPECT_EQ(pipeline_heads(model.graph, {"z"}), Lines{});
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
  EXPECT_EQ(names, (Lines{"prob", "other", "logits", "pred_mean"}));
  EXPECT_TRUE(found.outputs[3].why.ends_with("; a scalar, probably a loss"));
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
