#include "passes/common/saved_functions.h"

#include <algorithm>
#include <map>

#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "checkpoint/object_graph.h"
#include "model/meta.h"
#include "model/object_restores.h"
#include "model/variables.h"
#include "proto/meta_graph.pb.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr int kMaxNesting = 32;

// The leaves of a StructuredValue: tensors in the order in which functions take them, and values of
// Python.
struct Leaves {
  bool are_arguments = false;  // called as their TensorSpecs are, not by their places
  std::vector<FunctionValue> tensors = {};
  std::vector<std::string> constants = {};
};

void add_leaves(std::string_view value, const std::string& path, int depth, Leaves& leaves);

std::string within(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : cat(path, "_", key);
}

// A list or a tuple: its values are called output_0, output_1 where nothing around them has a name.
void add_sequence(std::string_view list, const std::string& path, int depth, Leaves& leaves) {
  size_t index = 0;
  for (WireCursor cursor(list); cursor.next();) {
    if (cursor.field().number != fields::ListValue::kValues) continue;
    add_leaves(cursor.field().bytes, within(path, std::to_string(index++)), depth, leaves);
  }
}

// A dictionary, by its keys in order, or a named tuple, by its own order.
void add_named(std::string_view message, uint32_t number, bool sorted, const std::string& path,
               int depth, Leaves& leaves) {
  std::vector<std::pair<std::string_view, std::string_view>> entries;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number != number) continue;
    const std::string_view entry = cursor.field().bytes;
    entries.emplace_back(last_bytes(entry, fields::PairValue::kKey),
                         last_bytes(entry, fields::PairValue::kValue));
  }
  if (sorted) sort(entries);
  for (const auto& [key, value] : entries) add_leaves(value, within(path, key), depth, leaves);
}

Shape shape_of(std::string_view message) {
  tensorflow::TensorShapeProto proto;
  if (!proto.ParseFromArray(message.data(), static_cast<int>(message.size()))) return {true, {}};
  const Result<Shape> shape = read_shape(proto);
  return shape ? *shape : Shape{true, {}};
}

void add_tensor(std::string_view spec, const std::string& path, Leaves& leaves) {
  const std::string_view name = last_bytes(spec, fields::TensorSpecProto::kName);
  leaves.tensors.push_back({leaves.are_arguments ? std::string(name) : path,
                            shape_of(last_bytes(spec, fields::TensorSpecProto::kShape))});
}

// A sparse or other composite tensor, of whose components only the number is known.
void add_composite(std::string_view spec, const std::string& path, Leaves& leaves) {
  uint64_t count = 1;
  for (WireCursor cursor(spec); cursor.next();) {
    if (cursor.field().number == fields::TypeSpecProto::kNumFlatComponents) {
      count = cursor.field().value;
    }
  }
  for (uint64_t i = 0; i < std::min<uint64_t>(count, kMaxNesting); ++i) {
    leaves.tensors.push_back({within(path, std::to_string(i))});
  }
}

void add_leaves(std::string_view value, const std::string& path, int depth, Leaves& leaves) {
  if (depth > kMaxNesting) return;
  WireCursor cursor(value);
  if (!cursor.next()) return;
  const WireField& field = cursor.field();
  switch (field.number) {
    case fields::StructuredValue::kTensorSpecValue:
    case fields::StructuredValue::kBoundedTensorSpecValue:
      return add_tensor(field.bytes, path, leaves);
    case fields::StructuredValue::kTypeSpecValue:
      return add_composite(field.bytes, path, leaves);
    case fields::StructuredValue::kListValue:
    case fields::StructuredValue::kTupleValue:
      return add_sequence(field.bytes, path, depth + 1, leaves);
    case fields::StructuredValue::kDictValue:
      return add_named(field.bytes, fields::DictValue::kFields, true, path, depth + 1, leaves);
    case fields::StructuredValue::kNamedTupleValue:
      return add_named(field.bytes, fields::NamedTupleValue::kValues, false, path, depth + 1,
                       leaves);
    case fields::StructuredValue::kBoolValue:
      leaves.constants.emplace_back(field.value != 0 ? "True" : "False");
      return;
    case fields::StructuredValue::kStringValue:
      leaves.constants.push_back(quoted(field.bytes));
      return;
    default:
      return;
  }
}

Leaves leaves_of(std::string_view value, bool are_arguments) {
  Leaves leaves{are_arguments};
  add_leaves(value, "", 0, leaves);
  return leaves;
}

// "0" -> "output_0"; a single result without a name is output_0, too.
void name_outputs(std::vector<FunctionValue>& outputs) {
  for (FunctionValue& each : outputs) {
    const bool digit = !each.name.empty() && each.name[0] >= '0' && each.name[0] <= '9';
    if (each.name.empty()) each.name = "0";
    if (digit || each.name == "0") each.name = cat("output_", each.name);
  }
}

SavedFunction read_function(std::string_view name, std::string_view message) {
  using Fields = fields::SavedConcreteFunction;
  SavedFunction function{std::string(name)};
  Leaves inputs = leaves_of(last_bytes(message, Fields::kCanonicalizedInputSignature), true);
  function.inputs = std::move(inputs.tensors);
  function.constants = std::move(inputs.constants);
  function.outputs = leaves_of(last_bytes(message, Fields::kOutputSignature), false).tensors;
  name_outputs(function.outputs);
  return function;
}

