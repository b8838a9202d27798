#include "graph/functions/function_body.h"

#include <charconv>

#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "wire/fields.h"

namespace cryo {
namespace {

Edge edge_of(std::string_view text, const NodeNames& names) {
  Edge edge{names.find(body_node_name(text)), 0, text.starts_with('^')};
  const size_t last = text.rfind(':');
  if (edge.control || last == std::string_view::npos) return edge;
  std::from_chars(text.data() + last + 1, text.data() + text.size(), edge.port);
  const size_t first = text.find(':');
  const std::string_view out =
      first == last ? std::string_view() : text.substr(first + 1, last - first - 1);
  if (out == "output_true" || out == "value_index") ++edge.port;  // of Switch, of Merge
  return edge;
}

}  // namespace

std::string_view body_node_name(std::string_view input) {
  if (input.starts_with('^')) input.remove_prefix(1);
  return input.substr(0, input.find(':'));
}

Result<FunctionBody> resolve_body(const Function& function) {
  FunctionBody body;
  body.signature = read_op_def(signature_of(function));
  body.arg_count = body.signature.inputs.size();
  for (const ArgDef& arg : body.signature.inputs) body.nodes.push_back({{}, arg.name, "_Arg"});
  TRY(nodes, body_nodes(function));
  body.nodes.insert(body.nodes.end(), nodes.begin(), nodes.end());
  const NodeNames names(body.nodes);
  std::vector<std::vector<Edge>> all;
  for (const Node& node : body.nodes) {
    std::vector<Edge> inputs;
    for (const std::string_view input : node.inputs()) inputs.push_back(edge_of(input, names));
    all.push_back(std::move(inputs));
  }
  body.edges = Edges(all);
  const auto sources = sources_by_output(function);
  for (const ArgDef& output : body.signature.outputs) {
    const auto found = sources.find(output.name);
    body.returns.push_back(found == sources.end() ? Edge() : edge_of(found->second, names));
  }
  return body;
}

Result<Function> function_named(const Graph& graph, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Function& each : graph.functions()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  return failure("not-in-graph",
                 cat("there is no function '", name, "'", did_you_mean(name, names)),
                 {.function = std::string(name)}, LIST("names", "functions"));
}

Result<FunctionBody> body_of_function(const Graph& graph, std::string_view name) {
  TRY(function, function_named(graph, name));
  return resolve_body(function);
}

std::string_view called_function(const Node& node) {
  if (!is_call(node.op)) return {};
  const auto f = find_attr(node, "f");
  return f ? last_bytes(last_bytes(*f, fields::AttrValue::kFunc), fields::NameAttrList::kName)
           : std::string_view();
}

}  // namespace cryo
