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

class BatchNormFolder {
 public:
  BatchNormFolder(const Model& model, const std::vector<std::string>& outputs,
                  GraphChanges& changes)
      : model_(model),
        graph_(model.graph),
        nodes_(graph_.nodes()),
        known_(graph_, *model.payloads, Arithmetic::kDouble, kMaxFactors),
        kept_(model, outputs),
        fresh_(graph_.index().names()),
        changes_(changes) {}

  Result<Model> folded();

 private:
  Status fold(const Layer& layer, const ChannelChain& chain);
  bool is_only_for(uint32_t weights, uint32_t layer) const;
  Result<std::string> scaled_weights(const Layer& layer, const ChannelChain& chain);
  Result<std::string> bias(const Layer& layer, const ChannelChain& chain);

  const Model& model_;
  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const KnownTensors known_;
  const KeptNodes kept_;
  FreshNames fresh_;
  GraphChanges& changes_;
  std::map<uint32_t, std::string> replaced_;
  std::vector<std::string> added_;
};

// Returns true if only the layer takes the weights, by way of the nodes that read them.
bool BatchNormFolder::is_only_for(uint32_t weights, uint32_t layer) const {
  for (uint32_t at = weights; at != layer;) {
    const auto consumers = graph_.index().consumers().of(at);
    if (consumers.size() != 1 || kept_.has(at)) return false;
    at = consumers[0].node;
  }
  return true;
}

// Returns the name of the input that gives the layer its scaled weights.
Result<std::string> BatchNormFolder::scaled_weights(const Layer& layer, const ChannelChain& chain) {
  const Node& node = nodes_[layer.weights];
  TRY(tensor, read_tensor(*tensor_attr(node, "value"), *model_.payloads));
  const Splice content(scaled(tensor.content, tensor.dtype, chain.scale, layer.inner));
  TRY(proto, const_tensor(tensor.dtype, tensor.shape, content, *model_.payloads));
  NodeEditor editor(node);
  editor.set_attr("value", tensor_value(proto));
  if (is_only_for(layer.weights, layer.node)) {
    replaced_.emplace(layer.weights, editor.finish());
    return NodeEditor(nodes_[layer.node]).inputs()[1];
  }
  std::string name = fresh_.take(cat(nodes_[layer.node].name, "/weights"));
  added_.push_back(editor.set_name(name).finish());
  return name;
}

// Returns the name of a new constant of the offsets.
Result<std::string> BatchNormFolder::bias(const Layer& layer, const ChannelChain& chain) {
  const KnownTensor tensor{layer.dtype, {static_cast<int64_t>(layer.channels)}, {}, chain.offset};
  TRY(proto, const_tensor(layer.dtype, {false, tensor.dims}, Splice(fresh(content_of(tensor))),
                          *model_.payloads));
  std::string name = fresh_.take(cat(nodes_[chain.last].name, "/bias"));
  // With the control inputs of the weights it is in the same loop or branch.
  NodeEditor editor = constant_node(name, layer.dtype, proto);
  for (const std::string_view control : nodes_[layer.weights].inputs()) editor.add_input(control);
  added_.push_back(editor.set_device(device_of(nodes_[chain.last])).finish());
  return name;
}

Status BatchNormFolder::fold(const Layer& layer, const ChannelChain& chain) {
  const Node& node = nodes_[layer.node];
  const Node& last = nodes_[chain.last];
  TRY(weights, scaled_weights(layer, chain));
  NodeEditor scaled(node);
  scaled.inputs()[1] = weights;
  changes_.push_back(
      {std::string(last.name), kBatchNormFolded,
       cat("in the weights ", nodes_[layer.weights].name, " of ", node.op, " ", node.name), true});
  const bool shifts = std::any_of(chain.offset.begin(), chain.offset.end(),
                                  [](double offset) { return offset != 0; });
  if (!shifts) {
    replaced_.emplace(chain.last, scaled.set_name(last.name).finish());
    return Unit{};
  }
  if (weights != NodeEditor(node).inputs()[1]) replaced_.emplace(layer.node, scaled.finish());
  TRY(offsets, bias(layer, chain));
  NodeEditor editor(last.name, "BiasAdd");
  editor.add_input(node.name).add_input(offsets).set_device(device_of(last));
  if (!layer.channels_last) editor.set_attr("data_format", string_value("NCHW"));
  editor.set_attr("T", type_value(layer.dtype));
  replaced_.emplace(chain.last, editor.finish());
  return Unit{};
}

Result<Model> BatchNormFolder::folded() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto layer = layer_at(graph_, *model_.payloads, i);
    if (!layer) continue;
    const ChannelChain chain = chain_after(*layer, graph_, known_, kept_);
    if (chain.scales) CHECK_OK(fold(*layer, chain));
  }
  if (replaced_.empty()) return model_;
  Model made = model_;
  made.graph = with_replaced_nodes(graph_, replaced_, added_);
  return made;
}

}  // namespace

Result<Model> with_folded_batch_norm(const Model& model, const std::vector<std::string>& outputs,
                                     GraphChanges& changes) {
  return BatchNormFolder(model, outputs, changes).folded();
}

}  // namespace cryo
