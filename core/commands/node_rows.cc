#include "commands/node_rows.h"

#include <algorithm>

#include "base/text.h"
#include "commands/text/escaped.h"
#include "graph/functions/function_body.h"

namespace cryo {
namespace {

// Texts that JSON holds verbatim, as nearly all names are, need no value of the library.
bool is_verbatim(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void add_json(std::string& out, std::string_view text) {
  if (!is_verbatim(text)) {
    out += to_string(Json(text));
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

}  // namespace

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
  std::string out = R"({"name":)";
  add_json(out, node.name);
  out += R"(,"op":)";
  add_json(out, node.op);
  out += R"(,"inputs":[)";
  for (const std::string_view input : node.inputs()) {
    if (out.back() != '[') out += ',';
    add_json(out, input);
  }
  out += R"(],"device":)";
  add_json(out, device_of(node));
  out += '}';
  return out;
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
