#include "passes/inference/single_replica.h"

#include <array>

#include "base/text.h"
#include "passes/common/graph_editor.h"

namespace cryo {
namespace {

constexpr std::string_view kMetadata = "TPUReplicateMetadata";
constexpr std::string_view kInput = "TPUReplicatedInput";
constexpr std::string_view kOutput = "TPUReplicatedOutput";

// Attributes by which TensorFlow finds the nodes that it compiles for a TPU.
constexpr std::array<std::string_view, 4> kMarks = {
    "_tpu_replicate", "_tpu_output_identity", "_tpu_compilation_status", "_pivot_for_cluster"};

void become_identity(const Node& node, NodeEditor& editor) {
  std::vector<std::string>& inputs = editor.inputs();
  const size_t data = count_data_inputs(node);
  if (data > 1) inputs.erase(inputs.begin() + 1, inputs.begin() + static_cast<ptrdiff_t>(data));
  for (const std::string_view attr :
       {"N", "num_replicas", "is_mirrored_variable", "index", "is_packed", "_output_shapes"}) {
    editor.erase_attr(attr);
  }
  editor.set_op("Identity");
}

void take_first_output(const Graph& graph, uint32_t output, GraphEditor& editor) {
  for (const Consumer& consumer : graph.index().consumers().of(output)) {
    if (consumer.control || consumer.port == 0) continue;
    editor.node(consumer.node).inputs()[consumer.input] = graph.nodes()[output].name;
  }
}

bool is_marked(const Node& node) {
  for (const std::string_view mark : kMarks) {
    if (find_attr(node, mark)) return true;
  }
  return false;
}

}  // namespace

Model with_single_replica(const Model& model, GraphChanges& changes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  GraphEditor editor(model.graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (is_marked(nodes[i])) {
      for (const std::string_view mark : kMarks) editor.node(i).erase_attr(mark);
    }
    if (nodes[i].op == kMetadata) {
      editor.drop_control_edges(i);
      changes.push_back({std::string(nodes[i].name), kReplicaTaken,
                         "the nodes that a TPU compiles; now they run where the graph does",
                         false});
    }
    if (nodes[i].op != kInput && nodes[i].op != kOutput) continue;
    if (nodes[i].op == kOutput) take_first_output(model.graph, i, editor);
    become_identity(nodes[i], editor.node(i));
    changes.push_back({std::string(nodes[i].name), kReplicaTaken,
                       cat(nodes[i].op, " of a TPU's cores; now that of the first"), false});
  }
  if (!editor.is_changed()) return model;
  Model made = model;
  made.graph = editor.finish();
  return made;
}

}  // namespace cryo
