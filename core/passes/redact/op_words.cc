#include "passes/redact/op_words.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {
namespace {

// Values of attributes whose definitions list none.
constexpr std::string_view kValues[] = {"NEAREST",  "BILINEAR",     "CONSTANT",
                                        "REFLECT",  "WRAP",         "uniform",
                                        "gaussian", "zero",         "GZIP",
                                        "ZLIB",     "SNAPPY",       "sum",
                                        "mean",     "sqrtn",        "max",
                                        "min",      "add",          "mul",
                                        "Id",       "Add",          "Max",
                                        "Min",      "Mul",          "kEagerRuntime",
                                        "host",     "INTEGER_FAST", "INTEGER_ACCURATE",
                                        "UTF-8",    "UTF-16-BE",    "UTF-32-BE",
                                        "ring",     "nccl",         "auto",
                                        "float32",  "int32",        "max_valid_span",
                                        "__empty__"};

// Attributes whose texts are names of ops.
constexpr std::string_view kOfOps[] = {"fused_ops"};

// Texts of these attributes name something of the graph, whatever they are.
constexpr std::string_view kNames[] = {
    "shared_name",       "container",  "frame_name", "tensor_name",
    "tensor_array_name", "stack_name", "queue_name", "name"};

// An equation of Einsum: "ab,bc->ac". Words of one letter a dimension.
bool is_equation(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view(",.-> ").find(c) != std::string_view::npos;
  };
  return text.find("->") != std::string_view::npos && std::all_of(text.begin(), text.end(), fits);
}

bool allows(std::string_view allowed_values, std::string_view text) {
  bool allowed = false;
  AttrValue(allowed_values).each_bytes(AttrKind::kString, [&](std::string_view each) {
    allowed = allowed || each == text;
  });
  return allowed;
}

}  // namespace

void OpWords::read_all() {
  if (has_all_) return;
  has_all_ = true;
  for (const std::string_view name : release_.names()) {
    const OpDef& op = *release_.find(name);
    for (const AttrDef& attr : op.attrs) {
      if (!attr.allowed_values) continue;
      AttrValue(*attr.allowed_values).each_bytes(AttrKind::kString, [&](std::string_view each) {
        values_.insert(each);
      });
    }
  }
}

bool OpWords::is_value(const OpDef* op, std::string_view attr, std::string_view text) {
  const int place = op == nullptr ? kNoAttr : op->attr_index(attr);
  if (place != kNoAttr) {
    const AttrDef& def = op->attrs[static_cast<size_t>(place)];
    if (def.allowed_values) return allows(*def.allowed_values, text);
    if (def.default_value && AttrValue(*def.default_value).bytes() == text) return true;
  }
  if (is_one_of(attr, kNames)) return false;
  if (is_one_of(attr, kOfOps)) return release_.find(text) != nullptr;
  if (attr == "equation") return is_equation(text);
  if (is_one_of(text, kValues)) return true;
  read_all();
  return values_.contains(text);
}

bool is_op_name(std::string_view name) {
  if (name.starts_with('_')) name.remove_prefix(1);
  if (name.empty() || name.front() < 'A' || name.front() > 'Z') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '>';
  });
}

}  // namespace cryo
