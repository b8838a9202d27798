#include "graph/analysis/batch_error.h"

#include <gtest/gtest.h>

#include "graph/analysis/inference_subgraph.h"
#include "graphs.h"

namespace cryo {
namespace {

std::string axes(std::string_view name, std::vector<int> numbers) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_INT32);
  tensor.mutable_tensor_shape()->add_dim()->set_size(static_cast<int64_t>(numbers.size()));
  for (const int number : numbers) tensor.add_int_val(number);
  return node(name, "Const", {},
              {{"dtype", type_value(3)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

// Without constants, which are no outputs.
Lines computed_sinks_of(const std::vector<std::string>& nodes) {
  const Graph graph = graph_of(nodes);
  const InferenceSubgraph& forward = graph.index().inference();
  Lines names;
  for (const uint32_t sink : forward.sinks) {
    if (graph.nodes()[sink].op != "Const") names.emplace_back(graph.nodes()[sink].name);
  }
  return names;
}

// x -> y, compared with x; nothing says that the mean is a loss.
Lines sinks_of_error(const std::string& error, const std::vector<int>& over) {
  return computed_sinks_of({placeholder("x"), variable("w", {2}), node("w/read", "Identity", {"w"}),
                            node("mul", "MatMul", {"x", "w/read"}), node("y", "Tanh", {"mul"}),
                            node("sub", "Sub", {"y", "x"}), node("error", error, {"sub"}),
                            axes("axes", over), node("mean", "Mean", {"error", "axes"})});
}

TEST(BatchError, LeavesOutAMeanOfErrorsOverTheBatch) {
  EXPECT_EQ(sinks_of_error("Square", {0, 1}), Lines{"y"});
  EXPECT_EQ(sinks_of_error("Abs", {0, 1}), Lines{"y"});
}

TEST(BatchError, KeepsAnErrorOfEachExampleAndOtherMeans) {
  EXPECT_EQ(sinks_of_error("Square", {1}), Lines{"mean"});
  EXPECT_EQ(sinks_of_error("Square", {1, 2}), Lines{"mean"});
  EXPECT_EQ(sinks_of_error("Square", {0}), Lines{"mean"});  // of the elements of one example
  EXPECT_EQ(sinks_of_error("Relu", {0, 1}), Lines{"mean"});
}

TEST(BatchError, IsTheResultWhereNoLayerPrecedesIt) {
  EXPECT_EQ(computed_sinks_of({placeholder("x"), node("half", "L2Loss", {"x"})}), Lines{"half"});
}

TEST(BatchError, LeavesOutAWeightedSumOfLosses) {
  const std::vector<std::string> nodes = {
      placeholder("x"),
      variable("w", {2}),
      node("w/read", "Identity", {"w"}),
      node("logits", "MatMul", {"x", "w/read"}),
      node("xent", "SparseSoftmaxCrossEntropyWithLogits", {"logits", "x"}),
      axes("axes", {0}),
      node("mean", "Mean", {"xent", "axes"}),
      node("l2", "L2Loss", {"logits"}),
      node("sum", "AddV2", {"mean", "l2"})};
  EXPECT_EQ(computed_sinks_of(nodes), Lines{"logits"});
}

}  // namespace
}  // namespace cryo