// The messages of the objects, by id.
std::vector<std::string_view> object_messages(std::string_view graph) {
  std::vector<std::string_view> objects;
  for (WireCursor cursor(graph); cursor.next();) {
    if (cursor.field().number == fields::SavedObjectGraph::kNodes) {
      objects.push_back(cursor.field().bytes);
    }
  }
  return objects;
}

// The index of a SavedAsset; 0 if it is not written.
uint64_t number_of(std::string_view asset) {
  uint64_t index = 0;
  for (WireCursor cursor(asset); cursor.next();) {
    if (cursor.field().number == fields::SavedAsset::kAssetFileDefIndex) {
      index = cursor.field().value;
    }
  }
  return index;
}

// The library functions of an object that is a function.
std::vector<std::string_view> functions_of_object(std::string_view object) {
  std::vector<std::string_view> names;
  for (WireCursor cursor(last_bytes(object, fields::SavedObject::kFunction)); cursor.next();) {
    if (cursor.field().number == fields::SavedFunction::kConcreteFunctions) {
      names.push_back(cursor.field().bytes);
    }
  }
  const std::string_view bare = last_bytes(object, fields::SavedObject::kBareConcreteFunction);
  if (!bare.empty()) {
    names.push_back(last_bytes(bare, fields::SavedBareConcreteFunction::kConcreteFunctionName));
  }
  return names;
}

// The shortest path to each object from the root: "encoder/call".
std::vector<std::string> paths_of(const ObjectGraph& objects) {
  std::vector<std::string> paths(objects.size());
  std::vector<bool> met(objects.size());
  std::vector<uint32_t> queue;
  if (!objects.empty()) queue.push_back(0);
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t object = queue[at];
    met[object] = true;
    for (const TrackedObject::Child& child : objects[object].children) {
      if (met[child.object]) continue;
      met[child.object] = true;
      paths[child.object] =
          paths[object].empty() ? child.name : cat(paths[object], "/", child.name);
      queue.push_back(child.object);
    }
  }
  return paths;
}

std::string to_text(const std::vector<FunctionValue>& values) {
  std::vector<std::string> texts;
  for (const FunctionValue& each : values)
    texts.push_back(cat(each.name, " ", to_text(each.shape)));
  return join(texts, ", ");
}

}  // namespace

std::vector<SavedFunction> saved_functions(const Model& model) {
  const std::string_view message = object_graph_of(model);
  if (message.empty()) return {};
  const SavedObjects saved = read_saved_objects(message);
  std::map<std::string_view, std::string_view> concrete;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number != fields::SavedObjectGraph::kConcreteFunctions) continue;
    const std::string_view entry = cursor.field().bytes;
    concrete[last_bytes(entry, fields::MapEntry::kKey)] =
        last_bytes(entry, fields::MapEntry::kValue);
  }
  const std::vector<std::string_view> objects = object_messages(message);
  const std::vector<std::string> paths = paths_of(saved.objects);
  std::vector<SavedFunction> functions;
  for (size_t i = 0; i < objects.size(); ++i) {
    for (const std::string_view name : functions_of_object(objects[i])) {
      const auto found = concrete.find(name);
      if (found == concrete.end()) continue;
      SavedFunction function = read_function(name, found->second);
      function.path = paths[i];
      const auto captures = saved.captures.find(function.function);
      if (captures != saved.captures.end()) function.captures = captures->second;
      functions.push_back(std::move(function));
    }
  }
  sort(functions, [](const auto& a, const auto& b) { return a.path < b.path; });
  return functions;
}

std::string to_text(const SavedFunction& function) {
  std::string arguments = to_text(function.inputs);
  if (!function.constants.empty()) {
    arguments += cat(arguments.empty() ? "" : ", ", join(function.constants, ", "));
  }
  std::vector<std::string> outputs;
  for (const FunctionValue& each : function.outputs) outputs.push_back(each.name);
  return cat(function.path, "(", arguments, ") -> ", join(outputs, ", "));
}

std::vector<std::string> tensors_of_objects(const Model& model) {
  const std::string_view message = object_graph_of(model);
  const std::vector<std::string_view> objects = object_messages(message);
  std::vector<std::string> tensors(objects.size());
  const std::vector<std::string> keys = keys_of_objects(model);
  std::map<std::string, std::string> by_key;
  for (const Variable& variable : variables_of(model)) {
    if (variable.resource && variable.copy_of.empty()) by_key.emplace(variable.key, variable.name);
  }
  const auto& assets = parse_meta(model).asset_file_def();
  for (size_t i = 0; i < objects.size(); ++i) {
    for (WireCursor cursor(objects[i]); cursor.next();) {
      const WireField& field = cursor.field();
      if (field.number == fields::SavedObject::kVariable) {
        // Without a checkpoint there are no keys: the graph calls most variables as objects do.
        const auto found = by_key.find(i < keys.size() ? keys[i] : std::string());
        tensors[i] = found != by_key.end()
                         ? found->second
                         : std::string(last_bytes(field.bytes, fields::SavedVariable::kName));
      } else if (field.number == fields::SavedObject::kConstant) {
        tensors[i] = last_bytes(field.bytes, fields::SavedConstant::kOperation);
      } else if (field.number == fields::SavedObject::kAsset) {
        const auto index = static_cast<int>(number_of(field.bytes));
        if (index >= 0 && index < assets.size()) tensors[i] = assets[index].tensor_info().name();
      }
    }
  }
  return tensors;
}

}  // namespace cryo
