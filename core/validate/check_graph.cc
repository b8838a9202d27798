#include "validate/check_graph.h"

#include <set>

#include "base/function_ref.h"
#include "base/utf8.h"
#include "graph/needs.h"
#include "validate/graph/attrs.h"
#include "validate/graph/constants.h"
#include "validate/graph/cycles.h"
#include "validate/graph/device.h"
#include "validate/graph/frame_check.h"
#include "validate/graph/functions.h"
#include "validate/graph/inputs.h"
#include "validate/graph/library.h"
#include "validate/graph/names.h"
#include "validate/graph/shapes.h"
#include "validate/graph/type_table.h"
#include "validate/graph/unknown_op.h"
#include "validate/graph/versions.h"
#include "validate/shape/shape_check.h"

namespace cryo {
namespace {

struct NodeTypes {
  std::vector<TypeRun> inputs = {};
  std::vector<TypeRun> outputs = {};
  bool inputs_known = false;
  bool outputs_known = false;
  bool known() const { return inputs_known && outputs_known; }
};

// Expands arguments to types. Returns false if an attribute is missing, which has been reported, or
// is not a valid count.
bool expand(const Node& node, const NodeAttrs& attrs, const std::vector<ArgDef>& args,
            std::vector<TypeRun>& types, const Reporter& reporter) {
  using Why = TypesFault::Why;
  const auto fault = append_types(args, attrs, types);
  if (!fault) return true;
  const auto place = static_cast<size_t>(fault->attr);
  const std::vector<AttrDef>& defs = attrs.op().attrs;
  const std::string_view attr = place < defs.size() ? defs[place].name : "";
  const GraphPlace spot{.node = node.name, .attr = attr};
  if (fault->why == Why::kTooMany) {
    reporter.error("attr-not-a-count", spot, "Number of outputs is too big: ", fault->number);
  } else if (fault->why == Why::kNegative) {
    reporter.error("attr-not-a-count", spot, "Value for number_attr() ", fault->number, " < 0");
  } else if (fault->why == Why::kNotANumber && attrs.given(fault->attr) &&
             AttrValue(*attrs.get(fault->attr)).kind() == AttrKind::kPlaceholder) {
    reporter.error("attr-wrong-kind", spot,
                   "AttrValue had value with unexpected type 'placeholder'");
  } else if (fault->why == Why::kMissing && place >= defs.size()) {
    reporter.error("bad-signature", spot, "No attr of the name that the definition of ",
                   quoted(node.op), " says for a type in NodeDef: {{node ",
                   printable(node.name, 300), "}}");
  } else if (fault->why == Why::kRefOfRef || fault->why == Why::kMalformed) {
    reporter.error("bad-signature", spot, "The definition of ", quoted(node.op),
                   " does not say the types of its arguments: ", summary(attrs.op()));
  }
  return false;
}

NodeTypes types_of(const Node& node, const NodeAttrs& attrs, const Reporter& reporter) {
  NodeTypes types;
  types.inputs_known = expand(node, attrs, attrs.op().inputs, types.inputs, reporter);
  types.outputs_known = expand(node, attrs, attrs.op().outputs, types.outputs, reporter);
  return types;
}

// An op that still works for the graph's version is reported once: `reported` has such ops.
void check_deprecation(const Node& node, const Deprecation& deprecation, int producer,
                       std::set<std::string_view>& reported, const Reporter& reporter) {
  if (producer < deprecation.version) {
    if (!reported.insert(node.op).second) return;
    reporter.note("op-deprecated", {.node = node.name}, "Op ", printable(node.op, 100),
                  " is deprecated. It will cease to work in GraphDef version ", deprecation.version,
                  ". ", deprecation.explanation, ".");
    return;
  }
  reporter.error("op-removed", {.node = node.name}, "Op ", printable(node.op, 100),
                 " is not available in GraphDef version ", producer,
                 ". It has been removed in version ", deprecation.version, ". ",
                 deprecation.explanation, ".");
}

void check_input_count(const Node& node, const OpDef& op, std::span<const Edge> inputs,
                       const std::vector<TypeRun>& types, const Reporter& reporter) {
  uint64_t data = 0;
  for (const Edge& edge : inputs) data += edge.control ? 0U : 1U;
  if (data == size_of(types)) return;
  reporter.error("input-count", {.node = node.name}, "NodeDef expected inputs '", to_text(types),
                 "' do not match ", data, " inputs specified; ", summary(op),
                 "; NodeDef: ", quoted(node.name));
}

// Checks the nodes one by one: all that needs no other node. Returns their types.
TypeTable check_nodes(const Graph& graph, KnownOps& ops, const Payloads& payloads,
                      const OpRegistry* producers, const Reporter& reporter) {
  TypeTable table;
  NodeAttrs attrs;
  const OpDef none;  // for an op that is not known
  std::set<std::string_view> deprecated;
  const int producer = graph.producer();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    const KnownOp& known = ops.find(node.op);
    attrs.bind(node, known.def ? *known.def : none);
    check_colocation(node, attrs, graph.index().names(), reporter);
    check_device(node, attrs.device(), reporter);
    check_op_known(node, ops, known, reporter);
    if (!known.def) {
      table.add({}, {}, false);
      continue;
    }
    const OpDef& op = *known.def;
    if (op.deprecation) check_deprecation(node, *op.deprecation, producer, deprecated, reporter);
    if (!known.function) check_kernel(node, attrs.device(), op, reporter);
    check_attrs(node, attrs, producers ? producers->find(node.op) : nullptr, reporter);
    if (!known.function) check_left_out(node, attrs, reporter);
    const NodeTypes types = types_of(node, attrs, reporter);
    table.add(types.inputs, types.outputs, types.known());
    const auto inputs = graph.index().edges().inputs(i);
    if (types.inputs_known) check_input_count(node, op, inputs, types.inputs, reporter);
    check_shape_attrs(node, attrs, reporter);
    if (types.outputs_known) check_output_shapes(node, attrs, size_of(types.outputs), reporter);
    if (node.op == "Const") check_constant(node, attrs, payloads, reporter);
  }
  return table;
}

// Returns the types of some nodes. Reports only what is wrong with these.
TypeTable types_of_nodes(const std::vector<Node>& nodes, FunctionRef<bool(uint32_t)> is_needed,
                         KnownOps& ops, const Reporter& reporter) {
  TypeTable table;
  NodeAttrs attrs;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    NodeTypes types;
    const OpDef* op = is_needed(i) ? ops.find(nodes[i].op).def : nullptr;
    if (op != nullptr) {
      attrs.bind(nodes[i], *op);
      types = types_of(nodes[i], attrs, reporter);
    }
    table.add(types.inputs, types.outputs, types.known());
  }
  return table;
}

