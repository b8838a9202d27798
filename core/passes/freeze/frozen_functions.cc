#include "passes/freeze/frozen_functions.h"

#include "base/reference.h"
#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_editor.h"
#include "passes/freeze/frozen_nodes.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

// Functions within functions; TensorFlow's own nest a handful deep.
constexpr int kMaxNested = 100;

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

void retype(std::vector<std::string>& args, const Types& types) {
  for (const auto& [place, type] : types) {
    if (place < args.size()) args[place] = typed_arg(args[place], type);
  }
}

// Removes what is stored for handles: their shapes, and the entries of maps by arguments.
void forget_handles(FunctionEditor& editor, const Types& args) {
  const auto is_of_handle = [&](const std::string& entry) {
    return args.contains(static_cast<uint32_t>(integer_key(entry)));
  };
  std::erase_if(editor.attrs, [](const std::string& entry) {
    return last_bytes(entry, fields::MapEntry::kKey) == "_input_shapes";
  });
  std::erase_if(editor.arg_attrs, is_of_handle);
  std::erase_if(editor.resource_ids, is_of_handle);
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
  const LocationRef where{.function = name};
  if (known != by_key_.end() || depth_ == kMaxNested) {
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
  TRY(body, resolve_body(function));
  if (!args.empty() && args.rbegin()->first >= body.arg_count) {
    return failure("call-arguments",
                   cat("function '", function.name, "' takes ", body.arg_count,
                       " arguments and is given more"),
                   {.function = function.name}, "validate the graph");
  }
  const NodeNames names(body.nodes);
  TRY(uses, uses_of_arguments(body, function.name, args, *this, refused_));
  Types types;
  for (const auto& arg : args) types.emplace(arg.first, arg.second.dtype);
  for (uint32_t i = 0; i < body.returns.size(); ++i) {
    const HeldValue* value = uses.held(body.returns[i]);
    if (value != nullptr) frozen.returns.emplace(i, value->dtype);
  }
  FrozenNodes nodes(body.nodes, uses, names, payloads_, true);
  FunctionEditor editor(function);
  editor.name = frozen.name;
  retype(editor.inputs, types);
  retype(editor.outputs, frozen.returns);
  editor.nodes.clear();
  for (auto i = static_cast<uint32_t>(body.arg_count); i < body.nodes.size(); ++i) {
    TRY(made, nodes.made_of(i));
    editor.nodes.insert(editor.nodes.end(), made.begin(), made.end());
  }
  for (std::string& entry : editor.returns) {
    entry = map_entry(last_bytes(entry, fields::MapEntry::kKey),
                      nodes.rewired(last_bytes(entry, fields::MapEntry::kValue)));
  }
  forget_handles(editor, types);
  frozen.function_def = editor.finish();
  return Unit{};
}

void FrozenFunctions::add_to(GraphBuilder& builder) const {
  for (const Frozen* frozen : made_) builder.add_function(frozen->function_def);
}

}  // namespace cryo
