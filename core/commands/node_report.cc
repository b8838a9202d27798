#include "commands/node_report.h"

#include <algorithm>

#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "commands/attr_json.h"
#include "graph/functions/function_body.h"
#include "graph/node_types.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

// An op may have 2^31 outputs by one attribute.
constexpr uint32_t kMaxOutputs = 64;

// A main graph, or a function's body.
struct Body {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const OpRegistry* ops;
};

Json dtype_json(const std::optional<DType>& dtype) {
  return dtype ? Json(dtype_name(*dtype)) : Json(nullptr);
}

Json tensor_json(const Body& body, const Node& node, uint32_t port) {
  return {{"port", port},
          {"dtype", dtype_json(output_dtype(node, port, body.ops))},
          {"shape", to_json(output_shape(node, port))}};
}

Json input_json(const Body& body, std::string_view text, const Edge& edge) {
  Json input = {{"tensor", text}, {"node", nullptr}, {"op", nullptr}};
  if (edge.node != kNoNode) {
    const Node& from = body.nodes[edge.node];
    input["node"] = from.name;
    input["op"] = from.op;
    if (!edge.control) input.update(tensor_json(body, from, edge.port));
  }
  input["port"] = edge.port;
  input["control"] = edge.control;
  return input;
}

Json inputs_json(const Body& body, uint32_t at) {
  Json list = Json::array();
  size_t place = 0;
  for (const std::string_view text : body.nodes[at].inputs()) {
    list.push_back(input_json(body, text, body.edges.inputs(at)[place++]));
  }
  return list;
}

Json consumers_json(const Body& body, std::span<const Consumer> consumers) {
  Json list = Json::array();
  for (const Consumer& each : consumers) {
    const Node& node = body.nodes[each.node];
    list.push_back({{"node", node.name},
                    {"op", node.op},
                    {"input", each.input},
                    {"port", each.port},
                    {"control", each.control}});
  }
  return list;
}

// Returns the number of outputs: those of the op's definition, or as many as consumers read.
uint32_t output_count(const Body& body, const Node& node, std::span<const Consumer> consumers) {
  uint32_t count = 0;
  const auto known = [&] { return body.ops && output_type(node, count, *body.ops).has_value(); };
  while (count < kMaxOutputs && known()) ++count;
  for (const Consumer& each : consumers) {
    if (!each.control) count = std::max(count, std::min(each.port, kMaxOutputs - 1) + 1);
  }
  return count;
}

Json outputs_json(const Body& body, uint32_t at, std::span<const Consumer> consumers) {
  const Node& node = body.nodes[at];
  const uint32_t count = output_count(body, node, consumers);
  Json list = Json::array();
  for (uint32_t port = 0; port < count; ++port) list.push_back(tensor_json(body, node, port));
  return list;
}

Json attrs_json(const Node& node) {
  Json list = Json::array();
  for (const Attr& attr : attrs_of(node)) {
    Json each = {{"name", attr.key}};
    each.update(attr_json(attr.value));
    list.push_back(std::move(each));
  }
  return list;
}

Json calls_json(const Node& node, const Graph& graph) {
  Json list = Json::array();
  const std::vector<std::string_view> named = functions_named_by(node);
  for (const Function& function : graph.functions()) {
    const bool called = std::find(named.begin(), named.end(), function.name) != named.end();
    if (called) list.push_back(function.name);
  }
  return list;
}

Status add_node(const Body& body, const Model& model, const std::string& name, Json& report) {
  const NodeNames names(body.nodes);
  const uint32_t at = names.find(name);
  if (at == kNoNode) {
    std::vector<std::string_view> all;
    for (const Node& node : body.nodes) all.push_back(node.name);
    return failure("not-in-graph", cat("there is no node '", name, "'", did_you_mean(name, all)),
                   {.node = name}, LIST("names", "nodes"));
  }
  const Node& node = body.nodes[at];
  const Consumers& consumers = body.edges.consumers();
  report["node"] = {{"name", node.name},
                    {"op", node.op},
                    {"device", device_of(node)},
                    {"attrs", attrs_json(node)},
                    {"inputs", inputs_json(body, at)},
                    {"outputs", outputs_json(body, at, consumers.of(at))},
                    {"consumers", consumers_json(body, consumers.of(at))},
                    {"calls", calls_json(node, model.graph)}};
  return Unit{};
}

}  // namespace

Status describe_node(const Model& model, const std::string& name, const std::string& function,
                     const OpRegistry* ops, Json& report) {
  if (function.empty()) {
    const Edges& edges = model.graph.index().edges();
    return add_node({model.graph.nodes(), edges, ops}, model, name, report);
  }
  TRY(view, body_of_function(model.graph, function));
  return add_node({view.nodes, view.edges, ops}, model, name, report);
}

}  // namespace cryo
