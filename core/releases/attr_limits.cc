#include "releases/attr_limits.h"

#include <algorithm>

#include "base/utf8.h"
#include "graph/attr_value.h"
#include "tensor/dtype.h"

namespace cryo {
namespace {

bool has_type(uint64_t types, int64_t number) {
  return number >= 0 && number < 64 && ((types >> number) & 1) != 0;
}

}  // namespace

bool is_within(const NodeAttrs& attrs, const AttrLimit& limit) {
  const auto given = attrs.get(limit.attr);
  if (!given) return false;
  const AttrValue value(*given);
  if (!limit.texts.empty()) {
    return value.kind() != AttrKind::kString ||
           std::find(limit.texts.begin(), limit.texts.end(), value.bytes()) != limit.texts.end();
  }
  bool all =
      value.kind() != AttrKind::kType || has_type(limit.types, static_cast<int>(value.type()));
  value.each_number(AttrKind::kType,
                    [&](int64_t number) { all = all && has_type(limit.types, number); });
  return all;
}

std::string value_text(std::string_view attr_value) {
  const AttrValue value(attr_value);
  if (value.kind() == AttrKind::kString) return printable(value.bytes(), 30);
  return value.kind() == AttrKind::kType ? std::string(dtype_name(value.type())) : "such types";
}

}  // namespace cryo
