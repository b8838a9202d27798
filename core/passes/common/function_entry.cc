#include "passes/common/function_entry.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "graph/functions/function_body.h"
#include "graph/op_def.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "passes/common/graph_editor.h"
#include "passes/common/saved_functions.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr size_t kMaxFunctionsListed = 10;
constexpr std::string_view kMethod = "tensorflow/serving/predict";

// "__call__(x [?,4]) -> p = __inference___call___18; ...": each function of the library once, by
// its first path.
std::string list_of(const std::vector<SavedFunction>& functions) {
  std::vector<std::string> texts;
  std::set<std::string_view> listed;
  for (const SavedFunction& each : functions) {
    if (!listed.insert(each.function).second) continue;
    texts.push_back(cat(to_text(each), " = ", each.function));
  }
  return join(texts, "; ", kMaxFunctionsListed);
}

// Returns the function that NAME means. One of the library that no object has captures nothing.
Result<SavedFunction> find_function(const Model& model, const std::string& name) {
  std::vector<SavedFunction> found;
  const std::vector<SavedFunction> all = saved_functions(model);
  for (const SavedFunction& each : all) {
    if (each.function == name) return each;
    if (each.path == name) found.push_back(each);
  }
  if (found.size() == 1) return std::move(found.front());
  if (found.size() > 1) {
    return failure("several-functions",
                   cat("'", name, "' has ", found.size(), " signatures: ", list_of(found)), {},
                   "name one of these functions of the library");
  }
  const std::vector<Function>& library = model.graph.functions();
  if (std::any_of(library.begin(), library.end(),
                  [&](const Function& each) { return each.name == name; })) {
    return SavedFunction{name};
  }
  return failure("no-such-function",
                 cat("there is no function '", name, "'", functions_text(model)), {},
                 LIST("names", "functions"));
}

// The call that is being made, and the signature that it serves.
struct Entry {
  const Model& model;
  const SavedFunction& function;
  const OpDef& definition;
  GraphEditor editor;
  NodeEditor call;
  tensorflow::SignatureDef signature = {};
};

void describe(tensorflow::TensorInfo& info, std::string_view tensor, DType dtype,
              const Shape& shape) {
  info.set_name(cat(tensor, ":0"));
  info.set_dtype(static_cast<tensorflow::DataType>(dtype));
  *info.mutable_tensor_shape() = to_proto(shape);
}

// A name that no other argument has: the one that Python has, else that of the library's function.
std::string argument_name(const std::string& wanted, std::string_view own, FreshNames& taken) {
  return taken.take(wanted.empty() ? std::string(own) : wanted);
}

void add_placeholder(Entry& entry, const ArgDef& argument, const FunctionValue& value,
                     FreshNames& taken) {
  const std::string key = argument_name(value.name, argument.name, taken);
  const std::string node = entry.editor.fresh_name(legal_node_name(cat("serving_", key)));
  NodeEditor placeholder(node, "Placeholder");
  placeholder.set_attr("dtype", type_value(argument.type))
      .set_attr("shape", shape_value(shape_message(value.shape)));
  entry.editor.add(placeholder.finish());
  entry.call.add_input(node);
  auto& added = *entry.signature.mutable_inputs()->Add();
  added.set_key(key);
  describe(*added.mutable_value(), node, argument.type, value.shape);
}

Failure unknown_capture(const Entry& entry, const ArgDef& argument) {
  return failure("function-captures",
                 cat("nothing says what '", argument.name, "' of the function '",
                     entry.function.function, "' captures"),
                 {.function = entry.function.function}, ADVICE("choose-outputs"));
}

