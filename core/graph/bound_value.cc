#include "graph/bound_value.h"

#include "graph/attr_value.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string bound_value(std::string_view value, const AttrScope& scope, int depth);

// A NameAttrList with its attributes bound.
std::string bound_function(std::string_view function, const AttrScope& scope, int depth) {
  std::string out;
  for (WireCursor cursor(function); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::NameAttrList::kAttr || field.type != WireType::kBytes ||
        depth == kMaxDepth) {
      out += field.record;
      continue;
    }
    std::string entry;
    put_bytes_field(entry, fields::MapEntry::kKey, last_bytes(field.bytes, fields::MapEntry::kKey));
    put_bytes_field(
        entry, fields::MapEntry::kValue,
        bound_value(last_bytes(field.bytes, fields::MapEntry::kValue), scope, depth + 1));
    put_bytes_field(out, fields::NameAttrList::kAttr, entry);
  }
  return out;
}

// Returns an AttrValue with its placeholders replaced, including those of functions that it names.
std::string bound_value(std::string_view value, const AttrScope& scope, int depth) {
  const AttrValue attr(value);
  std::string out;
  if (attr.kind() == AttrKind::kFunc) {
    put_bytes_field(out, fields::AttrValue::kFunc, bound_function(attr.bytes(), scope, depth));
  } else if (attr.count(AttrKind::kFunc) > 0) {
    std::string list;
    attr.each_bytes(AttrKind::kFunc, [&](std::string_view function) {
      put_bytes_field(list, fields::AttrValue::ListValue::kFunc,
                      bound_function(function, scope, depth));
    });
    put_bytes_field(out, fields::AttrValue::kList, list);
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
