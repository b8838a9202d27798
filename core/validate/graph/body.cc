#include "validate/graph/body.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/utf8.h"
#include "validate/graph/attrs.h"
#include "validate/graph/body_inputs.h"
#include "validate/graph/constants.h"
#include "validate/graph/cycles.h"
#include "validate/graph/device.h"
#include "validate/graph/frame_check.h"
#include "validate/graph/names.h"
#include "validate/graph/shapes.h"
#include "validate/graph/unknown_op.h"

namespace cryo {
namespace {

// A body can ask for as many types as it has nodes times the longest list of types that a caller
// hands in.
constexpr uint64_t kMaxTypes = 20'000'000;

// A function with the attributes it is called with.
struct Instance {
  const LibraryFunction& function;
  const AttrScope& scope;
  KnownOps& ops;
  const Payloads& payloads;
  const Reporter& reporter;
};

void report_duplicate(std::string_view what, std::string_view name, const GraphPlace& spot,
                      const Reporter& reporter) {
  reporter.error("duplicate-node-name", spot, "Duplicated ", what, " name: ", printable(name, 300));
}

// The caller gives every attribute that the signature has and that has no default.
void check_call_attrs(const OpDef& signature, const NodeAttrs& call, const Reporter& reporter) {
  for (size_t i = 0; i < signature.attrs.size(); ++i) {
    const AttrDef& attr = signature.attrs[i];
    const auto value = call.get(static_cast<int>(i));
    if (!value) {
      reporter.error("attr-missing", {.attr = attr.name}, "Attr ", printable(attr.name, 100),
                     " is not found from ", summary(signature));
    } else if (call.given(static_cast<int>(i))) {
      if (const auto fault = value_fault(AttrValue(*value), attr)) {
        reporter.error(fault->code, {.attr = attr.name}, fault->message, " for attr '", attr.name,
                       "'");
      }
    }
  }
}

// Arguments and returns become nodes.
void check_item_name(std::string_view name, const Reporter& reporter) {
  if (is_node_name(name, true)) return;
  reporter.error("bad-node-name", {.node = name}, "Node ", quoted(name),
                 ": Node name contains invalid characters");
}

// Returns the base types of an argument; references are checked along edges.
std::vector<TypeRun> base_types_of(ArgDef arg, const NodeAttrs& attrs, const GraphPlace& spot,
                                   const Reporter& reporter) {
  arg.is_ref = false;
  std::vector<TypeRun> types;
  // TensorFlow takes `type` before `type_attr` here, and none of them for a type of its own.
  if (arg.type != DType::kInvalid) arg.type_attr = kNoAttr;
  const bool untyped = arg.type == DType::kInvalid && arg.type_attr == kNoAttr &&
                       arg.type_list_attr == kNoAttr && arg.number_attr == kNoAttr;
  if (untyped) return {{DType::kInvalid, 1}};
  const auto fault = append_types(arg, attrs, types);
  // Missing has been reported.
  if (!fault || fault->why == TypesFault::Why::kMissing) return types;
  const auto place = static_cast<size_t>(fault->attr);
  const std::vector<AttrDef>& defs = attrs.op().attrs;
  const std::string_view attr = place < defs.size() ? defs[place].name : "";
  reporter.error(attr.empty() ? "bad-signature" : "attr-not-a-count",
                 {.node = spot.node, .attr = attr}, "The types of argument ", quoted(arg.name),
                 " do not follow from attr '", attr, "'");
  return types;
}

void add_args(const Instance& of, const NodeAttrs& call, BodyGraph& graph, BodyItems& items) {
  for (const ArgDef& arg : of.function.signature.inputs) {
    const std::vector<TypeRun> types = base_types_of(arg, call, {}, of.reporter);
    if (types.empty()) {
      of.reporter.error("function-empty-list", {}, "Expected a list of at least one dtype In ",
                        quoted(arg.name));
    }
    check_item_name(arg.name, of.reporter);
    graph.nodes.push_back({{}, arg.name, "_Arg"});
    graph.types.add({}, types, true);
    if (!items.add_arg(arg.name, arg.is_ref, types)) {
      report_duplicate("arg", arg.name, {}, of.reporter);
    }
  }
}

// Returns the names of the nodes that returns become.
std::set<std::string, std::less<>> return_nodes(const Instance& of) {
  std::set<std::string, std::less<>> names;
  for (const ArgDef& output : of.function.signature.outputs) {
    const std::string node = cat(output.name, "_RetVal");
    check_item_name(node, of.reporter);
    names.insert(node);
  }
  return names;
}

// Reports an attribute without a value. It is refused, whatever its purpose.
void attr_without_value(const Node& node, const OpDef& op, std::string_view key,
                        const Reporter& reporter) {
  const int place = op.attr_index(key);
  const bool fixable = place != kNoAttr && op.attrs[static_cast<size_t>(place)].default_value;
  reporter.error("attr-empty", {.node = node.name, .attr = key, .fixable = fixable},
                 "Failed to bind all placeholders in <Unknown AttrValue type>, the value of ",
                 printable(key, 100));
}

// Checks the kind of a value. TensorFlow finds a wrong kind when it needs the attribute; import
// always does if there is no default. It reads a type unchecked, and finds the fault along the
// edges.
void check_body_value(const AttrValue& value, const AttrDef& def, const GraphPlace& spot,
                      const Reporter& reporter) {
  if (value.kind() == AttrKind::kPlaceholder || !value.is_set()) return;
  if (const auto fault = value_fault(value, def)) {
    if (def.default_value || def.type.kind == AttrKind::kType) {
      reporter.warning(fault->code, spot, fault->message, " for attr '", def.name, "'");
    } else {
      reporter.error(fault->code, spot, fault->message, " for attr '", def.name, "'");
    }
  } else if (const auto out_of_range = constraint_fault(value, def)) {
    reporter.warning(out_of_range->code, spot, out_of_range->message);
  }
}

void check_node_attrs(const Instance& of, const Node& node, const NodeAttrs& attrs) {
  for (const Attr& attr : attrs_of(node)) {
    if (!AttrValue(attr.value).is_set()) {
      attr_without_value(node, attrs.op(), attr.key, of.reporter);
    }
    if (of.scope.binds_all(attr.value)) continue;
    of.reporter.error("unbound-placeholder", {.node = node.name, .attr = attr.key},
                      "Failed to bind all placeholders in ", printable(attr.key, 100));
  }
  for (size_t i = 0; i < attrs.op().attrs.size(); ++i) {
    const AttrDef& def = attrs.op().attrs[i];
    const auto value = attrs.get(static_cast<int>(i));
    const GraphPlace spot{.node = node.name, .attr = def.name};
    if (!value && def.type.kind == AttrKind::kType) {
      of.reporter.error("attr-missing", spot, "type attr not found: ", def.name, " In ",
                        quoted(node.name));
    } else if (!value) {
      of.reporter.error("attr-missing", spot, "No attr named '", def.name, "' in NodeDef ",
                        quoted(node.name));
    } else if (attrs.given(static_cast<int>(i))) {
      check_body_value(AttrValue(*value), def, spot, of.reporter);
    }
  }
  check_shape_attrs(node, attrs, of.reporter);
  if (node.op == "Const") check_constant(node, attrs, of.payloads, of.reporter);
}

// Returns the op's definition; nullptr if it is unknown. `attrs`: reused from node to node.
const OpDef* check_body_node(const Instance& of, const Node& node, NodeAttrs& attrs,
                             BodyItems& items) {
  const KnownOp& known = of.ops.find(node.op);
  check_op_known(node, of.ops, known, of.reporter);
  if (!known.def) {
    items.make_opaque();
    return nullptr;
  }
  attrs.bind(node, *known.def, &of.scope);
  check_device(node, attrs.device(), of.reporter);
  if (!known.function) check_kernel(node, attrs.device(), *known.def, of.reporter);
  check_node_attrs(of, node, attrs);
  if (!known.function) check_left_out(node, attrs, of.reporter);
  for (const ArgDef& output : known.def->outputs) {
    items.add_output(output.name, output.is_ref,
                     base_types_of(output, attrs, {.node = node.name}, of.reporter));
  }
  return known.def;
}

void add_node_types(const OpDef* op, const NodeAttrs& attrs, TypeTable& types) {
  std::vector<TypeRun> inputs;
  std::vector<TypeRun> outputs;
  const bool known = op && types.size() <= kMaxTypes && !append_types(op->inputs, attrs, inputs) &&
                     !append_types(op->outputs, attrs, outputs);
  types.add(inputs, outputs, known);
}

// Adds the body's own nodes, behind the arguments.
void add_body_nodes(const Instance& of, const std::vector<Node>& nodes,
                    const std::vector<const OpDef*>& ops, const BodyItems& items,
                    BodyGraph& graph) {
  BodyInputs inputs(items, of.reporter);
  NodeAttrs attrs;
  std::vector<std::vector<Edge>> edges(graph.args);
  for (size_t i = 0; i < nodes.size(); ++i) {
    edges.emplace_back();
    if (ops[i]) {
      attrs.bind(nodes[i], *ops[i], &of.scope);
      edges.back() = inputs.check(nodes[i], attrs);
    }
    add_node_types(ops[i], attrs, graph.types);
  }
  graph.nodes.insert(graph.nodes.end(), nodes.begin(), nodes.end());
  graph.edges = Edges(edges);
  graph.order = check_cycles(graph.nodes, graph.edges, of.reporter);
}

void add_return(const BodyItem& item, const BodyItems& items, std::vector<Edge>& returns) {
  constexpr uint64_t kMaxReturned = 65536;
  const uint64_t count = std::min(size_of(item.types()), kMaxReturned - returns.size());
  for (uint32_t i = 0; i < count; ++i) {
    returns.push_back({items.node_of(item), item.port + i, false});
  }
}

// Returns the source of each returned tensor.
std::vector<Edge> check_returns(const Instance& of, const NodeAttrs& call, const BodyItems& items) {
  std::vector<Edge> returns;
  const auto sources = sources_by_output(*of.function.function);
  for (const ArgDef& output : of.function.signature.outputs) {
    const auto found = sources.find(output.name);
    if (found == sources.end()) {
      of.reporter.error("function-return", {}, "Return ", printable(output.name, 300),
                        " missing. In function output ", printable(output.name, 300));
      continue;
    }
    const std::string_view source = found->second;
    const std::vector<TypeRun> types = base_types_of(output, call, {}, of.reporter);
    const auto item = items.find(source);
    if (!item && items.is_opaque(source)) continue;
    if (!item) {
      of.reporter.error("function-return", {}, "Return ", printable(output.name, 300), " -> ",
                        printable(source, 300), " is not found.");
    } else if (types.empty() || !same_types(types, item->types())) {
      of.reporter.error("function-return", {}, "Invalid ret types ", printable(output.name, 300),
                        " : ", to_text(types), " vs. ", to_text(item->types()));
    } else {
      add_return(*item, items, returns);
    }
  }
  return returns;
}

// Returns nullopt if the body's nodes cannot be read, or have too many types to check.
std::optional<BodyGraph> check_instance(const Instance& of) {
  const Result<std::vector<Node>> nodes = body_nodes(*of.function.function);
  if (!nodes) {
    of.reporter.error("malformed-message", {}, nodes.error().message);
    return std::nullopt;
  }
  NodeAttrs call;
  call.bind(of.scope, of.function.signature);
  check_call_attrs(of.function.signature, call, of.reporter);
  BodyGraph graph{.args = of.function.signature.inputs.size(), .scope = of.scope};
  BodyItems items;
  add_args(of, call, graph, items);
  const auto returned = return_nodes(of);
  check_names(*nodes, NodeNames(*nodes), true, of.reporter);
  std::vector<const OpDef*> ops;
  NodeAttrs attrs;
  for (const Node& node : *nodes) {
    if (!items.add_node(node.name) || returned.contains(node.name)) {
      report_duplicate("ret", node.name, {.node = node.name}, of.reporter);
    }
    ops.push_back(check_body_node(of, node, attrs, items));
    if (items.size() <= kMaxTypes) continue;
    of.reporter.warning("too-many-types", {}, "Function ", quoted(of.function.function->name),
                        " has more than ", kMaxTypes,
                        " tensors with these attributes; its body is not checked further");
    return std::nullopt;
  }
  add_body_nodes(of, *nodes, ops, items, graph);
  graph.returns = check_returns(of, call, items);
  if (graph.types.size() > kMaxTypes) return std::nullopt;
  return graph;
}

}  // namespace

std::optional<BodyGraph> check_body(const LibraryFunction& function, const AttrScope& scope,
                                    KnownOps& ops, const Payloads& payloads,
                                    const Reporter& reporter) {
  const size_t errors = reporter.findings().errors();
  auto graph = check_instance({function, scope, ops, payloads, reporter});
  if (!reporter.errors_count() || reporter.findings().errors() != errors) return std::nullopt;
  if (graph) check_frames(graph->nodes, graph->edges, reporter);
  return graph;
}

}  // namespace cryo
