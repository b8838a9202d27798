#include "passes/common/ports.h"

#include <optional>

#include "base/text.h"
#include "graph/node_types.h"

namespace cryo {
namespace {

// Returns the number of outputs of a node; nullopt if its attributes do not determine it.
std::optional<uint64_t> output_count(const Node& node, const OpRegistry& ops) {
  const OpDef* op = ops.find(node.op);
  if (op == nullptr) return std::nullopt;
  NodeAttrs attrs;
  attrs.bind(node, *op);
  std::vector<TypeRun> types;
  if (append_types(op->outputs, attrs, types)) return std::nullopt;
  return size_of(types);
}

}  // namespace

Status check_ports(const Model& model, const NodeNames& names,
                   const std::vector<std::string>& tensors, const OpRegistry* ops) {
  for (const std::string& text : tensors) {
    const TensorName tensor = parse_tensor_name(text);
    const uint32_t found = tensor.control ? kNoNode : names.find(tensor.node);
    if (ops == nullptr || found == kNoNode || port_text(text).empty()) continue;
    const Node& node = model.graph.nodes()[found];
    const auto count = output_count(node, *ops);
    if (!count || tensor.port < *count) continue;
    return failure("not-in-graph",
                   cat(text, " is not in graph: ", node.op, " '", node.name, "' has ",
                       plural(*count, "output")),
                   {.node = node.name},
                   *count == 0 ? "name another node"
                   : *count == 1
                       ? cat("its output is ", node.name, ":0")
                       : cat("name one of ", node.name, ":0 to ", node.name, ":", *count - 1));
  }
  return Unit{};
}

}  // namespace cryo
