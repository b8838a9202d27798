#include "passes/prune/kept_nodes.h"

#include "model/meta.h"

namespace cryo {

KeptNodes::KeptNodes(const Model& model, const std::vector<std::string>& outputs)
    : nodes_(model.graph.nodes()), consumers_(model.graph.index().consumers()) {
  for (const std::string& output : outputs) add(output);
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& signature : meta.signature_def()) {
    for (const auto& input : signature.value().inputs()) add(input.value().name());
    for (const auto& output : signature.value().outputs()) add(output.value().name());
  }
  for (const auto& collection : meta.collection_def()) {
    for (const std::string& node : collection.value().node_list().value()) add(node);
    for (const auto& variable : variable_defs(meta, collection.key())) {
      add(variable.snapshot_name());
      add(variable.initial_value_name());
    }
  }
}

bool KeptNodes::has(uint32_t node) const {
  return consumers_.of(node).empty() || names_.contains(std::string(nodes_[node].name));
}

bool KeptNodes::has_further_outputs(uint32_t node) const {
  return further_.contains(std::string(nodes_[node].name));
}

void KeptNodes::add(std::string_view tensor) {
  const TensorName name = parse_tensor_name(tensor);
  names_.emplace(name.node);
  if (name.port > 0) further_.emplace(name.node);
}

}  // namespace cryo
