#include "compat/sized_lists.h"

#include <algorithm>
#include <optional>

#include "graph/pass_through.h"
#include "graph/tensor_info.h"
#include "passes/optimize/known_tensors.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// Returns the input that states the shape of an element.
std::optional<Edge> element_shape(const Node& node, std::span<const Edge> inputs,
                                  const OpRegistry& ops) {
  const OpDef* op = ops.find(node.op);
  if (op == nullptr) return std::nullopt;
  const auto found = std::find_if(op->inputs.begin(), op->inputs.end(),
                                  [](const ArgDef& each) { return each.name == "element_shape"; });
  const auto place = static_cast<size_t>(found - op->inputs.begin());
  return place < inputs.size() ? std::optional(inputs[place]) : std::nullopt;
}

// Returns the value of a constant; nullopt of other nodes.
std::optional<KnownTensor> constant_value(const Node& node, const Payloads& payloads) {
  if (node.op != "Const") return std::nullopt;
  const auto tensor = read_tensor(tensor_attr(node, "value").value_or(""), payloads);
  return tensor ? read_known(*tensor, kMaxDims) : std::nullopt;
}

bool has_all_sizes(const KnownTensor& shape) {
  return shape.dims.size() == 1 && std::all_of(shape.whole.begin(), shape.whole.end(),
                                               [](int64_t size) { return size >= 0; });
}

bool has_lists(const Graph& graph, const OpNames& lists) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(),
                     [&](const Node& each) { return lists.contains(each.op); });
}

}  // namespace

void add_list_shapes(const Graph& graph, const OpNames& lists, TensorShapes& shapes) {
  if (has_lists(graph, lists)) shapes.merge(KnownTensors::asked_shapes(graph));
}

std::vector<uint32_t> unsized_lists(const Graph& graph, const Payloads& payloads,
                                    const TensorShapes& shapes, const OpNames& lists,
                                    const OpRegistry& ops) {
  std::vector<uint32_t> unsized;
  if (!has_lists(graph, lists)) return unsized;
  const KnownTensors known(graph, payloads, Arithmetic::kExact, kMaxDims, shapes);
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!lists.contains(graph.nodes()[i].op)) continue;
    const auto shape = element_shape(graph.nodes()[i], graph.index().edges().inputs(i), ops);
    const bool has_node = shape && shape->node != kNoNode;
    const KnownTensor* computed = has_node ? known.of(*shape) : nullptr;
    const auto value = computed != nullptr ? std::optional(*computed)
                       : has_node          ? constant_value(graph.nodes()[shape->node], payloads)
                                           : std::nullopt;
    if (!value || !has_all_sizes(*value)) unsized.push_back(i);
  }
  return unsized;
}

std::vector<uint32_t> unsized_lists(const FunctionBody& body, const Payloads& payloads,
                                    const OpNames& lists, const OpRegistry& ops) {
  std::vector<uint32_t> unsized;
  for (uint32_t i = 0; i < body.nodes.size(); ++i) {
    if (!lists.contains(body.nodes[i].op)) continue;
    const auto shape = element_shape(body.nodes[i], body.edges.inputs(i), ops);
    const bool has_node = shape && shape->node != kNoNode;
    const auto value = has_node ? constant_value(body.nodes[shape->node], payloads) : std::nullopt;
    if (!value || !has_all_sizes(*value)) unsized.push_back(i);
  }
  return unsized;
}

}  // namespace cryo
