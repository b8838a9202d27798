#include "commands/node_columns.h"

#include <span>
#include <unordered_map>

#include "base/text.h"
#include "graph/functions/function_body.h"
#include "model/analysis/stats.h"
#include "model/variables.h"

namespace cryo {
namespace {

// Numbers for texts that occur again and again, in the order in which they are met.
class Numbering {
 public:
  explicit Numbering(std::vector<std::string>& texts) : texts_(texts) {}

  uint32_t of(std::string_view text) {
    const auto [known, fresh] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (fresh) texts_.emplace_back(text);
    return known->second;
  }

 private:
  std::vector<std::string>& texts_;
  std::unordered_map<std::string_view, uint32_t> numbers_;  // views of the graph
};

class ColumnWriter {
 public:
  explicit ColumnWriter(size_t count) {
    for (auto* column :
         {&columns_.name_ends, &columns_.ops, &columns_.devices, &columns_.input_ends}) {
      column->reserve(count);
    }
    columns_.bytes.reserve(count);
  }

  void add(const Node& node, std::span<const Edge> inputs) {
    columns_.names += node.name;
    columns_.name_ends.push_back(static_cast<uint32_t>(columns_.names.size()));
    columns_.ops.push_back(ops_.of(node.op));
    columns_.devices.push_back(devices_.of(device_of(node)));
    auto text = node.inputs().begin();
    for (const Edge& input : inputs) add_input(input, *text), ++text;
    columns_.input_ends.push_back(static_cast<uint32_t>(columns_.inputs.size()));
    columns_.bytes.push_back(0);
  }

  void set_bytes(uint32_t node, uint64_t bytes) {
    columns_.bytes[node] = static_cast<double>(bytes);
  }

  NodeColumns finish() { return std::move(columns_); }

 private:
  void add_input(const Edge& input, std::string_view text) {
    if (input.node != kNoNode) {
      columns_.inputs.push_back(static_cast<int32_t>(input.node));
    } else {
      columns_.missing.emplace_back(text);
      columns_.inputs.push_back(-static_cast<int32_t>(columns_.missing.size()));
    }
    columns_.ports.push_back(input.control ? -1 : static_cast<int32_t>(input.port));
  }

  NodeColumns columns_;
  Numbering ops_{columns_.op_names};
  Numbering devices_{columns_.device_names};
};

void add_sizes(const std::vector<Node>& nodes, const Payloads& payloads, ColumnWriter& columns) {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op == "Const") columns.set_bytes(i, value_bytes(nodes[i], payloads));
  }
}

NodeColumns columns_of_main(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  ColumnWriter columns(nodes.size());
  for (uint32_t i = 0; i < nodes.size(); ++i) columns.add(nodes[i], edges.inputs(i));
  add_sizes(nodes, *model.payloads, columns);
  for (const Variable& variable : variables_of(model)) {
    const Result<Tensor> value = value_of(model, variable);
    if (value) columns.set_bytes(variable.node, value->content.size());
  }
  return columns.finish();
}

NodeColumns columns_of_body(const FunctionBody& view, const Payloads& payloads) {
  ColumnWriter columns(view.nodes.size());
  for (uint32_t i = 0; i < view.nodes.size(); ++i) columns.add(view.nodes[i], view.edges.inputs(i));
  add_sizes(view.nodes, payloads, columns);
  return columns.finish();
}

}  // namespace

Result<NodeColumns> node_columns(const Model& model, const std::string& function) {
  if (function.empty()) return columns_of_main(model);
  TRY(view, body_of_function(model.graph, function));
  return columns_of_body(view, *model.payloads);
}

}  // namespace cryo
