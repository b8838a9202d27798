#include "passes/optimize/folded_constants.h"

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "model/ops_for.h"
#include "passes/optimize/known_tensors.h"
#include "passes/prune/kept_nodes.h"
#include "validate/check_graph.h"

namespace cryo {
namespace {

constexpr size_t kMostBytes = size_t{100} * 1024;
constexpr size_t kMostElements = kMostBytes / sizeof(float);

KnownTensors::Shapes shapes_asked_for(const Model& model, const OpRegistry* ops) {
  KnownTensors::Shapes shapes = KnownTensors::asked_shapes(model.graph);
  if (shapes.empty() || ops == nullptr) return {};
  CheckOptions options;
  options.shapes = &shapes;
  check_graph(model.graph, ops_for(model, *ops), *model.payloads, options);
  return shapes;
}

Result<std::string> constant_of(const Node& node, const KnownTensor& tensor,
                                const std::set<std::string>& controls, Payloads& payloads) {
  TRY(proto, const_tensor(tensor.dtype, {false, tensor.dims}, Splice(fresh(content_of(tensor))),
                          payloads));
  NodeEditor editor(node.name, "Const");
  for (const std::string& control : controls) editor.add_input(control);
  editor.set_device(device_of(node)).set_attr("dtype", type_value(static_cast<int>(tensor.dtype)));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

}  // namespace

Result<Model> with_folded_constants(const Model& model, const std::vector<std::string>& outputs,
                                    const OpRegistry* ops, PassLog& log) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const KnownTensors known(model.graph, *model.payloads, Arithmetic::kExact, kMostElements,
                           shapes_asked_for(model, ops));
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
    log.changes.push_back({std::string(nodes[i].name), kConstantFolded,
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
