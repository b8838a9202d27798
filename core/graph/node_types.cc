#include "graph/node_types.h"

#include <algorithm>
#include <limits>

#include "base/text.h"

namespace cryo {
namespace {

void append(std::vector<TypeRun>& types, DType type, uint64_t count) {
  if (count == 0) return;
  const uint64_t end = size_of(types) + count;
  types.push_back({type, static_cast<uint32_t>(std::min<uint64_t>(end, 0xFFFFFFFF))});
}

// How often the argument's type is repeated.
std::optional<TypesFault> repeats_of(const ArgDef& arg, const NodeAttrs& attrs, uint32_t& repeats) {
  using Why = TypesFault::Why;
  const auto attr = attrs.get(arg.number_attr);
  if (!attr) return TypesFault{Why::kMissing, arg.number_attr};
  const AttrValue value(*attr);
  if (value.kind() != AttrKind::kInt) return TypesFault{Why::kNotANumber, arg.number_attr};
  const int64_t number = value.number();
  if (number > std::numeric_limits<int32_t>::max() ||
      number < std::numeric_limits<int32_t>::min()) {
    return TypesFault{Why::kTooMany, arg.number_attr, number};
  }
  if (number < 0) return TypesFault{Why::kNegative, arg.number_attr, number};
  repeats = static_cast<uint32_t>(number);
  return std::nullopt;
}

std::optional<TypesFault> append_base_types(const ArgDef& arg, const NodeAttrs& attrs,
                                            std::vector<TypeRun>& types) {
  using Why = TypesFault::Why;
  uint32_t repeats = 1;
  if (arg.number_attr != kNoAttr) {
    if (auto fault = repeats_of(arg, attrs, repeats)) return fault;
  }
  if (arg.type_attr != kNoAttr) {
    const auto attr = attrs.get(arg.type_attr);
    if (!attr) return TypesFault{Why::kMissing, arg.type_attr};
    append(types, AttrValue(*attr).type(), repeats);
  } else if (arg.type_list_attr != kNoAttr && arg.number_attr == kNoAttr) {
    const auto attr = attrs.get(arg.type_list_attr);
    if (!attr) return TypesFault{Why::kMissing, arg.type_list_attr};
    AttrValue(*attr).each_number(AttrKind::kType, [&](int64_t number) {
      append(types, static_cast<DType>(static_cast<int32_t>(number)), 1);
    });
  } else if (arg.type != DType::kInvalid) {
    append(types, arg.type, repeats);
  } else {
    return TypesFault{Why::kMalformed};
  }
  return std::nullopt;
}

}  // namespace

uint64_t size_of(std::span<const TypeRun> types) { return types.empty() ? 0 : types.back().end; }

std::optional<DType> type_at(std::span<const TypeRun> types, uint64_t place) {
  const auto run = std::upper_bound(types.begin(), types.end(), place,
                                    [](uint64_t at, const TypeRun& each) { return at < each.end; });
  if (run == types.end()) return std::nullopt;
  return run->type;
}

std::string to_text(std::span<const TypeRun> types) {
  constexpr size_t kMax = 20;
  std::vector<std::string> names;
  for (const TypeRun& run : types) {
    while (names.size() < std::min<size_t>(run.end, kMax)) names.push_back(op_type_name(run.type));
  }
  const uint64_t left = size_of(types) - names.size();
  return join(names, ", ") + (left > 0 ? cat(" and ", left, " more") : std::string());
}

std::optional<TypesFault> append_types(const ArgDef& arg, const NodeAttrs& attrs,
                                       std::vector<TypeRun>& types) {
  const size_t start = types.size();
  if (auto fault = append_base_types(arg, attrs, types)) return fault;
  for (size_t i = start; arg.is_ref && i < types.size(); ++i) {
    if (is_ref(types[i].type)) return TypesFault{TypesFault::Why::kRefOfRef, arg.type_attr};
    types[i].type = make_ref(types[i].type);
  }
  return std::nullopt;
}

std::optional<TypesFault> append_types(const std::vector<ArgDef>& args, const NodeAttrs& attrs,
                                       std::vector<TypeRun>& types) {
  for (const ArgDef& arg : args) {
    if (auto fault = append_types(arg, attrs, types)) return fault;
  }
  return std::nullopt;
}

std::optional<DType> output_type(const Node& node, uint32_t port, const OpRegistry& ops) {
  const OpDef* op = ops.find(node.op);
  if (!op) return std::nullopt;
  NodeAttrs attrs;
  attrs.bind(node, *op);
  std::vector<TypeRun> types;
  append_types(op->outputs, attrs, types);  // types before an argument with a fault still count
  return type_at(types, port);
}

}  // namespace cryo
