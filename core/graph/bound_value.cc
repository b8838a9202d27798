#include "graph/bound_value.h"

#include "graph/attr_value.h"

namespace cryo {
namespace {

// Field numbers of attr_value.proto.
constexpr uint32_t kList = 1, kListFunc = 9, kFunc = 10, kFuncAttr = 2, kKey = 1, kValue = 2;

std::string bound_value(std::string_view value, const AttrScope& scope, int depth);

// A NameAttrList with its attributes bound.
std::string bound_function(std::string_view function, const AttrScope& scope, int depth) {
  std::string out;
  for (WireCursor cursor(function); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != kFuncAttr || field.type != WireType::kBytes || depth == kMaxDepth) {
      out += field.record;
      continue;
    }
    std::string entry;
    put_bytes_field(entry, kKey, last_bytes(field.bytes, kKey));
    put_bytes_field(entry, kValue, bound_value(last_bytes(field.bytes, kValue), scope, depth + 1));
    put_bytes_field(out, kFuncAttr, entry);
  }
  return out;
}

// An AttrValue with what its placeholders stand for, those of functions that it names included.
std::string bound_value(std::string_view value, const AttrScope& scope, int depth) {
  const AttrValue attr(value);
  std::string out;
  if (attr.kind() == AttrKind::kFunc) {
    put_bytes_field(out, kFunc, bound_function(attr.bytes(), scope, depth));
  } else if (attr.count(AttrKind::kFunc) > 0) {
    std::string list;
    attr.each_bytes(AttrKind::kFunc, [&](std::string_view function) {
      put_bytes_field(list, kListFunc, bound_function(function, scope, depth));
    });
    put_bytes_field(out, kList, list);
  } else {
    out = scope.resolve(value);
  }
  return out;
}

}  // namespace

std::string bound_value(std::string_view value, const AttrScope& scope) {
  return bound_value(value, scope, 0);
}

}  // namespace cryo
