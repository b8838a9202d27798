#include "named_tensor.h"

#include <optional>

#include "base/pattern/weight_name.h"
#include "base/text.h"
#include "model/variables.h"

namespace cryo {
namespace {

Result<Tensor> of_const(const Model& model, const Node& node) {
  const std::optional<std::string_view> value = tensor_attr(node, "value");
  if (!value) {
    return failure("no-value", "Const without a value", {.node = node.name}, "validate the model");
  }
  return read_tensor(*value, *model.payloads);
}

Result<Tensor> of_entry(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  TRY(count, element_count(entry.shape));
  return Tensor{entry.dtype, entry.shape, count, entry.content};
}

std::optional<Result<Tensor>> find(const Model& model, std::string_view name) {
  const std::vector<Variable> variables = variables_of(model);
  for (const Variable& variable : variables) {
    if (variable.name == name) return value_of(model, variable);
  }
  for (const Variable& variable : variables) {
    if (variable.weight == name) return value_of(model, variable);
  }
  for (const Node& node : model.graph.nodes()) {
    if (node.name == name && node.op == "Const") return of_const(model, node);
  }
  const CheckpointEntry* entry = model.checkpoint ? model.checkpoint->find(name) : nullptr;
  if (entry != nullptr) return of_entry(*entry);
  return std::nullopt;
}

}  // namespace

Result<Tensor> named_tensor(const Model& model, const std::string& name) {
  if (auto found = find(model, name)) return std::move(*found);
  const std::string_view plain = plain_weight_name(name);
  if (auto found = find(model, plain)) return std::move(*found);
  if (model.checkpoint != nullptr) {
    for (const CheckpointEntry& entry : model.checkpoint->entries) {
      if (plain_weight_name(entry.key) == plain) return of_entry(entry);
    }
  }
  return failure("weight-not-found",
                 cat("No variable, constant or checkpoint entry is named ", name),
                 {.file = model.name, .tensor = name}, "list weights shows the names there are");
}

}  // namespace cryo
