#include "passes/freeze/frozen_functions.h"

#include "base/reference.h"
#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_view.h"
#include "passes/freeze/frozen_nodes.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Functions within functions; TensorFlow's own nest a handful deep.
constexpr int kMostNested = 100;

using Types = std::map<uint32_t, DType>;  // by place

// "body_27" -> "body_frozen_0", as TensorFlow's freeze names them.
std::string frozen_name(std::string_view name, size_t number) {
  return cat(without_number(name), "_frozen_", number);
}

// Returns an argument of the signature with a type of its own; the properties of a handle are
// removed.
std::string typed_arg(std::string_view arg, DType type) {
  std::string out;
  for (WireCursor cursor(arg); cursor.next();) {
    const uint32_t number = cursor.field().number;
    if (number == fields::OpDef::ArgDef::kName || number == fields::OpDef::ArgDef::kDescription)
      out += cursor.field().record;
  }
  put_varint_field(out, fields::OpDef::ArgDef::kType, static_cast<uint64_t>(type));
  return out;
}

std::string frozen_signature(std::string_view signature, std::string_view name, const Types& args,
                             const Types& returns) {
  std::string out;
  put_bytes_field(out, fields::OpDef::kName, name);
  uint32_t places[] = {0, 0};
  for (WireCursor cursor(signature); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpDef::kName) continue;
    const bool output = field.number == fields::OpDef::kOutputArg;
    if (field.number != fields::OpDef::kInputArg && !output) {
      out += field.record;
      continue;
    }
    const Types& types = output ? returns : args;
    const auto type = types.find(places[output ? 1 : 0]++);
    put_bytes_field(
        out, field.number,
        type == types.end() ? std::string(field.bytes) : typed_arg(field.bytes, type->second));
  }
  return out;
}

// The entry {place: ...} of a map by arguments, or {name: value} of the function's attributes, that
// spoke of handles.
bool is_of_handle(const WireField& field, const Types& args) {
  if (field.number == fields::FunctionDef::kAttr)
    return last_bytes(field.bytes, fields::MapEntry::kKey) == "_input_shapes";
  if (field.number != fields::FunctionDef::kArgAttr &&
      field.number != fields::FunctionDef::kResourceArgUniqueId)
    return false;
  uint64_t place = 0;
  for (WireCursor cursor(field.bytes); cursor.next();) {
    if (cursor.field().number == fields::MapEntry::kKey) place = cursor.field().value;
  }
  return args.count(static_cast<uint32_t>(place)) > 0;
}

}  // namespace

FrozenFunctions::FrozenFunctions(const Graph& graph, Payloads& payloads) : payloads_(payloads) {
  for (const Function& function : graph.functions()) functions_.emplace(function.name, &function);
}

Result<const FrozenFunctions::Frozen*> FrozenFunctions::find(
    std::string_view name, const std::map<uint32_t, HeldValue>& args) {
  std::string key(name);
  for (const auto& arg : args) key += cat("|", arg.first, ":", static_cast<int>(arg.second.dtype));
  const auto known = by_key_.find(key);
  if (known != by_key_.end() && !known->second.function_def.empty()) return &known->second;
  const At where{.function = name};
  if (known != by_key_.end() || depth_ == kMostNested) {
    return failure("recursive-function", cat("function '", name, "' calls itself"), where,
                   "choose outputs that do not need it (" OPTION("--outputs", "") ")");
  }
  const auto function = functions_.find(name);
  if (function == functions_.end()) {
    return failure("unknown-function", cat("function '", name, "' is not in the library"), where,
                   "the graph is incomplete: validate it to see all that is missing");
  }
  size_t number = by_key_.size();
  std::string fresh = frozen_name(name, number);
  while (functions_.count(fresh) > 0) fresh = frozen_name(name, ++number);
  Frozen& frozen = by_key_.emplace(key, Frozen{std::move(fresh), {}, {}}).first->second;
  ++depth_;
  const Status made = make(*function->second, args, frozen);
  --depth_;
  if (!made) return failure(made.error());
  made_.push_back(&frozen);
  return &frozen;
}

Status FrozenFunctions::make(const Function& function, const std::map<uint32_t, HeldValue>& args,
                             Frozen& frozen) {
  TRY(view, view_function(function));
  if (!args.empty() && args.rbegin()->first >= view.arg_count) {
    return failure("call-arguments",
                   cat("function '", function.name, "' takes ", view.arg_count,
                       " arguments and is given more"),
                   {.function = function.name}, "validate the graph");
  }
  const NodeNames names(view.nodes);
  const Edges edges(view.inputs);
  FrozenUses uses(view.nodes, names, edges, *this, function.name);
  if (auto found = uses.find(args); !found) {
    refused_ = uses.refused();
    return std::move(found).failure();
  }
  Types types;
  for (const auto& arg : args) types.emplace(arg.first, arg.second.dtype);
  for (uint32_t i = 0; i < view.returns.size(); ++i) {
    const HeldValue* value = uses.held(view.returns[i]);
    if (value != nullptr) frozen.returns.emplace(i, value->dtype);
  }
  FrozenNodes nodes(view.nodes, uses, names, payloads_, true);
  std::string& out = frozen.function_def;
  uint32_t index = static_cast<uint32_t>(view.arg_count);
  for (WireCursor cursor(function.bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::FunctionDef::kSignature) {
      put_bytes_field(out, fields::FunctionDef::kSignature,
                      frozen_signature(field.bytes, frozen.name, types, frozen.returns));
    } else if (field.number == fields::FunctionDef::kNodeDef && field.type == WireType::kBytes) {
      TRY(made, nodes.made_of(index++));
      for (const std::string& node : made)
        put_bytes_field(out, fields::FunctionDef::kNodeDef, node);
    } else if (field.number == fields::FunctionDef::kRet) {
      std::string entry;
      put_bytes_field(entry, fields::MapEntry::kKey,
                      last_bytes(field.bytes, fields::MapEntry::kKey));
      put_bytes_field(entry, fields::MapEntry::kValue,
                      nodes.rewired(last_bytes(field.bytes, fields::MapEntry::kValue)));
      put_bytes_field(out, fields::FunctionDef::kRet, entry);
    } else if (!is_of_handle(field, types)) {
      out += field.record;
    }
  }
  return Unit{};
}

void FrozenFunctions::add_to(GraphBuilder& builder) const {
  for (const Frozen* frozen : made_) builder.add_function(frozen->function_def);
}

}  // namespace cryo
