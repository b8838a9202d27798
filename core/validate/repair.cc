#include "validate/repair.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/sort.h"
#include "graph/functions/function_editor.h"
#include "model/model_ops.h"
#include "validate/check_graph.h"
#include "validate/graph/same_function.h"
#include "validate/repair_node.h"

namespace cryo {
namespace {

const char* place_of(const Repair& repair) { return repair.node.data(); }

// All repairs of a graph, by the node that they change.
class RepairsByNode {
 public:
  explicit RepairsByNode(Repairs repairs) : repairs_(std::move(repairs)) {
    sort(repairs_,
         [](const Repair& a, const Repair& b) { return std::less<>()(place_of(a), place_of(b)); });
  }

  std::span<const Repair> of(const Node& node) const {
    const auto before = [](const Repair& repair, const char* place) {
      return std::less<>()(place_of(repair), place);
    };
    if (node.name.data() == nullptr) return {};
    const auto found = std::lower_bound(repairs_.begin(), repairs_.end(), node.name.data(), before);
    const auto first = static_cast<size_t>(found - repairs_.begin());
    size_t end = first;
    while (end < repairs_.size() && place_of(repairs_[end]) == node.name.data()) ++end;
    return {repairs_.data() + first, end - first};
  }

 private:
  Repairs repairs_;
};

using RepairedFunctions =
    std::unordered_map<std::string_view, std::vector<const Function*>>;  // by name

std::string repaired_function(const OpRegistry& ops, const RepairsByNode& repairs_by_node,
                              const Function& function, std::vector<Repaired>& reports) {
  FunctionEditor editor(function);
  const auto nodes = body_nodes(function);
  if (!nodes) return {};
  const NodeNames names(*nodes);
  for (size_t i = 0; i < nodes->size(); ++i) {
    const auto repairs = repairs_by_node.of((*nodes)[i]);
    if (!repairs.empty()) {
      editor.nodes[i] = repaired_node((*nodes)[i], repairs, names, ops, reports);
    }
  }
  return editor.finish();
}

void add_repaired(const Model& model, const OpRegistry& ops, const RepairsByNode& repairs_by_node,
                  const Function& function, GraphBuilder& builder, std::vector<Repaired>& reports,
                  RepairedFunctions& functions) {
  // TensorFlow ignores a copy of a function. Once the function is repaired, the copy differs.
  for (const Function* before : functions[function.name]) {
    if (same_function(*before, function, *model.payloads)) return;
  }
  const size_t done = reports.size();
  std::string repaired = repaired_function(ops, repairs_by_node, function, reports);
  if (reports.size() == done) {
    builder.add(function);
  } else {
    functions[function.name].push_back(&function);
    builder.add_function(std::move(repaired));
  }
}

Graph repaired_graph(const Model& model, const OpRegistry& ops,
                     const RepairsByNode& repairs_by_node, std::vector<Repaired>& reports) {
  RepairedFunctions functions;
  const Graph& graph = model.graph;
  GraphBuilder builder(graph);
  const NodeNames& names = graph.index().names();
  for (const Node& node : graph.nodes()) {
    const auto repairs = repairs_by_node.of(node);
    const auto copy = std::find_if(repairs.begin(), repairs.end(), [](const Repair& each) {
      return each.code == "duplicate-node-name";
    });
    if (copy != repairs.end()) {
      reports.push_back(removed_copy(*copy));
    } else if (repairs.empty()) {
      builder.add(node);
    } else {
      builder.add(repaired_node(node, repairs, names, ops, reports));
    }
  }
  for (const Function& function : graph.functions())
    add_repaired(model, ops, repairs_by_node, function, builder, reports, functions);
  return builder.finish();
}

}  // namespace

Model repair(const Model& model, const OpRegistry* ops, std::vector<Repaired>& repaired,
             std::optional<GraphVerdict>* verdict) {
  // One fault can hide another of the same node: each round repairs the faults that are visible.
  constexpr int kMaxRounds = 4;
  if (!model.has_graph) return model;
  const OpRegistry known = ops ? with_model_ops(model, *ops) : OpRegistry();
  const OpRegistry producer = producer_ops(model);
  Model made = model;
  for (int round = 0; round < kMaxRounds; ++round) {
    Repairs found;
    GraphVerdict checked = check_graph(made.graph, known, *model.payloads, {&producer, &found});
    if (found.empty()) {
      if (verdict != nullptr) *verdict = std::move(checked);
      break;
    }
    made.graph = repaired_graph(made, known, RepairsByNode(std::move(found)), repaired);
  }
  return made;
}

}  // namespace cryo
