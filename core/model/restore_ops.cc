#include "model/restore_ops.h"

#include "model/string_tensor.h"

namespace cryo {

bool is_restore(std::string_view op) {
  return op == "RestoreV2" || op == "Restore" || op == "RestoreSlice";
}

bool hands_value_on(std::string_view op) {
  return op == "Identity" || op == "Reshape" || op == "Cast" || op == "Bitcast";
}

const RestoreOps::Names& RestoreOps::strings_of(const Node* node) {
  const auto [slot, fresh] = strings_.try_emplace(node == nullptr ? nullptr : node->bytes.data());
  if (!fresh || node == nullptr || node->op != "Const") return slot->second;
  const auto tensor = tensor_attr(*node, "value");
  if (!tensor) return slot->second;
  if (auto strings = read_strings(*tensor, payloads_)) slot->second = std::move(*strings);
  return slot->second;
}

std::optional<RestoredFrom> RestoreOps::read(const Node& restore, uint32_t port, const Node* keys,
                                             const Node* slices) {
  const Names& names = strings_of(keys);
  if (port >= names.size()) return std::nullopt;
  RestoredFrom from{names[port], ""};
  if (restore.op == "Restore") return from;
  const Names& parts = strings_of(slices);
  if (port < parts.size()) from.slice = parts[port];
  return from;
}

}  // namespace cryo
