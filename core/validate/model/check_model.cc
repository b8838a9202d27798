#include "validate/model/check_model.h"

#include "base/codes/codes.h"
#include "base/result.h"
#include "model/meta.h"
#include "validate/model/meta_check.h"
#include "validate/model/need_check.h"
#include "validate/model/saver_check.h"
#include "validate/model/tag_check.h"
#include "validate/model/value_check.h"
#include "validate/model/warn.h"

namespace cryo {

void warn_by_code(std::string_view code, const LocationRef& at, std::string_view message,
                  Diagnostics& diagnostics) {
  const CodeInfo* info = find_code(code);
  diagnostics.warn(code, message, at, info == nullptr ? "" : info->fix);
}

void error_by_code(std::string_view code, const LocationRef& at, std::string_view message,
                   Diagnostics& diagnostics) {
  const CodeInfo* info = find_code(code);
  diagnostics.add(*failure(code, message, at, info == nullptr ? "" : info->fix));
}

void check_model(const Model& model, const OpRegistry& ops, Diagnostics& diagnostics) {
  check_values(model, diagnostics);
  if (!model.has_graph) return;
  check_tags(model, diagnostics);
  if (model.meta.empty() && !has_saver_lists(model)) return;
  const NodeNames& names = model.graph.index().names();
  check_saver_lists(model, names, diagnostics);
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  check_meta(model, meta, names, ops, diagnostics);
  check_needs(model, meta, names, diagnostics);
}

}  // namespace cryo
