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

class GraphRepair {
 public:
  GraphRepair(const Model& model, const OpRegistry& ops, RepairsByNode repairs,
              std::vector<Repaired>& repaired)
      : model_(model), ops_(ops), repairs_(std::move(repairs)), repaired_(repaired) {}

  Graph run() {
    const Graph& graph = model_.graph;
    GraphBuilder builder(graph);
    const NodeNames& names = graph.index().names();
    for (const Node& node : graph.nodes()) {
      const auto repairs = repairs_.of(node);
      const auto copy = std::find_if(repairs.begin(), repairs.end(), [](const Repair& each) {
        return each.code == "duplicate-node-name";
      });
      if (copy != repairs.end()) {
        repaired_.push_back(removed_copy(*copy));
      } else if (repairs.empty()) {
        builder.add(node);
      } else {
        builder.add(repaired_node(node, repairs, names, ops_, repaired_));
      }
    }
    for (const Function& function : graph.functions()) add(function, builder);
    return builder.finish();
  }

 private:
  void add(const Function& function, GraphBuilder& builder) {
    // TensorFlow ignores a copy of a function. Once the function is repaired, the copy differs.
    for (const Function* before : repaired_functions_[function.name]) {
      if (same_function(*before, function, *model_.payloads)) return;
    }
    const size_t done = repaired_.size();
    std::string repaired = repaired_function(function);
    if (repaired_.size() == done) {
      builder.add(function);
    } else {
      repaired_functions_[function.name].push_back(&function);
      builder.add_function(std::move(repaired));
    }
  }

  std::string repaired_function(const Function& function) {
    FunctionEditor editor(function);
    const auto nodes = body_nodes(function);
    if (!nodes) return {};
    const NodeNames names(*nodes);
    for (size_t i = 0; i < nodes->size(); ++i) {
      const auto repairs = repairs_.of((*nodes)[i]);
      if (!repairs.empty()) {
        editor.nodes[i] = repaired_node((*nodes)[i], repairs, names, ops_, repaired_);
      }
    }
    return editor.finish();
  }

  const Model& model_;
  const OpRegistry& ops_;
  const RepairsByNode repairs_;
  std::vector<Repaired>& repaired_;
  std::unordered_map<std::string_view, std::vector<const Function*>>
      repaired_functions_;  // by name
};

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
    made.graph = GraphRepair(made, known, RepairsByNode(std::move(found)), repaired).run();
  }
  return made;
}

}  // namespace cryo