void report_left_out(const Findings& findings, const Reporter& reporter) {
  if (findings.left_out() == 0) return;
  reporter.note("attr-default-missing", {.node = std::string_view(""), .fixable = true},
                plural(findings.left_out(), "node"),
                findings.left_out() == 1 ? " leaves" : " leave",
                " out attributes that have a default, which TensorFlow fills in");
}

}  // namespace

GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                         const CheckOptions& options) {
  Findings findings(options.repairs);
  const Reporter reporter(findings);
  const Library library(graph);
  KnownOps ops(registry, library);
  const NodeNames& names = graph.index().names();
  const Edges& edges = graph.index().edges();
  check_versions(graph, registry, reporter);
  check_names(graph.nodes(), names, false, reporter);
  check_library(graph, ops, payloads, reporter);
  check_inputs(graph.nodes(), edges, names, reporter);
  const TypeTable types = check_nodes(graph, ops, payloads, options.producer, reporter);
  check_edge_types(graph.nodes(), edges, types, reporter);
  const std::vector<uint32_t> order = check_cycles(graph.nodes(), edges, reporter);
  const BodyGraphs bodies = check_functions(graph.nodes(), ops, payloads, findings);
  check_inferred_shapes({graph.nodes(), edges, types, order}, bodies, ops, payloads,
                        graph.producer(), reporter, options.shapes);
  if (findings.errors() == 0) check_frames(graph.nodes(), edges, reporter);
  report_left_out(findings, reporter);
  GraphVerdict verdict;
  verdict.errors = findings.errors();
  verdict.warnings = findings.warnings();
  verdict.diagnostics = findings.finish();
  return verdict;
}

void infer_shapes(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                  TensorShapes& wanted) {
  Findings unread;
  const Reporter reporter(unread);
  const Library library(graph);
  KnownOps ops(registry, library);
  const Edges& edges = graph.index().edges();
  std::vector<uint32_t> ends;
  for (const auto& [tensor, shape] : wanted) ends.push_back(tensor.first);
  const std::vector<uint32_t> needed = needed_by(edges, ends);
  const auto is_needed = [&](uint32_t node) { return needed[node] != kNoNode; };
  const TypeTable types = types_of_nodes(graph.nodes(), is_needed, ops, reporter);
  std::vector<uint32_t> order = check_cycles(graph.nodes(), edges, reporter);
  std::erase_if(order, [&](uint32_t node) { return !is_needed(node); });
  const BodyGraphs bodies = check_functions(graph.nodes(), ops, payloads, unread);
  check_inferred_shapes({graph.nodes(), edges, types, order}, bodies, ops, payloads,
                        graph.producer(), reporter, &wanted);
}

}  // namespace cryo
