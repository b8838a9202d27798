#include "commands/node_rows.h"

#include <algorithm>

#include "base/json_writer.h"
#include "commands/text/escaped.h"
#include "graph/functions/function_body.h"

namespace cryo {
Result<NodeRows> NodeRows::of_function(const Graph& graph, const std::string& function) {
  NodeRows rows(graph);
  TRY(view, body_of_function(rows.graph_, function));
  rows.body_ = std::move(view.nodes);
  return rows;
}

void NodeRows::keep(FunctionRef<bool(const Node&)> is_kept) {
  std::vector<size_t> kept;
  for (size_t row = 0; row < nodes().size(); ++row) {
    if (is_kept(nodes()[row])) kept.push_back(row);
  }
  kept_ = std::move(kept);
}

std::string NodeRows::json(size_t row) const {
  const Node& node = this->node(row);
  JsonWriter json;
  json.begin_object();
  json.members("name", node.name, "op", node.op);
  json.list("inputs", node.inputs(), [&](std::string_view input) { json.value(input); });
  json.member("device", device_of(node));
  json.end_object();
  return json.take();
}

std::vector<std::string> NodeRows::cells(size_t row) const {
  const Node& node = this->node(row);
  std::string inputs;
  for (const std::string_view input : node.inputs()) {
    if (!inputs.empty()) inputs += ' ';
    inputs += shown_text(input);
  }
  return {shown_text(node.name), shown_text(node.op), std::move(inputs),
          shown_text(device_of(node))};
}

}  // namespace cryo
