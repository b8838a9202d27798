#include "model/analysis/stats.h"

#include <map>

#include "checkpoint/object_graph.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/variables.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// Bytes of the bulk that handles in a message of one level stand for.
uint64_t bulk_bytes(std::string_view tensor, const Payloads& payloads) {
  uint64_t bytes = 0;
  for (WireCursor cursor(tensor); cursor.next();) {
    if (cursor.field().number != kPayloadField) continue;
    const Payload* payload = payloads.find(cursor.field().value);
    if (payload != nullptr) bytes += payload->record.size();
  }
  return bytes;
}

// The size of a constant's value: in its message, and in the bulk.
struct ConstantBytes {
  uint64_t inside = 0;
  uint64_t bulk = 0;
};

ConstantBytes constant_bytes(const Node& node, const Payloads& payloads) {
  const std::string_view tensor = tensor_attr(node, "value").value_or("");
  return {tensor.size(), bulk_bytes(tensor, payloads)};
}

std::string scope_of(std::string_view name) {
  const size_t slash = name.find('/');
  return std::string(name.substr(0, slash == std::string_view::npos ? 0 : slash));
}

}  // namespace

Stats stats_of(const Model& model) {
  Stats stats;
  for (const Node& node : model.graph.nodes()) {
    ++stats.nodes;
    stats.bytes += node.bytes.size();
    if (is_variable(node.op)) ++stats.variables;
    if (node.op != "Const") continue;
    ++stats.constants;
    const ConstantBytes constant = constant_bytes(node, *model.payloads);
    stats.constant_bytes += constant.inside + constant.bulk;
    stats.bytes += constant.bulk;
  }
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) --stats.variables;
  }
  for (const Function& function : model.graph.functions()) stats.bytes += function.bytes.size();
  stats.bytes += model.meta.bytes().size();
  for (const CheckpointEntry* entry : values_to_write(model)) {
    stats.bytes += entry->bytes;
    if (!model.has_graph && entry->key != kObjectGraphKey) ++stats.variables;
  }
  return stats;
}

uint64_t value_bytes(const Node& constant, const Payloads& payloads) {
  const auto dtype = static_cast<DType>(type_attr(constant, "dtype").value_or(0));
  if (dtype == DType::kString) {
    const Result<Tensor> value = read_tensor(tensor_attr(constant, "value").value_or(""), payloads);
    return value ? value->content.size() : 0;
  }
  const DTypeInfo* type = find_dtype(dtype);
  const Result<uint64_t> count = element_count(output_shape(constant, 0));
  return type != nullptr && count ? *count * type->size : 0;
}

std::map<std::string, uint64_t> bytes_by_scope(const Model& model) {
  std::map<std::string, uint64_t> scopes;
  for (const Node& node : model.graph.nodes()) {
    if (node.op != "Const") continue;
    const ConstantBytes constant = constant_bytes(node, *model.payloads);
    scopes[scope_of(node.name)] += constant.inside + constant.bulk;
  }
  std::map<std::string, std::string> names;  // of variables, by key
  for (Variable& variable : variables_of(model)) {
    names.emplace(std::move(variable.key), std::move(variable.name));
  }
  for (const CheckpointEntry* entry : values_to_write(model)) {
    if (entry->key == kObjectGraphKey) continue;
    const auto name = names.find(entry->key);
    scopes[scope_of(name == names.end() ? plain_key(entry->key) : name->second)] += entry->bytes;
  }
  return scopes;
}

}  // namespace cryo
