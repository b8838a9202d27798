#include "model/model_ops.h"

#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string_view op_list_of(const Model& model) {
  return last_bytes(last_bytes(model.meta, fields::MetaGraphDef::kMetaInfoDef),
                    fields::MetaGraphDef::MetaInfoDef::kStrippedOpList);
}

}  // namespace

OpRegistry producer_ops(const Model& model) {
  auto ops = OpRegistry::parse(std::string(op_list_of(model)));
  return ops ? *ops : OpRegistry();
}

OpRegistry with_model_ops(const Model& model, const OpRegistry& ops) {
  const std::string_view op_list = op_list_of(model);
  if (op_list.empty()) return ops;
  auto extended = ops.extended(std::string(op_list));
  return extended ? *extended : ops;
}

}  // namespace cryo
