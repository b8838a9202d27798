#include "passes/prune/cuts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/common/select_outputs.h"

namespace cryo {
namespace {

// Returns the outputs of a node that others take; the first where nothing takes any.
std::set<uint32_t> used_ports(const Graph& graph, uint32_t node) {
  std::set<uint32_t> ports;
  for (const Consumer& consumer : graph.index().consumers().of(node)) {
    if (!consumer.control) ports.insert(consumer.port);
  }
  if (ports.empty()) ports.insert(0);
  return ports;
}

}  // namespace

void Cuts::add(const Edge& tensor, uint32_t variable) {
  if (!covers(tensor)) all_.push_back({tensor.node, tensor.port, variable});
}

void Cuts::add_outputs(const Graph& graph, uint32_t node) {
  whole_.insert(node);
  for (const uint32_t port : used_ports(graph, node)) add({node, port});
}

void Cuts::take(const Edge& edge) {
  for (InputCut& cut : all_) {
    if (cut.node == edge.node && cut.port == edge.port) cut.taken = true;
  }
}

void Cuts::drop_untaken() {
  std::map<uint32_t, uint32_t> stays;  // by node: a port
  for (const InputCut& cut : all_) {
    if (cut.taken || !stays.contains(cut.node)) stays[cut.node] = cut.port;
  }
  std::erase_if(all_, [&](const InputCut& cut) {
    return whole_.contains(cut.node) && !cut.taken && stays.at(cut.node) != cut.port;
  });
}

void Cuts::add_variable(const Model& model, uint32_t node) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const bool handle = is_resource_variable(nodes[node].op);
  if (!handle) add({node, 0});
  for (const Consumer& consumer : model.graph.index().consumers().of(node)) {
    const std::string_view op = nodes[consumer.node].op;
    if (consumer.input == 0 && is_update(op)) dropped_.insert(consumer.node);
    if (handle && op == "ReadVariableOp") add({consumer.node, 0}, node);
  }
}

Result<Cuts> Cuts::find(const Model& model, const std::vector<std::string>& inputs,
                        const NodeNames& names) {
  Cuts cuts;
  for (const std::string& input : inputs) {
    TRY(edge, find_endpoint(model, names, input));
    const std::string_view op = model.graph.nodes()[edge.node].op;
    if (is_placeholder(op)) continue;
    if (is_variable(op)) {
      cuts.add_variable(model, edge.node);
    } else if (input.find(':') != std::string::npos) {
      cuts.add(edge);
    } else {
      cuts.add_outputs(model.graph, edge.node);
    }
  }
  return cuts;
}

const InputCut* Cuts::at(uint32_t node, uint32_t port) const {
  const auto same = [&](const InputCut& cut) { return cut.node == node && cut.port == port; };
  const auto found = std::find_if(all_.begin(), all_.end(), same);
  return found == all_.end() ? nullptr : &*found;
}

void Cuts::name_placeholders(const std::vector<Node>& nodes, const NodeNames& names,
                             const std::vector<bool>& kept) {
  FreshNames fresh(names);
  for (InputCut& cut : all_) {
    const uint32_t node = cut.variable == kNoNode ? cut.node : cut.variable;
    const std::string name(nodes[node].name);
    const auto same = [&](const InputCut& other) {
      return cut.variable != kNoNode && other.variable == cut.variable;
    };
    const auto first = std::find_if(all_.begin(), all_.end(), same);
    if (first != all_.end() && &*first != &cut) {
      cut.placeholder = first->placeholder;
      continue;
    }
    const bool takes_over = cut.port == 0 && !kept[node];
    cut.placeholder = takes_over ? name : fresh.take(cat(name, "_", cut.port));
  }
}

Result<std::string> placeholder_for(const Node& node, const InputCut& cut, const OpRegistry* ops) {
  const std::optional<DType> dtype = output_dtype(node, cut.port, ops);
  if (!dtype) {
    return failure(
        "unknown-type",
        cat("the type of ", node.name, ":", cut.port, " is unknown: op ", node.op, " is not known"),
        {.node = node.name}, "begin at a tensor of a known op");
  }
  NodeEditor editor(cut.placeholder, "Placeholder");
  editor.set_attr("dtype", type_value(*dtype));
  editor.set_attr("shape", shape_value(shape_message(output_shape(node, cut.port))));
  return editor.finish();
}

}  // namespace cryo
