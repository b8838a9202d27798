#include "passes/optimize/folded_batch_norm.h"

#include <algorithm>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "passes/optimize/channel_chain.h"
#include "tensor/views/scaled_source.h"

namespace cryo {
namespace {

// Numbers of one tensor that scales and offsets are made of.
constexpr size_t kMaxFactors = size_t{1} << 16;

struct BatchNormEdits {
  FreshNames fresh;
  std::map<uint32_t, std::string> replaced = {};
  std::vector<std::string> added = {};
};

// Returns true if only the layer takes the weights, by way of the nodes that read them.
bool is_only_for(const Model& model, const KeptNodes& kept, uint32_t weights, uint32_t layer) {
  for (uint32_t at = weights; at != layer;) {
    const auto consumers = model.graph.index().consumers().of(at);
    if (consumers.size() != 1 || kept.has(at)) return false;
    at = consumers[0].node;
  }
  return true;
}

// Returns the name of the input that gives the layer its scaled weights.
Result<std::string> scaled_weights(const Model& model, const KeptNodes& kept, const Layer& layer,
                                   const ChannelChain& chain, BatchNormEdits& edits) {
  const Node& node = model.graph.nodes()[layer.weights];
  TRY(tensor, read_tensor(*tensor_attr(node, "value"), *model.payloads));
  const Splice content(scaled(tensor.content, tensor.dtype, chain.scale, layer.inner));
  TRY(proto, const_tensor(tensor.dtype, tensor.shape, content, *model.payloads));
  NodeEditor editor(node);
  editor.set_attr("value", tensor_value(proto));
  if (is_only_for(model, kept, layer.weights, layer.node)) {
    edits.replaced.emplace(layer.weights, editor.finish());
    return NodeEditor(model.graph.nodes()[layer.node]).inputs()[1];
  }
  std::string name = edits.fresh.take(cat(model.graph.nodes()[layer.node].name, "/weights"));
  edits.added.push_back(editor.set_name(name).finish());
  return name;
}

// Returns the name of a new constant of the offsets.
Result<std::string> bias_of(const Model& model, const Layer& layer, const ChannelChain& chain,
                            BatchNormEdits& edits) {
  const KnownTensor tensor{layer.dtype, {static_cast<int64_t>(layer.channels)}, {}, chain.offset};
  TRY(proto, const_tensor(layer.dtype, {false, tensor.dims}, Splice(fresh(content_of(tensor))),
                          *model.payloads));
  std::string name = edits.fresh.take(cat(model.graph.nodes()[chain.last].name, "/bias"));
  // With the control inputs of the weights it is in the same loop or branch.
  NodeEditor editor = constant_node(name, layer.dtype, proto);
  for (const std::string_view control : model.graph.nodes()[layer.weights].inputs())
    editor.add_input(control);
  edits.added.push_back(editor.set_device(device_of(model.graph.nodes()[chain.last])).finish());
  return name;
}

Status fold_chain(const Model& model, const KeptNodes& kept, const Layer& layer,
                  const ChannelChain& chain, BatchNormEdits& edits, GraphChanges& changes) {
  const Node& node = model.graph.nodes()[layer.node];
  const Node& last = model.graph.nodes()[chain.last];
  TRY(weights, scaled_weights(model, kept, layer, chain, edits));
  NodeEditor scaled(node);
  scaled.inputs()[1] = weights;
  changes.push_back({std::string(last.name), kBatchNormFolded,
                     cat("in the weights ", model.graph.nodes()[layer.weights].name, " of ",
                         node.op, " ", node.name),
                     true});
  const bool shifts = std::any_of(chain.offset.begin(), chain.offset.end(),
                                  [](double offset) { return offset != 0; });
  if (!shifts) {
    edits.replaced.emplace(chain.last, scaled.set_name(last.name).finish());
    return Unit{};
  }
  if (weights != NodeEditor(node).inputs()[1]) edits.replaced.emplace(layer.node, scaled.finish());
  TRY(offsets, bias_of(model, layer, chain, edits));
  NodeEditor editor(last.name, "BiasAdd");
  editor.add_input(node.name).add_input(offsets).set_device(device_of(last));
  if (!layer.channels_last) editor.set_attr("data_format", string_value("NCHW"));
  editor.set_attr("T", type_value(layer.dtype));
  edits.replaced.emplace(chain.last, editor.finish());
  return Unit{};
}

}  // namespace

Result<Model> with_folded_batch_norm(const Model& model, const std::vector<std::string>& outputs,
                                     GraphChanges& changes) {
  const KnownTensors known(model.graph, *model.payloads, Arithmetic::kDouble, kMaxFactors);
  const KeptNodes kept(model, outputs);
  BatchNormEdits edits{FreshNames(model.graph.index().names())};
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const auto layer = layer_at(model.graph, *model.payloads, i);
    if (!layer) continue;
    const ChannelChain chain = chain_after(*layer, model.graph, known, kept);
    if (chain.scales) CHECK_OK(fold_chain(model, kept, *layer, chain, edits, changes));
  }
  if (edits.replaced.empty()) return model;
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, edits.replaced, edits.added);
  return made;
}

}  // namespace cryo
