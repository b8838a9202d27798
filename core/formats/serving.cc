#include "formats/serving.h"

#include <algorithm>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/tensor_info.h"
#include "model/analysis/likely_outputs.h"
#include "model/init_op.h"
#include "model/meta.h"

namespace cryo {
namespace {

template <typename Arguments>
void add_arguments(const Graph& graph, const NodeNames& names,
                   const std::vector<Endpoint>& endpoints, Arguments& arguments) {
  FreshNames arguments_taken;
  for (const Endpoint& endpoint : endpoints) {
    const TensorName tensor = parse_tensor_name(endpoint.name);
    const uint32_t node = names.find(tensor.node);
    if (node == kNoNode) continue;
    auto& entry = *arguments.Add();
    entry.set_key(arguments_taken.take(std::string(base_name(tensor.node))));
    auto& info = *entry.mutable_value();
    info.set_name(cat(tensor.node, ":", tensor.port));
    const auto dtype = output_dtype(graph.nodes()[node], tensor.port, nullptr);
    if (dtype) info.set_dtype(static_cast<tensorflow::DataType>(*dtype));
    *info.mutable_tensor_shape() = to_proto(output_shape(graph.nodes()[node], tensor.port));
  }
}

}  // namespace

Model with_serving_signature(const Model& model) {
  tensorflow::MetaGraphDef meta = parse_meta(model);
  if (meta.meta_info_def().tags().empty()) meta.mutable_meta_info_def()->add_tags("serve");
  const auto& all = meta.signature_def();
  if (std::all_of(all.begin(), all.end(),
                  [](const auto& entry) { return is_reserved_signature(entry.key()); })) {
    const Endpoints likely = likely_endpoints(model);
    const NodeNames& names = model.graph.index().names();
    auto& entry = *meta.mutable_signature_def()->Add();
    entry.set_key("serving_default");
    auto& signature = *entry.mutable_value();
    add_arguments(model.graph, names, likely.inputs, *signature.mutable_inputs());
    std::vector<Endpoint> chosen = likely.outputs;
    std::erase_if(chosen, [](const Endpoint& each) { return !each.chosen; });
    add_arguments(model.graph, names, chosen, *signature.mutable_outputs());
    signature.set_method_name("tensorflow/serving/predict");
  }
  Model served = model;
  set_meta(served, std::move(meta));
  return with_init_op(served);
}

}  // namespace cryo
