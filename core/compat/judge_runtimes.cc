#include "compat/judge_runtimes.h"

#include <algorithm>
#include <optional>

#include "base/reference.h"
#include "base/text.h"
#include "compat/opencv.h"
#include "compat/sized_lists.h"
#include "formats/tfjs/tfjs_types.h"
#include "graph/analysis/frames.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/functions_needed.h"
#include "graph/node_attrs.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "releases/node_faults.h"
#include "tensor/content.h"
#include "validate/shape/shape_call.h"

namespace cryo {
namespace {

// Returns the nodes of a main graph that converters replace by a constant: all that they depend on
// are constants.
NodeSet constant_nodes(const Graph& graph, const OpRegistry& ops) {
  const Edges& edges = graph.index().edges();
  const auto varying = nodes_where(edges.node_count(), [&](uint32_t node) {
    const std::string_view op = graph.nodes()[node].op;
    const OpDef* known = ops.find(op);
    const bool is_source = edges.inputs(node).empty() && op != "Const";
    const bool is_kept = op == "Dequantize" || is_enter(op);  // of constants, too
    return known == nullptr || known->is_stateful || is_source || is_kept;
  });
  NodeSet found = walk_forward(edges, varying);
  found.flip();
  return found;
}

// Returns the placeholder that is a node's first input.
std::optional<uint32_t> first_placeholder(const Graph& graph, uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  if (inputs.empty() || inputs[0].control || inputs[0].node == kNoNode) return std::nullopt;
  if (!is_placeholder(graph.nodes()[inputs[0].node].op)) return std::nullopt;
  return inputs[0].node;
}

// Returns false if a placeholder states no rank, or if a node reads a placeholder of unknown rank.
bool has_rank(const Graph& graph, uint32_t index, const TensorShapes& shapes) {
  const Node& node = graph.nodes()[index];
  if (is_placeholder(node.op)) {
    const auto stated = find_attr(node, "shape");
    const auto shape = stated ? parse_shape(AttrValue(*stated).bytes(), false) : std::nullopt;
    return shape && !shape->unknown_rank;
  }
  const auto source = first_placeholder(graph, index);
  const auto shape = source ? shapes.find({*source, 0}) : shapes.end();
  return shape == shapes.end() || !shape->second.unknown_rank;
}

// Returns the fault of a node whose rank is not known. The model loads if it is a placeholder.
NodeFault unknown_rank(const Node& node) {
  const bool is_source = is_placeholder(node.op);
  return {.why = cat("the rank of its ", is_source ? "output" : "first input", " is not known"),
          .fix = "edit with " OPTION("--placeholder", "NAME=KIND"),
          .stops_loading = !is_source};
}

bool reads(const Graph& graph, uint32_t node, std::string_view op) {
  const auto inputs = graph.index().edges().inputs(node);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
    return input.node != kNoNode && graph.nodes()[input.node].op == op;
  });
}

// Returns true if all inputs of a node are constants of its loop.
bool is_invariant(const Graph& graph, uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  return !inputs.empty() && !is_enter(graph.nodes()[node].op) &&
         std::all_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
           if (input.node == kNoNode) return false;
           const Node& source = graph.nodes()[input.node];
           return is_enter(source.op) && bool_attr(source, "is_constant").value_or(false);
         });
}

NodeFault forgotten(const Node& node) {
  return {.why = "it is evaluated in the first iteration of its loop alone",
          .fix = node.op == "Identity" ? kFixBySplicing : "",
          .stops_loading = false};
}

// A runtime is no release that freeze can fit. Lowering inlines calls, too.
NodeFault missing_op(std::string_view op, std::string_view function) {
  NodeFault fault = unknown_op(op);
  if (is_call(op)) fault.fix = kFixByLowering;
  if (!function.empty()) fault.fix.clear();
  return fault;
}

std::optional<NodeFault> limit_fault(const Node& node, const AttrLimits& limits,
                                     const OpRegistry& ops) {
  const OpDef* op = limits.empty() ? nullptr : ops.find(node.op);
  if (op == nullptr) return std::nullopt;
  NodeAttrs attrs;
  attrs.bind(node, *op);
  for (const AttrLimit& limit : limits) {
    const auto value = attrs.get(limit.attr);
    if (!value || is_within(attrs, limit)) continue;
    return NodeFault{.attr = limit.attr,
                     .why = cat("it takes no ", value_text(*value), " for '", limit.attr, "'")};
  }
  return std::nullopt;
}

// `function`: whose body has the node; empty: the main graph.
void check_node(const RuntimeGraph& judged, const Node& node, std::string_view function,
                const Runtime& runtime, Blockers& blockers) {
  if (judged.functions.contains(node.op)) return;
  const auto taken = runtime.ops.find(node.op);
  if (taken == runtime.ops.end()) {
    blockers.add(node, missing_op(node.op, function), function);
  } else if (const auto fault = limit_fault(node, taken->second, judged.ops)) {
    blockers.add(node, *fault, function);
  }
}

