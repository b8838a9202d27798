#include "compat/runtimes.h"

#include <optional>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "compat/damage.h"
#include "compat/node_faults.h"
#include "graph/analysis/frames.h"
#include "graph/functions/function_body.h"
#include "graph/functions/functions_needed.h"
#include "graph/roles.h"
#include "validate/shape/shape_call.h"

namespace cryo {
namespace {

// Returns true for each node of a main graph whose outputs follow from constants alone.
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
    const bool is_quantized = op == "Dequantize";  // of constants, too, which converters keep
    if (known == nullptr || known->is_stateful || is_source || is_quantized || is_enter(op)) {
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

class RuntimeJudgment {
 public:
  RuntimeJudgment(const Runtime& runtime, const OpRegistry& ops) : runtime_(runtime), ops_(ops) {}

  std::optional<NodeFault> fault_of(const Node& node) {
    const auto found = runtime_.ops.find(node.op);
    if (found == runtime_.ops.end()) return unknown_op(node.op);
    const OpDef* op = ops_.find(node.op);
    if (op == nullptr) return std::nullopt;
    attrs_.bind(node, *op);
    for (const auto& [attr, types] : found->second) {
      const std::vector<KernelTypes> taken = {{{attr, types}}};
      if (!attrs_.get(attr) || has_kernel(attrs_, &taken)) continue;
      return NodeFault{.attr = attr,
                       .why = cat("it takes no ", type_text(attr), " for '", attr, "'")};
    }
    return std::nullopt;
  }

 private:
  std::string type_text(std::string_view attr) const {
    const AttrValue value(*attrs_.get(attr));
    return value.kind() == AttrKind::kType ? dtype_name(value.type()) : "such types";
  }

  const Runtime& runtime_;
  const OpRegistry& ops_;
  NodeAttrs attrs_;
};

// Returns the placeholder that is a node's first input.
std::optional<uint32_t> first_placeholder(const Graph& graph, uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  if (inputs.empty() || inputs[0].control || inputs[0].node == kNoNode) return std::nullopt;
  if (!is_placeholder(graph.nodes()[inputs[0].node].op)) return std::nullopt;
  return inputs[0].node;
}

// Returns false if a node reads a placeholder of unknown rank, or is one that states none.
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

// A placeholder stops a model when it is compiled, any other op when it is read.
NodeFault without_rank(const Node& node) {
  const bool is_source = is_placeholder(node.op);
  return {.why = cat("the rank of its ", is_source ? "output" : "first input", " is not known"),
          .fix = "edit with " OPTION("--placeholder", "NAME=KIND"),
          .stops_loading = !is_source};
}

}  // namespace

void add_deciding_shapes(const Graph& graph, const Runtime& runtime, TensorShapes& shapes) {
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!runtime.ranked.contains(graph.nodes()[i].op)) continue;
    if (const auto source = first_placeholder(graph, i)) {
      shapes.try_emplace({*source, 0}, Shape{true, {}});
    }
  }
}

TargetVerdict judge_runtime(const Graph& graph, const Runtime& runtime, const OpRegistry& ops,
                            const GraphVerdict& found, const TensorShapes& shapes) {
  Blockers blockers;
  for (const Damage& each : damage_of(graph, found)) {
    if (each.blocker.function.empty()) blockers.add(each.blocker, each.code);
  }
  std::unordered_set<std::string_view> functions;
  for (const Function& function : graph.functions()) functions.insert(function.name);
  RuntimeJudgment judgment(runtime, ops);
  const auto check = [&](const Node& node, std::string_view function) {
    if (functions.contains(node.op)) return;
    if (const auto fault = judgment.fault_of(node))
      blockers.add(blocker_of(node, *fault, function));
  };
  const std::vector<bool> constant =
      runtime.folds_constants ? constant_nodes(graph, ops) : std::vector<bool>();
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!constant.empty() && constant[i]) continue;
    const Node& node = graph.nodes()[i];
    check(node, "");
    if (!runtime.ranked.contains(node.op) || has_rank(graph, i, shapes)) continue;
    blockers.add(blocker_of(node, without_rank(node), ""));
  }
  for (const Function& function : functions_needed(graph.nodes(), graph)) {
    const auto body = body_nodes(function);
    if (!body) continue;
    for (const Node& node : *body) check(node, function.name);
  }
  return {runtime.name, runtime.version, blockers.take()};
}

}  // namespace cryo
