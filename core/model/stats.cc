#include "model/stats.h"

#include "graph/roles.h"
#include "model/object_graph.h"

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

}  // namespace

Stats stats_of(const Model& model) {
  Stats stats;
  for (const Node& node : model.graph.nodes()) {
    ++stats.nodes;
    stats.bytes += node.bytes.size();
    if (is_variable(node.op)) ++stats.variables;
    if (node.op != "Const") continue;
    ++stats.constants;
    const std::string_view tensor = tensor_attr(node, "value").value_or("");
    const uint64_t bulk = bulk_bytes(tensor, *model.payloads);
    stats.constant_bytes += tensor.size() + bulk;
    stats.bytes += bulk;
  }
  for (const Function& function : model.graph.functions()) stats.bytes += function.bytes.size();
  stats.bytes += model.meta.size();
  if (model.checkpoint != nullptr) {
    for (const CheckpointEntry& entry : model.checkpoint->entries) {
      stats.bytes += entry.bytes;
      if (!model.has_graph && entry.key != kObjectGraphKey) ++stats.variables;
    }
  }
  return stats;
}

}  // namespace cryo
