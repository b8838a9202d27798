#include "graph/check/calls.h"

#include <algorithm>

#include "base/utf8.h"
#include "graph/check/type_table.h"
#include "graph/node_types.h"
#include "graph/roles.h"

namespace cryo {
namespace {

// Field numbers of NameAttrList and of a map's entry.
constexpr uint32_t kName = 1, kAttr = 2, kKey = 1, kValue = 2;

std::vector<Attr> attrs_of_function(std::string_view name_attr_list) {
  std::vector<Attr> attrs;
  for (WireCursor cursor(name_attr_list); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != kAttr || field.type != WireType::kBytes) continue;
    attrs.push_back({last_bytes(field.bytes, kKey), last_bytes(field.bytes, kValue)});
  }
  return attrs;
}

void resolve_all(std::vector<Attr>& attrs, const AttrScope* scope) {
  if (!scope) return;
  for (Attr& attr : attrs) attr.value = scope->resolve(attr.value);
}

// Types of the call node's inputs or outputs, or of the function's arguments or returns.
std::vector<TypeRun> types_of(const std::vector<ArgDef>& args, const NodeAttrs& attrs) {
  std::vector<TypeRun> types;
  append_types(args, attrs, types);
  return types;
}

// The first input that is of another type than the function's argument.
void check_types(const Node& node, std::span<const TypeRun> given, std::span<const TypeRun> taken,
                 const Reporter& reporter) {
  uint64_t place = 0;
  for (const TypeRun& run : taken) {
    for (; place < std::min<uint64_t>(run.end, size_of(given)); ++place) {
      const auto type = type_at(given, place);
      if (!type || types_compatible(run.type, *type)) continue;
      reporter.warning("call-types", {.node = node.name, .input = static_cast<int>(place)},
                       "Expects arg[", place, "] to be ", op_type_name(run.type), " but ",
                       op_type_name(*type), " is provided");
      return;
    }
  }
}

}  // namespace

std::optional<FunctionCall> call_of(const Node& node, const KnownOp& known,
                                    const AttrScope* scope) {
  const bool by_attr = calls_its_attr(node.op);
  if (!by_attr && !known.function) return std::nullopt;
  FunctionCall call;
  if (by_attr) {
    const auto f = find_attr(node, "f");
    const AttrValue value(f && scope ? scope->resolve(*f) : f.value_or(""));
    if (value.kind() != AttrKind::kFunc) return std::nullopt;
    call.function = last_bytes(value.bytes(), kName);
    call.attrs = attrs_of_function(value.bytes());
  } else {
    call.function = node.op;
    call.attrs = attrs_of(node);
  }
  resolve_all(call.attrs, scope);
  call.followed = !bool_attr(node, "_disable_call_shape_inference").value_or(false);
  return call;
}

void check_call(const Node& node, const FunctionCall& call, const LibraryFunction& target,
                const AttrScope& scope, KnownOps& ops, const Reporter& reporter) {
  const KnownOp& known = ops.find(node.op);
  if (!known.def || known.function) return;  // by its own name: the node's types are the function's
  NodeAttrs node_attrs;
  node_attrs.bind(node, *known.def, &scope);
  NodeAttrs call_attrs;
  call_attrs.bind(AttrScope(call.attrs, &target.signature), target.signature);
  const auto given = types_of(known.def->inputs, node_attrs);
  const auto taken = types_of(target.signature.inputs, call_attrs);
  const auto wanted = types_of(known.def->outputs, node_attrs);
  const auto returned = types_of(target.signature.outputs, call_attrs);
  const Spot spot{.node = node.name, .attr = "f"};
  if (size_of(given) < size_of(taken)) {
    reporter.error("call-arguments", spot,
                   "Function instantiation included invalid input index: ", size_of(given),
                   " not in [0, ", size_of(given), "). Function ", quoted(call.function), " takes ",
                   size_of(taken), " arguments");
  } else if (size_of(given) > size_of(taken)) {
    reporter.warning("call-arguments", spot, "Function ", quoted(call.function), " takes ",
                     size_of(taken), " arguments and is given ", size_of(given));
  }
  if (size_of(wanted) < size_of(returned)) {
    reporter.error("call-arguments", spot,
                   "Function instantiation included invalid output index: ", size_of(wanted),
                   " not in [0, ", size_of(wanted), "). Function ", quoted(call.function),
                   " returns ", size_of(returned));
  }
  check_types(node, given, taken, reporter);
}

}  // namespace cryo
