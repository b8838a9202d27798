#include "model/ops_for.h"

#include "wire/cursor.h"

namespace cryo {
namespace {

constexpr uint32_t kMetaInfo = 1, kStrippedOpList = 2;  // meta_graph.proto

}  // namespace

OpRegistry ops_for(const Model& model, const OpRegistry& ops) {
  const std::string_view op_list = last_bytes(last_bytes(model.meta, kMetaInfo), kStrippedOpList);
  if (op_list.empty()) return ops;
  auto extended = ops.extended(std::string(op_list));
  return extended ? *extended : ops;
}

}  // namespace cryo
