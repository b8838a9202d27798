#include "validate/graph/attrs.h"

#include <set>

#include "base/utf8.h"

namespace cryo {
namespace {

std::string shown_string(std::string_view text) { return cat("\"", printable(text, 100), "\""); }

std::optional<AttrFault> kind_fault(const AttrValue& value, const AttrDef& wanted) {
  const auto fault = [&](bool list, AttrKind kind) {
    return AttrFault{"attr-wrong-kind",
                     cat("AttrValue had value with type '", to_text(AttrType{kind, list}),
                         "' when '", printable(wanted.type_text, 100), "' expected")};
  };
  for (const AttrKind kind : kListKinds) {
    const bool present = value.is_list() ? value.count(kind) > 0 : value.kind() == kind;
    if (!present) continue;
    if (wanted.type.kind != kind || wanted.type.list != value.is_list()) {
      return fault(value.is_list(), kind);
    }
  }
  if (value.kind() == AttrKind::kPlaceholder) {
    return AttrFault{"attr-wrong-kind", "AttrValue had value with unexpected type 'placeholder'"};
  }
  const bool wants_list = wanted.type_text.starts_with("list(");
  if (!wants_list && value.kind() == AttrKind::kNone) {
    return AttrFault{"attr-empty", cat("AttrValue missing value with expected type '",
                                       printable(wanted.type_text, 100), "'")};
  }
  return std::nullopt;
}

std::optional<AttrFault> type_fault(DType type, bool in_list) {
  const int number = static_cast<int>(type);
  if (type == DType::kInvalid) {
    return AttrFault{"attr-invalid-type", in_list ? "AttrValue contains invalid DataType"
                                                  : "AttrValue has invalid DataType"};
  }
  if (!find_dtype(type)) {
    return AttrFault{"attr-invalid-type", cat("AttrValue has invalid DataType enum: ", number)};
  }
  if (is_ref(type)) {
    return AttrFault{"attr-ref-type",
                     cat("AttrValue must not have reference type value of ", op_type_name(type))};
  }
  return std::nullopt;
}

// "float, half" or "\"SAME\", \"VALID\"".
std::string allowed_text(const AttrValue& allowed) {
  std::vector<std::string> parts;
  allowed.each_number(AttrKind::kType, [&](int64_t number) {
    parts.push_back(op_type_name(static_cast<DType>(static_cast<int32_t>(number))));
  });
  allowed.each_bytes(AttrKind::kString,
                     [&](std::string_view text) { parts.push_back(shown_string(text)); });
  return join(parts, ", ", 40);
}

AttrFault not_allowed(const AttrDef& wanted, const AttrValue& allowed, std::string_view shown) {
  return {"attr-not-allowed",
          cat("Value for attr '", wanted.name, "' of ", shown,
              " is not in the list of allowed values: ", allowed_text(allowed))};
}

// The types that are allowed, each a bit: those that exist are numbered below 64.
uint64_t allowed_types(const AttrValue& allowed) {
  uint64_t types = 0;
  allowed.each_number(AttrKind::kType, [&](int64_t number) {
    if (number >= 0 && number < 64) types |= uint64_t{1} << number;
  });
  return types;
}

bool is_allowed(DType type, uint64_t types) {
  const int number = static_cast<int>(type);
  return number >= 0 && number < 64 && ((types >> number) & 1) != 0;
}

// Returns true if one text is allowed. For a list of texts the allowed ones are sorted once.
bool is_allowed(std::string_view text, const AttrValue& allowed) {
  bool found = false;
  allowed.each_bytes(AttrKind::kString,
                     [&](std::string_view each) { found = found || each == text; });
  return found;
}
std::set<std::string_view> allowed_strings(const AttrValue& allowed) {
  std::set<std::string_view> strings;
  allowed.each_bytes(AttrKind::kString, [&](std::string_view each) { strings.insert(each); });
  return strings;
}

std::optional<AttrFault> allowed_fault(const AttrValue& value, const AttrDef& wanted) {
  const AttrValue allowed(*wanted.allowed_values);
  std::optional<AttrFault> fault;
  if (wanted.type.kind == AttrKind::kType) {
    const uint64_t types = allowed_types(allowed);
    const auto check = [&](DType type) {
      if (fault || is_allowed(type, types)) return;
      fault = not_allowed(wanted, allowed, op_type_name(type));
    };
    if (!wanted.type.list) check(value.type());
    value.each_number(AttrKind::kType, [&](int64_t number) {
      check(static_cast<DType>(static_cast<int32_t>(number)));
    });
  } else if (wanted.type.kind == AttrKind::kString && !wanted.type.list) {
    if (is_allowed(value.bytes(), allowed)) return std::nullopt;
    fault = not_allowed(wanted, allowed, shown_string(value.bytes()));
  } else if (wanted.type.kind == AttrKind::kString) {
    const std::set<std::string_view> strings = allowed_strings(allowed);
    value.each_bytes(AttrKind::kString, [&](std::string_view text) {
      if (fault || strings.count(text) > 0) return;
      fault = not_allowed(wanted, allowed, shown_string(text));
    });
  }
  return fault;
}

void report_missing(const Node& node, const NodeAttrs& attrs, const Reporter& reporter) {
  std::vector<std::string> missing;
  std::string_view first;
  for (size_t i = 0; i < attrs.op().attrs.size(); ++i) {
    if (attrs.get(static_cast<int>(i))) continue;
    if (missing.empty()) first = attrs.op().attrs[i].name;
    missing.push_back(printable(attrs.op().attrs[i].name, 100));
  }
  if (missing.empty()) return;
  reporter.error("attr-missing", {.node = node.name, .attr = first}, "NodeDef missing attr",
                 missing.size() == 1 ? " '" : "s '", join(missing, "', '", 20), "' from ",
                 summary(attrs.op()));
}

// Returns true if an attribute has the default value that the graph's producer would give it.
bool has_default(const Node& node, std::string_view key, const OpDef& producers) {
  const int place = producers.attr_index(key);
  if (place == kNoAttr) return false;
  const auto& by_default = producers.attrs[static_cast<size_t>(place)].default_value;
  return by_default && by_default == find_attr(node, key);
}

}  // namespace

std::optional<AttrFault> value_fault(const AttrValue& value, const AttrDef& wanted) {
  if (auto fault = kind_fault(value, wanted)) return fault;
  if (wanted.type.kind != AttrKind::kType) return std::nullopt;
  if (!wanted.type.list) return type_fault(value.type(), false);
  std::optional<AttrFault> fault;
  value.each_number(AttrKind::kType, [&](int64_t number) {
    if (!fault) fault = type_fault(static_cast<DType>(static_cast<int32_t>(number)), true);
  });
  return fault;
}

std::optional<AttrFault> constraint_fault(const AttrValue& value, const AttrDef& wanted) {
  if (wanted.minimum) {
    const bool number = wanted.type.kind == AttrKind::kInt && !wanted.type.list;
    const auto found =
        number ? value.number() : static_cast<int64_t>(value.count(wanted.type.kind));
    if (found < *wanted.minimum) {
      return AttrFault{"attr-below-minimum",
                       cat(number ? "Value" : "Length", " for attr '", wanted.name, "' of ", found,
                           " must be at least minimum ", *wanted.minimum)};
    }
  }
  if (wanted.allowed_values) return allowed_fault(value, wanted);
  return std::nullopt;
}

bool takes_default(const AttrFault& fault, const AttrDef& wanted) {
  return fault.code == "attr-empty" && wanted.default_value;
}

void check_left_out(const Node& node, const NodeAttrs& attrs, const Reporter& reporter) {
  for (size_t i = 0; i < attrs.op().attrs.size(); ++i) {
    if (attrs.given(static_cast<int>(i)) || !attrs.op().attrs[i].default_value) continue;
    reporter.findings().leave_out(reporter.function(), node.name);
    return;
  }
}

void check_attrs(const Node& node, const NodeAttrs& attrs, const OpDef* producers,
                 const Reporter& reporter) {
  for (const std::string_view key : attrs.unknown()) {
    const bool fixable = producers != nullptr && has_default(node, key, *producers);
    reporter.note("attr-unknown", {.node = node.name, .attr = key, .fixable = fixable},
                  "NodeDef mentions attribute ", printable(key, 100),
                  " which is not in the op definition: ", summary(attrs.op()));
  }
  report_missing(node, attrs, reporter);
  for (size_t i = 0; i < attrs.op().attrs.size(); ++i) {
    const int place = static_cast<int>(i);
    if (!attrs.given(place)) continue;
    const AttrDef& wanted = attrs.op().attrs[i];
    const AttrValue value(*attrs.get(place));
    if (value.kind() == AttrKind::kPlaceholder && !value.bytes().empty()) continue;
    GraphPlace spot{.node = node.name, .attr = wanted.name};
    if (const auto fault = value_fault(value, wanted)) {
      spot.fixable = takes_default(*fault, wanted);
      reporter.error(fault->code, spot, fault->message, " for attr '", wanted.name, "'");
    } else if (const auto out_of_range = constraint_fault(value, wanted)) {
      reporter.error(out_of_range->code, spot, out_of_range->message);
    }
  }
}

}  // namespace cryo
