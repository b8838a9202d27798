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

// Adds "dtype" and "shape" of an output.
void add_node_type(JsonWriter& json, const Body& body, const Node& node, uint32_t port) {
  std::optional<std::string> dtype;
  if (const auto known = output_dtype(node, port, body.ops)) dtype = dtype_name(*known);
  json.members("dtype", dtype, "shape", output_shape(node, port));
}

// `from`: null if no such node exists.
void write_input(JsonWriter& json, const Body& body, std::string_view text, const Edge& edge) {
  const Node* const from = edge.node == kNoNode ? nullptr : &body.nodes[edge.node];
  json.begin_object();
  json.member("tensor", text);
  if (from == nullptr) {
    json.members("node", nullptr, "op", nullptr);
  } else {
    json.members("node", from->name, "op", from->op);
  }
  json.member("port", edge.port);
  if (from != nullptr && !edge.control) add_node_type(json, body, *from, edge.port);
  json.member("control", edge.control);
  json.end_object();
}

void add_node_inputs(JsonWriter& json, const Body& body, uint32_t at) {
  size_t place = 0;
  json.list("inputs", body.nodes[at].inputs(), [&](std::string_view text) {
    write_input(json, body, text, body.edges.inputs(at)[place++]);
  });
}

void add_node_consumers(JsonWriter& json, const Body& body, std::span<const Consumer> consumers) {
  json.list("consumers", consumers, [&](const Consumer& each) {
    const Node& node = body.nodes[each.node];
    json.object("node", node.name, "op", node.op, "input", each.input, "port", each.port, "control",
                each.control);
  });
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

void add_node_outputs(JsonWriter& json, const Body& body, uint32_t at,
                      std::span<const Consumer> consumers) {
  const Node& node = body.nodes[at];
  const uint32_t count = output_count(body, node, consumers);
  json.key("outputs");
  json.begin_array();
  for (uint32_t port = 0; port < count; ++port) {
    json.begin_object();
    json.member("port", port);
    add_node_type(json, body, node, port);
    json.end_object();
  }
  json.end_array();
}

void add_node_attrs(JsonWriter& json, const Node& node) {
  json.list("attrs", attrs_of(node), [&](const Attr& attr) {
    json.begin_object();
    json.member("name", attr.key);
    add_attr(attr.value, json);
    json.end_object();
  });
}

void add_node_calls(JsonWriter& json, const Node& node, const Graph& graph) {
  json.key("calls");
  json.begin_array();
  const std::vector<std::string_view> named = functions_named_by(node);
  for (const Function& function : graph.functions()) {
    const bool called = std::find(named.begin(), named.end(), function.name) != named.end();
    if (called) json.value(function.name);
  }
  json.end_array();
}

Status add_node(const Body& body, const Model& model, const std::string& name,
                JsonWriter& members) {
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
  members.key("node");
  members.begin_object();
  members.members("name", node.name, "op", node.op, "device", device_of(node));
  add_node_attrs(members, node);
  add_node_inputs(members, body, at);
  add_node_outputs(members, body, at, consumers.of(at));
  add_node_consumers(members, body, consumers.of(at));
  add_node_calls(members, node, model.graph);
  members.end_object();
  return Unit{};
}

}  // namespace

Status describe_node(const Model& model, const std::string& name, const std::string& function,
                     const OpRegistry* ops, JsonWriter& members) {
  if (function.empty()) {
    const Edges& edges = model.graph.index().edges();
    return add_node({model.graph.nodes(), edges, ops}, model, name, members);
  }
  TRY(view, body_of_function(model.graph, function));
  return add_node({view.nodes, view.edges, ops}, model, name, members);
}

}  // namespace cryo
