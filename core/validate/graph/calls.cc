#include "validate/graph/calls.h"

#include <algorithm>

#include "base/utf8.h"
#include "graph/functions/function_callers.h"
#include "graph/node_types.h"
#include "graph/roles.h"
#include "validate/graph/type_table.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::vector<Attr> attrs_of_function(std::string_view name_attr_list) {
  std::vector<Attr> attrs;
  for (WireCursor cursor(name_attr_list); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::NameAttrList::kAttr || field.type != WireType::kBytes) continue;
    attrs.push_back(read_map_entry(field.bytes));
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

struct TypeMismatch {
  uint64_t place = 0;
  DType taken = DType::kInvalid;
  DType given = DType::kInvalid;
};

// The first tensor that is of another type than is taken.
std::optional<TypeMismatch> first_mismatch(std::span<const TypeRun> given,
                                           std::span<const TypeRun> taken) {
  uint64_t place = 0;
  for (const TypeRun& run : taken) {
    for (; place < std::min<uint64_t>(run.end, size_of(given)); ++place) {
      const auto type = type_at(given, place);
      if (type && !types_compatible(run.type, *type)) return TypeMismatch{place, run.type, *type};
    }
  }
  return std::nullopt;
}

// `first`: the place of the first of them among the node's inputs.
void check_types(const Node& node, uint64_t first, std::span<const TypeRun> given,
                 std::span<const TypeRun> taken, const Reporter& reporter) {
  const auto mismatch = first_mismatch(given, taken);
  if (!mismatch) return;
  reporter.warning("call-types",
                   {.node = node.name, .input = static_cast<int>(first + mismatch->place)},
                   "Expects arg[", mismatch->place, "] to be ", op_type_name(mismatch->taken),
                   " but ", op_type_name(mismatch->given), " is provided");
}

// The types that a node passes to each function it names, and receives.
struct BranchTypes {
  std::vector<TypeRun> given;
  std::vector<TypeRun> taken;
};

void check_branch(const Node& node, const BranchTypes& branch, std::string_view attr,
                  const LibraryFunction& function, std::vector<Attr> handed,
                  const Reporter& reporter) {
  NodeAttrs attrs;
  attrs.bind(AttrScope(std::move(handed), &function.signature), function.signature);
  const auto takes = types_of(function.signature.inputs, attrs);
  const auto gives = types_of(function.signature.outputs, attrs);
  const std::string_view name = function.function->name;
  const GraphPlace spot{.node = node.name, .attr = attr};
  if (size_of(takes) != size_of(branch.given)) {
    reporter.warning("call-arguments", spot, "Function ", quoted(name), " expects ", size_of(takes),
                     " arguments, but ", size_of(branch.given), " is provided");
  }
  check_types(node, is_while(node.op) ? 0 : 1, branch.given, takes, reporter);
  const uint64_t wanted = attr == "cond" ? 1 : size_of(branch.taken);
  if (size_of(gives) != wanted) {
    reporter.warning("call-arguments", spot, "Function ", quoted(name), " returns ",
                     plural(size_of(gives), "tensor"), ", and ", wanted, " are expected");
  } else if (const auto mismatch = first_mismatch(gives, branch.taken);
             mismatch && attr != "cond") {
    reporter.warning("call-types", spot, "Expect ", mismatch->place, "-th output of ", quoted(name),
                     " is of type ", op_type_name(mismatch->taken), " but get ",
                     op_type_name(mismatch->given));
  }
}

}  // namespace

std::optional<FunctionCall> call_of(const Node& node, const KnownOp& known,
                                    const AttrScope* scope) {
  const bool by_attr = is_call(node.op);
  if (!by_attr && !known.function) return std::nullopt;
  FunctionCall call;
  if (by_attr) {
    const auto f = find_attr(node, "f");
    const AttrValue value(f && scope ? scope->resolve(*f) : f.value_or(""));
    if (value.kind() != AttrKind::kFunc) return std::nullopt;
    call.function = last_bytes(value.bytes(), fields::NameAttrList::kName);
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
  const GraphPlace spot{.node = node.name, .attr = "f"};
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
  check_types(node, 0, given, taken, reporter);
}

void check_branches(const Node& node, const AttrScope& scope, KnownOps& ops,
                    const Reporter& reporter) {
  if (!is_branch(node.op) && !is_while(node.op)) return;
  const KnownOp& known = ops.find(node.op);
  if (!known.def || known.function || known.def->inputs.empty() || known.def->outputs.empty())
    return;
  NodeAttrs attrs;
  attrs.bind(node, *known.def, &scope);
  const BranchTypes branch{types_of({known.def->inputs.back()}, attrs),
                           types_of({known.def->outputs.back()}, attrs)};
  for (size_t i = 0; i < known.def->attrs.size(); ++i) {
    const AttrDef& def = known.def->attrs[i];
    const auto attr = attrs.get(static_cast<int>(i));
    if (!attr || def.type.kind != AttrKind::kFunc) continue;
    const auto check = [&](std::string_view function) {
      const std::string_view name = last_bytes(function, fields::NameAttrList::kName);
      const LibraryFunction* target = ops.library().find(name);
      if (!target) return;  // reported elsewhere
      std::vector<Attr> handed = attrs_of_function(function);
      resolve_all(handed, &scope);
      check_branch(node, branch, def.name, *target, std::move(handed), reporter);
    };
    const AttrValue value(*attr);
    if (value.kind() == AttrKind::kFunc) check(value.bytes());
    value.each_bytes(AttrKind::kFunc, check);
  }
}

}  // namespace cryo
