#include "passes/optimize/folded_constants.h"

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "passes/optimize/known_tensors.h"
#include "passes/prune/kept_nodes.h"
#include "validate/inferred_shapes.h"

namespace cryo {
namespace {

constexpr size_t kMaxBytes = size_t{100} * 1024;
constexpr size_t kMaxElements = kMaxBytes / sizeof(float);

Result<std::string> constant_of(const Node& node, const KnownTensor& tensor,
                                const std::set<std::string>& controls, Payloads& payloads) {
  TRY(proto, const_tensor(tensor.dtype, {false, tensor.dims}, Splice(fresh(content_of(tensor))),
                          payloads));
  NodeEditor editor = constant_node(node.name, tensor.dtype, proto);
  for (const std::string& control : controls) editor.add_input(control);
  return editor.set_device(device_of(node)).finish();
}

}  // namespace

Result<Model> with_folded_constants(const Model& model, const std::vector<std::string>& outputs,
                                    const OpRegistry* ops, GraphChanges& changes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const KnownTensors known(model.graph, *model.payloads, Arithmetic::kExact, kMaxElements,
                           inferred_shapes(model, ops, KnownTensors::asked_shapes(model.graph)));
  const KeptNodes kept(model, outputs);
  const auto is_read = [&](uint32_t node) {
    for (const Consumer& consumer : model.graph.index().consumers().of(node)) {
      if (!known.is_computed(consumer.node)) return true;
    }
    return kept.has(node);
  };
  std::map<uint32_t, std::string> folded;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!known.is_computed(i) || !is_read(i)) continue;
    const KnownTensor& tensor = *known.of({i, 0});
    TRY(constant, constant_of(nodes[i], tensor, known.controls(i), *model.payloads));
    folded.emplace(i, std::move(constant));
    changes.push_back({std::string(nodes[i].name), kConstantFolded,
                       cat(nodes[i].op, ", ", to_text(Shape{false, tensor.dims}), " of ",
                           dtype_name(tensor.dtype), ", depends on no input"),
                       false});
  }
  if (folded.empty()) return model;
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, folded);
  return made;
}

}  // namespace cryo
