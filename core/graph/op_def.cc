#include "graph/op_def.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Fields that scripts/op_registry.py adds.
constexpr uint32_t kNoCpuKernel = 1000, kRanks = 1001, kGives = 1002;

AttrDef read_attr(std::string_view message) {
  AttrDef attr;
  bool has_minimum = false;
  int64_t minimum = 0;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::AttrDef::kName) attr.name = field.bytes;
    if (field.number == fields::OpDef::AttrDef::kType) attr.type_text = field.bytes;
    if (field.number == fields::OpDef::AttrDef::kDefaultValue) attr.default_value = field.bytes;
    if (field.number == fields::OpDef::AttrDef::kHasMinimum) has_minimum = field.value != 0;
    if (field.number == fields::OpDef::AttrDef::kMinimum)
      minimum = static_cast<int64_t>(field.value);
    if (field.number == fields::OpDef::AttrDef::kAllowedValues) attr.allowed_values = field.bytes;
  }
  attr.type = parse_attr_type(attr.type_text);
  if (has_minimum) attr.minimum = minimum;
  return attr;
}

Deprecation read_deprecation(std::string_view message) {
  Deprecation deprecation;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDeprecation::kVersion)
      deprecation.version = static_cast<int>(field.value);
    if (field.number == fields::OpDeprecation::kExplanation) deprecation.explanation = field.bytes;
  }
  return deprecation;
}

int place_of(const OpDef& op, std::string_view attr) {
  if (attr.empty()) return kNoAttr;
  const int index = op.attr_index(attr);
  return index == kNoAttr ? static_cast<int>(op.attrs.size()) : index;
}

ArgDef read_arg(std::string_view message, const OpDef& op) {
  ArgDef arg;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::ArgDef::kName) arg.name = field.bytes;
    if (field.number == fields::OpDef::ArgDef::kType)
      arg.type = static_cast<DType>(static_cast<int32_t>(field.value));
    if (field.number == fields::OpDef::ArgDef::kTypeAttr) arg.type_attr = place_of(op, field.bytes);
    if (field.number == fields::OpDef::ArgDef::kNumberAttr)
      arg.number_attr = place_of(op, field.bytes);
    if (field.number == fields::OpDef::ArgDef::kTypeListAttr)
      arg.type_list_attr = place_of(op, field.bytes);
    if (field.number == fields::OpDef::ArgDef::kIsRef) arg.is_ref = field.value != 0;
  }
  return arg;
}

void index_attrs(OpDef& op) {
  op.attrs_by_name.resize(op.attrs.size());
  for (size_t i = 0; i < op.attrs.size(); ++i) op.attrs_by_name[i] = static_cast<int>(i);
  sort(op.attrs_by_name, [&op](int a, int b) {
    return op.attrs[static_cast<size_t>(a)].name < op.attrs[static_cast<size_t>(b)].name;
  });
}

std::string attr_name(const OpDef& op, int index) {
  const auto place = static_cast<size_t>(index);
  return place < op.attrs.size() ? std::string(op.attrs[place].name) : "?";
}

// Returns "x:T", "values:N*T", "ref:Ref(T)", "shape:int32". TensorFlow omits the name of a list of
// types: "args:".
std::string summary(const OpDef& op, const ArgDef& arg) {
  std::string type = arg.type_list_attr != kNoAttr ? ""
                     : arg.type_attr != kNoAttr    ? attr_name(op, arg.type_attr)
                                                   : op_type_name(arg.type);
  if (arg.number_attr != kNoAttr) type = cat(attr_name(op, arg.number_attr), "*", type);
  return cat(arg.name, ":", arg.is_ref ? cat("Ref(", type, ")") : type);
}

std::string summary(const OpDef& op, const std::vector<ArgDef>& args) {
  std::vector<std::string> parts;
  for (const ArgDef& arg : args) parts.push_back(summary(op, arg));
  return join(parts, ", ", 20);
}

}  // namespace

int OpDef::attr_index(std::string_view attr_name) const {
  const auto name_at = [this](int place) { return attrs[static_cast<size_t>(place)].name; };
  const auto found =
      std::lower_bound(attrs_by_name.begin(), attrs_by_name.end(), attr_name,
                       [&](int place, std::string_view key) { return name_at(place) < key; });
  return found != attrs_by_name.end() && name_at(*found) == attr_name ? *found : kNoAttr;
}

bool OpDef::takes_rank(size_t argument, size_t rank) const {
  constexpr size_t kLastBit = 7;
  if (argument >= ranks.size()) return true;
  return ((static_cast<unsigned char>(ranks[argument]) >> std::min(rank, kLastBit)) & 1) != 0;
}

std::string op_type_name(DType dtype) {
  const std::string_view ref = is_ref(dtype) ? "_ref" : "";
  switch (base(dtype)) {
    case DType::kInvalid:
      return "INVALID";
    case DType::kFloat:
      return cat("float", ref);
    case DType::kDouble:
      return cat("double", ref);
    case DType::kHalf:
      return cat("half", ref);
    default:
      return find_dtype(dtype) ? dtype_name(dtype)
                               : cat("unknown dtype enum (", static_cast<int>(dtype), ")");
  }
}

std::string summary(const OpDef& op) {
  return cat("Op<name=", op.name, "; signature=", summary(op, op.inputs), " -> ",
             summary(op, op.outputs), ">");
}

// Arguments name attributes, so these are read first.
OpDef read_op_def(std::string_view message) {
  OpDef op;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::kName) op.name = field.bytes;
    if (field.number == fields::OpDef::kAttr) op.attrs.push_back(read_attr(field.bytes));
    if (field.number == fields::OpDef::kDeprecation) op.deprecation = read_deprecation(field.bytes);
    if (field.number == fields::OpDef::kIsStateful) op.is_stateful = field.value != 0;
    if (field.number == kNoCpuKernel) op.has_cpu_kernel = field.value == 0;
    if (field.number == kRanks) op.ranks = field.bytes;
    if (field.number == kGives) op.gives = field.bytes;
  }
  index_attrs(op);
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::kInputArg) op.inputs.push_back(read_arg(field.bytes, op));
    if (field.number == fields::OpDef::kOutputArg) op.outputs.push_back(read_arg(field.bytes, op));
  }
  return op;
}

}  // namespace cryo
