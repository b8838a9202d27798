#include "compat/runtimes.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "compat/damage.h"
#include "compat/node_faults.h"
#include "compat/opencv.h"
#include "graph/analysis/frames.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/functions_needed.h"
#include "graph/roles.h"
#include "validate/shape/shape_call.h"

namespace cryo {
namespace {

// Returns for each node of a main graph whether converters replace it by a constant: all that it
// depends on are constants.
std::vector<bool> constant_nodes(const Graph& graph, const OpRegistry& ops) {
  const Edges& edges = graph.index().edges();
  std::vector<bool> constant(edges.node_count(), true);
  std::vector<uint32_t> waiting;
  const auto vary = [&](uint32_t node) {
    if (!constant[node]) return;
    constant[node] = false;
    waiting.push_back(node);
  };
  for (uint32_t i = 0; i < edges.node_count(); ++i) {
    const std::string_view op = graph.nodes()[i].op;
    const OpDef* known = ops.find(op);
    const bool is_source = edges.inputs(i).empty() && op != "Const";
    const bool is_kept = op == "Dequantize" || is_enter(op);  // of constants, too
    if (known == nullptr || known->is_stateful || is_source || is_kept) {
      vary(i);
    }
  }
  while (!waiting.empty()) {
    const uint32_t node = waiting.back();
    waiting.pop_back();
    for (const Consumer& consumer : edges.consumers().of(node)) vary(consumer.node);
  }
  return constant;
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

// One graph, compared with one runtime after the other.
class RuntimeJudgment {
 public:
  RuntimeJudgment(const Graph& graph, const Payloads& payloads, const OpRegistry& ops,
                  const GraphVerdict& found, const TensorShapes& shapes)
      : graph_(graph),
        payloads_(payloads),
        ops_(ops),
        shapes_(shapes),
        damage_(damage_of(graph, found)),
        constant_(constant_nodes(graph, ops)),
        called_(functions_needed(graph.nodes(), graph)) {
    for (const Function& function : graph.functions()) functions_.insert(function.name);
  }

  TargetVerdict run(const Runtime& runtime) {
    Blockers blockers(graph_.nodes());
    for (const Damage& each : damage_) {
      if (each.blocker.function.empty()) blockers.add(each.blocker, each.code);
    }
    if (runtime.has_opencv_rules) {
      check_rules(runtime, blockers);
    } else {
      check_ops(runtime, blockers);
    }
    return {runtime.name, runtime.version, blockers.take(), blockers.take_unfixed()};
  }

 private:
  void check_rules(const Runtime& opencv, Blockers& blockers) const {
    for (auto& [index, fault] : opencv_faults(graph_, payloads_, shapes_, opencv)) {
      const Node& node = graph_.nodes()[index];
      const bool is_missing = fault.fix.empty() && !opencv.ops.contains(node.op);
      if (is_missing) fault.fix = missing_op(node.op, "").fix;
      blockers.add(node, fault);
    }
  }

  void check_ops(const Runtime& runtime, Blockers& blockers) {
    for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
      if (runtime.folds_constants && constant_[i]) continue;
      const Node& node = graph_.nodes()[i];
      if (runtime.forgets_invariants && is_invariant(graph_, i)) {
        blockers.add(node, forgotten(node));
      }
      if (runtime.guarded.contains(node.op) && reads(graph_, i, "Switch")) continue;
      check(node, "", runtime, blockers);
      if (!runtime.ranked.contains(node.op) || has_rank(graph_, i, shapes_)) continue;
      blockers.add(node, unknown_rank(node));
    }
    for (const Function& function : called_) {
      const auto body = body_nodes(function);
      if (!body) continue;
      for (const Node& node : *body) check(node, function.name, runtime, blockers);
    }
  }

  // `function`: whose body has the node; empty: the main graph.
  void check(const Node& node, std::string_view function, const Runtime& runtime,
             Blockers& blockers) {
    if (functions_.contains(node.op)) return;
    const auto taken = runtime.ops.find(node.op);
    if (taken == runtime.ops.end()) {
      blockers.add(node, missing_op(node.op, function), function);
    } else if (const auto fault = type_fault(node, taken->second)) {
      blockers.add(node, *fault, function);
    }
  }

  // A runtime is no release that freeze can fit. Lowering inlines calls, too.
  static NodeFault missing_op(std::string_view op, std::string_view function) {
    NodeFault fault = unknown_op(op);
    if (is_call(op)) fault.fix = kFixByLowering;
    if (!function.empty()) fault.fix.clear();
    return fault;
  }

  std::optional<NodeFault> type_fault(const Node& node, const Runtime::Types& taken) {
    const OpDef* op = taken.empty() ? nullptr : ops_.find(node.op);
    if (op == nullptr) return std::nullopt;
    attrs_.bind(node, *op);
    for (const auto& [attr, types] : taken) {
      const auto value = attrs_.get(attr);
      if (!value || has_types(attrs_, attr, types)) continue;
      return NodeFault{.attr = attr,
                       .why = cat("it takes no ", type_text(*value), " for '", attr, "'")};
    }
    return std::nullopt;
  }

  static std::string type_text(std::string_view attr_value) {
    const AttrValue value(attr_value);
    return value.kind() == AttrKind::kType ? dtype_name(value.type()) : "such types";
  }

  const Graph& graph_;
  const Payloads& payloads_;
  const OpRegistry& ops_;
  const TensorShapes& shapes_;
  const std::vector<Damage> damage_;
  const std::vector<bool> constant_;
  const std::vector<Function> called_;
  std::unordered_set<std::string_view> functions_;
  NodeAttrs attrs_;
};

}  // namespace

void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes) {
  if (runtime.has_opencv_rules) add_opencv_shapes(graph, shapes);
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!runtime.ranked.contains(graph.nodes()[i].op)) continue;
    if (const auto source = first_placeholder(graph, i)) {
      shapes.try_emplace({*source, 0}, Shape{true, {}});
    }
  }
}

std::vector<TargetVerdict> judge_runtimes(const Graph& graph, const Payloads& payloads,
                                          const std::vector<Runtime>& runtimes,
                                          const OpRegistry& ops, const GraphVerdict& found,
                                          const TensorShapes& shapes) {
  RuntimeJudgment judgment(graph, payloads, ops, found, shapes);
  std::vector<TargetVerdict> verdicts;
  for (const Runtime& runtime : runtimes) verdicts.push_back(judgment.run(runtime));
  return verdicts;
}

}  // namespace cryo