void check_main(const RuntimeGraph& judged, const Runtime& runtime, Blockers& blockers) {
  const Graph& graph = judged.graph;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (runtime.folds_constants && judged.constant[i]) continue;
    const Node& node = graph.nodes()[i];
    if (runtime.forgets_invariants && is_invariant(graph, i)) blockers.add(node, forgotten(node));
    if (runtime.guarded.contains(node.op) && reads(graph, i, "Switch")) continue;
    check_node(judged, node, "", runtime, blockers);
    if (!runtime.ranked.contains(node.op) || has_rank(graph, i, judged.shapes)) continue;
    blockers.add(node, unknown_rank(node));
  }
}

void check_ops(const RuntimeGraph& judged, const Runtime& runtime, Blockers& blockers) {
  check_main(judged, runtime, blockers);
  for (const Function& function : judged.called) {
    const auto body = body_nodes(function);
    if (!body) continue;
    for (const Node& node : *body) check_node(judged, node, function.name, runtime, blockers);
  }
}

void check_rules(const RuntimeGraph& judged, const Runtime& opencv, Blockers& blockers) {
  for (auto& [index, fault] : opencv_faults(judged.graph, judged.payloads, judged.shapes, opencv)) {
    const Node& node = judged.graph.nodes()[index];
    const bool is_missing = fault.fix.empty() && !opencv.ops.contains(node.op);
    if (is_missing) fault.fix = missing_op(node.op, "").fix;
    blockers.add(node, fault);
  }
}

void check_lists(const RuntimeGraph& judged, const OpNames& lists, Blockers& blockers) {
  const NodeFault fault{.why = "a size of its elements is not known"};
  for (const uint32_t each :
       unsized_lists(judged.graph, judged.payloads, judged.shapes, lists, judged.ops)) {
    blockers.add(judged.graph.nodes()[each], fault);
  }
  for (const Function& function : judged.called) {
    const auto body = resolve_body(function);
    if (!body) continue;
    for (const uint32_t each : unsized_lists(*body, judged.payloads, lists, judged.ops)) {
      blockers.add(body->nodes[each], fault, function.name);
    }
  }
}

// Adds the constants that TensorFlow.js has no type for: the writer refuses them, too.
void check_tfjs_constants(const RuntimeGraph& judged, Blockers& blockers) {
  uint64_t compared = 0;
  const auto check = [&](const Node& node, std::string_view function) {
    if (node.op != "Const") return;
    const auto tensor = read_tensor(tensor_attr(node, "value").value_or(""), judged.payloads);
    if (!tensor) return;  // damage
    const auto held = tfjs_type(*tensor, node.name, compared);
    if (!held) blockers.add(node, {.attr = "dtype", .why = held.error().message}, function);
  };
  for (const Node& node : judged.graph.nodes()) check(node, "");
  for (const Function& function : judged.graph.functions()) {
    const auto body = body_nodes(function);
    if (!body) continue;
    for (const Node& node : *body) check(node, function.name);
  }
}

}  // namespace

void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes) {
  if (runtime.has_opencv_rules) add_opencv_shapes(graph, shapes);
  if (!runtime.sized_lists.empty()) add_list_shapes(graph, runtime.sized_lists, shapes);
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!runtime.ranked.contains(graph.nodes()[i].op)) continue;
    if (const auto source = first_placeholder(graph, i)) {
      shapes.try_emplace({*source, 0}, Shape{true, {}});
    }
  }
}

RuntimeGraph runtime_graph(const Graph& graph, const Payloads& payloads, const OpRegistry& ops,
                           const GraphVerdict& found, const TensorShapes& shapes) {
  RuntimeGraph judged{graph,
                      payloads,
                      ops,
                      shapes,
                      damage_of(graph, found),
                      constant_nodes(graph, ops),
                      functions_needed(graph.nodes(), graph),
                      {}};
  for (const Function& function : graph.functions()) judged.functions.insert(function.name);
  return judged;
}

TargetVerdict judge_runtime(const RuntimeGraph& judged, const Runtime& runtime) {
  Blockers blockers(judged.graph.nodes());
  for (const Damage& each : judged.damage) {
    if (each.blocker.function.empty()) blockers.add(each.blocker, each.code);
  }
  if (runtime.has_opencv_rules) {
    check_rules(judged, runtime, blockers);
  } else {
    check_ops(judged, runtime, blockers);
  }
  if (!runtime.sized_lists.empty()) check_lists(judged, runtime.sized_lists, blockers);
  if (runtime.has_tfjs_constants) check_tfjs_constants(judged, blockers);
  return {runtime.name, runtime.version, blockers.take(), blockers.take_unfixed()};
}

}  // namespace cryo
