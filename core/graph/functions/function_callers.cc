#include "graph/functions/function_callers.h"

#include <algorithm>

#include "graph/attr_value.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr CallKind kCall = CallKind::kCall;
constexpr CallKind kBranch = CallKind::kBranch;
constexpr CallKind kLoop = CallKind::kLoop;

constexpr std::array<FunctionCaller, 8> kCallers = {{
    {"While", kLoop, 0, "T", "T", {"cond", "body"}},
    {"StatelessWhile", kLoop, 0, "T", "T", {"cond", "body"}},
    {"If", kBranch, 1, "Tin", "Tout", {"then_branch", "else_branch"}},
    {"StatelessIf", kBranch, 1, "Tin", "Tout", {"then_branch", "else_branch"}},
    {"Case", kBranch, 1, "Tin", "Tout", {"branches", ""}},
    {"StatelessCase", kBranch, 1, "Tin", "Tout", {"branches", ""}},
    {"PartitionedCall", kCall, 0, "Tin", "Tout", {"f", ""}},
    {"StatefulPartitionedCall", kCall, 0, "Tin", "Tout", {"f", ""}},
}};

bool is_of_kind(std::string_view op, CallKind kind) {
  const FunctionCaller* caller = find_caller(op);
  return caller != nullptr && caller->kind == kind;
}

template <typename Each>
void each_function(std::string_view attr_value, Each each) {
  const AttrValue value(attr_value);
  if (value.kind() == AttrKind::kFunc) each(value.bytes());
  value.each_bytes(AttrKind::kFunc, each);
}

bool names_function(std::string_view attr_value) {
  bool any = false;
  each_function(attr_value, [&](std::string_view) { any = true; });
  return any;
}

}  // namespace

const FunctionCaller* find_caller(std::string_view op) {
  const auto found = std::find_if(kCallers.begin(), kCallers.end(),
                                  [&](const FunctionCaller& each) { return each.op == op; });
  return found == kCallers.end() ? nullptr : &*found;
}

bool is_call(std::string_view op) { return is_of_kind(op, CallKind::kCall); }
bool is_branch(std::string_view op) { return is_of_kind(op, CallKind::kBranch); }
bool is_while(std::string_view op) { return is_of_kind(op, CallKind::kLoop); }
bool is_functional_control_flow(std::string_view op) { return is_branch(op) || is_while(op); }

std::vector<std::string_view> functions_of(const Node& node, const FunctionCaller& caller) {
  std::vector<std::string_view> names;
  for (const std::string_view key : caller.functions) {
    const auto attr = key.empty() ? std::nullopt : find_attr(node, key);
    if (!attr) continue;
    each_function(*attr, [&](std::string_view f) {
      names.push_back(last_bytes(f, fields::NameAttrList::kName));
    });
  }
  return names;
}

std::string renamed_functions(std::string_view attr_value,
                              const std::vector<std::string_view>& from,
                              const std::vector<std::string>& to) {
  const AttrValue value(attr_value);
  std::string out;
  each_function(attr_value, [&](std::string_view function) {
    const auto found =
        std::find(from.begin(), from.end(), last_bytes(function, fields::NameAttrList::kName));
    std::string renamed;
    for (WireCursor cursor(function); cursor.next();) {
      const WireField& field = cursor.field();
      if (field.number == fields::NameAttrList::kName) continue;
      const auto attr = field.number == fields::NameAttrList::kAttr ? read_map_entry(field.bytes)
                                                                    : MapEntryView();
      if (names_function(attr.value)) {
        const std::string inner = renamed_functions(attr.value, from, to);
        put_bytes_field(renamed, field.number, map_entry(attr.key, inner));
      } else {
        renamed += field.record;
      }
    }
    std::string named;
    put_bytes_field(named, fields::NameAttrList::kName,
                    found == from.end()
                        ? last_bytes(function, fields::NameAttrList::kName)
                        : std::string_view{to[static_cast<size_t>(found - from.begin())]});
    put_bytes_field(
        out, value.is_list() ? fields::AttrValue::ListValue::kFunc : fields::AttrValue::kFunc,
        named + renamed);
  });
  if (!value.is_list()) return out;
  std::string list;
  put_bytes_field(list, fields::AttrValue::kList, out);
  return list;
}

}  // namespace cryo
