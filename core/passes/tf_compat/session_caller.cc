#include "passes/tf_compat/session_caller.h"

#include "graph/attr_value.h"
#include "graph/functions/function_callers.h"
#include "wire/fields.h"

namespace cryo {

const FunctionCaller* find_session_caller(std::string_view op) {
  return op == "StatelessCase" ? nullptr : find_caller(op);
}

std::vector<std::string_view> session_functions(const FunctionCaller& caller) {
  const auto& [first, second] = caller.functions;
  if (caller.loop()) return {second, first};
  return second.empty() ? std::vector{first} : std::vector{first, second};
}

std::vector<std::string> functions_in(const Node& node, std::string_view attr) {
  std::vector<std::string> names;
  const AttrValue value(find_attr(node, attr).value_or(""));
  if (value.kind() == AttrKind::kFunc)
    names.emplace_back(last_bytes(value.bytes(), fields::NameAttrList::kName));
  value.each_bytes(AttrKind::kFunc, [&](std::string_view func) {
    names.emplace_back(last_bytes(func, fields::NameAttrList::kName));
  });
  return names;
}

std::string renamed_functions(const std::string& value,
                              const std::map<std::string, std::string>& names) {
  const auto renamed = [&](std::string_view func) {
    std::string out(func);
    const auto name = names.find(std::string(last_bytes(func, fields::NameAttrList::kName)));
    if (name != names.end()) put_bytes_field(out, fields::NameAttrList::kName, name->second);
    return out;
  };
  const AttrValue old(value);
  std::string out;
  if (!old.is_list()) {
    put_bytes_field(out, fields::AttrValue::kFunc, renamed(old.bytes()));
    return out;
  }
  std::string list;
  for (WireCursor cursor(last_bytes(value, fields::AttrValue::kList)); cursor.next();) {
    if (cursor.field().number != fields::AttrValue::ListValue::kFunc) list += cursor.field().record;
    if (cursor.field().number == fields::AttrValue::ListValue::kFunc) {
      put_bytes_field(list, fields::AttrValue::ListValue::kFunc, renamed(cursor.field().bytes));
    }
  }
  put_bytes_field(out, fields::AttrValue::kList, list);
  return out;
}

std::optional<std::string> with_shape(const std::string& value, uint32_t place,
                                      const Shape& shape) {
  std::string list;
  uint32_t count = 0;
  for (WireCursor cursor(last_bytes(value, fields::AttrValue::kList)); cursor.next();) {
    const bool other =
        cursor.field().number != fields::AttrValue::ListValue::kShape || count++ != place;
    if (other) list += cursor.field().record;
    if (!other) put_bytes_field(list, fields::AttrValue::ListValue::kShape, shape_message(shape));
  }
  if (count == 0) return std::nullopt;
  std::string out;
  put_bytes_field(out, fields::AttrValue::kList, list);
  return out;
}

}  // namespace cryo
