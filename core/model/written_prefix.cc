#include "model/written_prefix.h"

#include "graph/node_editor.h"
#include "model/string_tensor.h"

namespace cryo {
namespace {

bool has_other_prefix(const Node& node, const std::string& value) {
  if (node.op != "Const" || !find_attr(node, kWrittenPrefixAttr)) return false;
  return find_attr(node, "value") != std::string_view(value);
}

}  // namespace

Model with_written_prefix(const Model& model, const std::string& prefix) {
  const std::string value = tensor_value(string_scalar(prefix));
  GraphBuilder builder(model.graph);
  bool changed = false;
  for (const Node& node : model.graph.nodes()) {
    const bool other = has_other_prefix(node, value);
    changed = changed || other;
    other ? builder.add(NodeEditor(node).set_attr("value", value).finish()) : builder.add(node);
  }
  if (!changed) return model;
  builder.add_functions_of(model.graph);
  Model written = model;
  written.graph = builder.finish();
  return written;
}

}  // namespace cryo
