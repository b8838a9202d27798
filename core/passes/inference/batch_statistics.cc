#include "passes/inference/batch_statistics.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "graph/roles.h"
#include "passes/common/graph_editor.h"
#include "passes/inference/moving_averages.h"
#include "passes/inference/variable_reads.h"
#include "passes/set/fold_branches.h"

namespace cryo {
namespace {

constexpr size_t kFusedInputs = 5;

// The moving averages of a graph by their statistics: node, port.
using Averages = std::map<std::pair<uint32_t, uint32_t>, MovingAverage>;

// A main graph whose statistics are being replaced.
struct Replacing {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const Averages& averages;
  GraphEditor& editor;
  VariableReads& reads;
  GraphChanges& changes;

  const MovingAverage* average_of(uint32_t node, uint32_t port) const {
    const auto found = averages.find({node, port});
    return found == averages.end() ? nullptr : &found->second;
  }
};

void note(Replacing& graph, uint32_t node, const MovingAverage& mean,
          const MovingAverage& variance) {
  for (const MovingAverage* each : {&mean, &variance}) {
    graph.editor.drop_control_edges(each->update);
  }
  graph.changes.push_back(
      {std::string(graph.nodes[node].name), kBatchNormalized,
       cat("the batch's own statistics; now the moving averages ", graph.nodes[mean.variable].name,
           " and ", graph.nodes[variance.variable].name),
       true});
}

void replace_fused(Replacing& graph, uint32_t node) {
  const MovingAverage* mean = graph.average_of(node, 1);
  const MovingAverage* variance = graph.average_of(node, 2);
  if (mean == nullptr || variance == nullptr) return;
  if (graph.edges.inputs(node).size() < kFusedInputs) return;
  NodeEditor& editor = graph.editor.node(node);
  editor.inputs()[3] = graph.reads.of(mean->variable);
  editor.inputs()[4] = graph.reads.of(variance->variable);
  editor.set_attr("is_training", bool_value(false));
  note(graph, node, *mean, *variance);
}

// All consumers of the tensor but its moving average take the variable's value.
void redirect(Replacing& graph, const MovingAverage& average) {
  const std::string& read = graph.reads.of(average.variable);
  for (const Consumer& consumer : graph.edges.consumers().of(average.tensor.node)) {
    const Node& node = graph.nodes[consumer.node];
    const bool takes = !consumer.control && consumer.port == average.tensor.port;
    if (!takes || consumer.node == average.taker || in_gradients(node.name)) continue;
    graph.editor.node(consumer.node).inputs()[consumer.input] = read;
  }
}

void replace_moments(Replacing& graph, uint32_t variance_node) {
  const uint32_t mean_node = mean_of_variance(graph.nodes, graph.edges, variance_node);
  if (mean_node == kNoNode) return;
  const MovingAverage* mean = graph.average_of(mean_node, 0);
  const MovingAverage* variance = graph.average_of(variance_node, 0);
  if (mean == nullptr || variance == nullptr) return;
  // The variance is computed of the Mean itself: it takes the batch's, and is not needed any more.
  if (mean->tensor.node == mean_node) return;
  redirect(graph, *mean);
  redirect(graph, *variance);
  note(graph, mean->tensor.node, *mean, *variance);
}

}  // namespace

Model with_moving_averages(const Model& model, GraphChanges& changes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  Averages averages;
  for (const MovingAverage& each : find_moving_averages(nodes, edges)) {
    averages.emplace(std::pair(each.statistic.node, each.statistic.port), each);
  }
  if (averages.empty()) return model;
  GraphEditor editor(model.graph);
  VariableReads reads(model.graph, editor);
  Replacing graph{nodes, edges, averages, editor, reads, changes};
  const std::vector<bool> ruled_out = ruled_out_by_constants(model);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (ruled_out[i] || in_gradients(nodes[i].name)) continue;
    if (normalizes_by_batch(nodes[i])) replace_fused(graph, i);
    if (nodes[i].op == "Mean") replace_moments(graph, i);
  }
  if (!editor.is_changed()) return model;
  Model made = model;
  made.graph = editor.finish();
  return made;
}

}  // namespace cryo