Status add_inputs(Entry& entry) {
  const std::vector<ArgDef>& arguments = entry.definition.inputs;
  const std::vector<uint32_t>& captures = entry.function.captures;
  const size_t own = arguments.size() - std::min(arguments.size(), captures.size());
  const std::vector<std::string> tensors =
      captures.empty() ? std::vector<std::string>() : tensors_of_objects(entry.model);
  const NodeNames& names = entry.model.graph.index().names();
  FreshNames taken;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (i < own) {
      if (arguments[i].type == DType::kResource) return unknown_capture(entry, arguments[i]);
      const bool known = entry.function.inputs.size() == own;
      add_placeholder(entry, arguments[i], known ? entry.function.inputs[i] : FunctionValue{},
                      taken);
      continue;
    }
    const uint32_t object = captures[i - own];
    const std::string tensor = object < tensors.size() ? tensors[object] : std::string();
    if (names.find(parse_tensor_name(tensor).node) == kNoNode) {
      return unknown_capture(entry, arguments[i]);
    }
    entry.call.add_input(to_text(parse_tensor_name(tensor)));
  }
  return Unit{};
}

void add_outputs(Entry& entry, std::string_view call) {
  const std::vector<ArgDef>& results = entry.definition.outputs;
  const bool known = entry.function.outputs.size() == results.size();
  FreshNames taken;
  for (size_t i = 0; i < results.size(); ++i) {
    const FunctionValue value = known ? entry.function.outputs[i] : FunctionValue{};
    auto& added = *entry.signature.mutable_outputs()->Add();
    added.set_key(argument_name(value.name, results[i].name, taken));
    describe(*added.mutable_value(), call, results[i].type, value.shape);
    added.mutable_value()->set_name(cat(call, ":", i));
  }
}

std::vector<int> types_of(const std::vector<ArgDef>& arguments) {
  std::vector<int> types;
  for (const ArgDef& each : arguments) types.push_back(static_cast<int>(each.type));
  return types;
}

std::string function_value(std::string_view name) {
  std::string function;
  put_bytes_field(function, fields::NameAttrList::kName, name);
  std::string value;
  put_bytes_field(value, fields::AttrValue::kFunc, function);
  return value;
}

// Returns true if each argument is one tensor of a type of its own.
bool is_plain(const OpDef& definition) {
  const auto plain = [](const ArgDef& argument) {
    return argument.type != DType::kInvalid && argument.number_attr == kNoAttr &&
           argument.type_list_attr == kNoAttr;
  };
  return std::all_of(definition.inputs.begin(), definition.inputs.end(), plain) &&
         std::all_of(definition.outputs.begin(), definition.outputs.end(), plain);
}

}  // namespace

std::string functions_text(const Model& model) {
  const std::vector<SavedFunction> all = saved_functions(model);
  return all.empty() ? std::string() : cat("; its functions are ", list_of(all));
}

Selection with_entry_signature(const Selection& selection) {
  Selection entered = selection;
  if (!selection.function.empty()) entered.signatures = {selection.function};
  return entered;
}

Result<Model> with_function_entry(const Model& model, const std::string& name) {
  if (name.empty()) return model;
  TRY(function, find_function(model, name));
  TRY(library, function_named(model.graph, function.function));
  const OpDef definition = read_op_def(signature_of(library));
  if (!is_plain(definition)) {
    return failure("function-captures",
                   cat("the function '", function.function, "' takes types from its caller"),
                   {.function = function.function}, ADVICE("choose-outputs"));
  }
  GraphEditor editor(model.graph);
  const std::string call = editor.fresh_name("StatefulPartitionedCall");
  Entry entry{model, function, definition, std::move(editor),
              NodeEditor(call, "StatefulPartitionedCall")};
  CHECK_OK(add_inputs(entry));
  add_outputs(entry, call);
  entry.call.set_attr("Tin", type_list_value(types_of(definition.inputs)))
      .set_attr("Tout", type_list_value(types_of(definition.outputs)))
      .set_attr("f", function_value(function.function));
  entry.editor.add(entry.call.finish());
  entry.signature.set_method_name(std::string(kMethod));
  Model made = model;
  made.graph = entry.editor.finish();
  tensorflow::MetaGraphDef meta = parse_meta(model);
  auto& added = *meta.mutable_signature_def()->Add();
  added.set_key(name);
  *added.mutable_value() = std::move(entry.signature);
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
