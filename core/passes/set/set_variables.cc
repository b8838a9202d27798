#include "passes/set/set_variables.h"

#include "base/text.h"
#include "graph/roles.h"
#include "graph/walk.h"

namespace cryo {
namespace {

constexpr std::string_view kSuffix = "/set";

// A node that hands a variable on, with the name of the node that has its value.
struct Carrier {
  uint32_t node = kNoNode;
  std::string value = {};
};

// Returns true if the node hands its input 0, a handle or a reference, on as such.
bool carries(const Node& node, uint32_t input, bool is_handle) {
  return input == 0 && is_pass_through(node.op) && (is_handle || node.op.starts_with("Ref"));
}

// Returns true if the node changes the variable, saves it, or asks for it and not for its value.
bool leaves_value(const Node& node, uint32_t input) {
  const bool assigned = node.op.starts_with("Assign") && input > 0;
  return (is_update(node.op) && !assigned) || is_saver_op(node.op) || node.op == "VariableShape" ||
         node.op == "VarIsInitializedOp" || node.op == "IsVariableInitialized" ||
         node.op == "DestroyResourceOp";
}

// Returns the node that hands the value on, on the way that `node` hands the variable on.
std::string value_carrier(const Node& node, const std::string& name, const std::string& value,
                          int dtype) {
  NodeEditor editor(node);
  const bool is_ref = node.op.starts_with("Ref");
  editor.set_name(name).set_op(node.op.substr(is_ref ? 3 : 0)).set_attr("T", type_value(dtype));
  editor.inputs()[0] = value;
  return editor.erase_attr("_output_shapes").erase_attr("_class").finish();
}

}  // namespace

std::string constant_of_variable(std::string_view variable) { return cat(variable, kSuffix); }

void redirect_reads(const Model& model, uint32_t variable, std::string_view proto,
                    GraphEditor& editor) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeNames& names = model.graph.index().names();
  const bool is_handle = is_resource_variable(nodes[variable].op);
  const int dtype = type_attr(nodes[variable], "dtype").value_or(0);
  const std::string constant = constant_of_variable(nodes[variable].name);
  if (names.find(constant) == kNoNode) {
    editor.add(constant_node(constant, static_cast<DType>(dtype), proto).finish());
  }
  std::vector<Carrier> queue = {{variable, constant}};
  for (size_t at = 0; at < queue.size(); ++at) {
    const Carrier carrier = queue[at];
    for (const Consumer& consumer : model.graph.index().consumers().of(carrier.node)) {
      if (consumer.control) continue;
      const Node& user = nodes[consumer.node];
      const std::string value = to_text(TensorName{carrier.value, consumer.port});
      if (carries(user, consumer.input, is_handle)) {
        const std::string name = constant_of_variable(user.name);
        if (is_merge(user.op) || names.find(name) != kNoNode) continue;
        editor.add(value_carrier(user, name, value, dtype));
        queue.push_back({consumer.node, name});
      } else if (user.op == "ReadVariableOp") {
        NodeEditor& read = editor.node(consumer.node);
        read.set_op("Identity").rename_attr("dtype", "T").inputs()[0] = value;
      } else if (!is_handle && !leaves_value(user, consumer.input)) {
        std::vector<std::string>& inputs = editor.node(consumer.node).inputs();
        if (consumer.input < inputs.size()) inputs[consumer.input] = value;  // it may be set, too
      }
    }
  }
}

std::vector<std::string> values_taken_of(const Graph& graph,
                                         const std::vector<std::string>& variables) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  std::vector<uint32_t> starts;
  for (const std::string& name : variables) {
    const uint32_t node = graph.index().names().find(name);
    if (node != kNoNode && is_variable(nodes[node].op)) starts.push_back(node);
  }
  const auto hands_on = [&](uint32_t, const Consumer& consumer) {
    return !consumer.control && carries(nodes[consumer.node], consumer.input, true);
  };
  const std::vector<bool> held = walk_forward(edges, starts, hands_on);
  std::vector<std::string> takers;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = edges.inputs(i);
    bool takes = false;
    for (uint32_t k = 0; k < inputs.size(); ++k) {
      const bool is_held = inputs[k].node != kNoNode && !inputs[k].control && held[inputs[k].node];
      takes = takes || (is_held && !carries(nodes[i], k, true) && !leaves_value(nodes[i], k));
    }
    if (takes) takers.emplace_back(nodes[i].name);
  }
  return takers;
}

}  // namespace cryo
