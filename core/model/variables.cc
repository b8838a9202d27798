#include "model/variables.h"

#include <map>
#include <set>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "checkpoint/tensor_slice_view.h"
#include "graph/analysis/replicas.h"
#include "graph/fresh_names.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/missing_parts.h"
#include "model/saved_variables.h"

namespace cryo {
namespace {

// A collection names them; a SavedModel of TensorFlow 2 has none, but objects.
class Trainable {
 public:
  explicit Trainable(const Model& model) {
    const auto listed = variables_in(parse_meta(model), "trainable_variables");
    collection_.insert(listed.begin(), listed.end());
    if (collection_.empty()) {
      objects_ = trainable_objects(object_graph_of(model));
    }
  }

  bool contains(const std::string& name) const {
    if (!collection_.empty()) return collection_.contains(name);
    auto object = objects_.find(name);
    // The graph numbers objects that share a name: w, w_1.
    if (object == objects_.end()) object = objects_.find(std::string(without_number(name)));
    return object != objects_.end() && object->second;
  }

 private:
  std::unordered_set<std::string_view> collection_;  // views of the model's meta
  std::map<std::string, bool> objects_;
};

// TensorFlow names a variable's value after the variable; a handle may be shared under another
// name.
std::string key_by_name(const Model& model, const Node& node) {
  const std::string_view shared = string_attr(node, "shared_name").value_or("");
  const bool known = model.checkpoint != nullptr && !shared.empty() &&
                     model.checkpoint->find(node.name) == nullptr &&
                     model.checkpoint->find(shared) != nullptr;
  return std::string(known ? shared : node.name);
}

// The variable's moving average, or its name without some of the scopes around it.
std::string near_miss(const Checkpoint& checkpoint, std::string_view key) {
  const std::string average = cat(key, "/ExponentialMovingAverage");
  if (checkpoint.find(average) != nullptr) return average;
  for (size_t at = key.find('/'); at != std::string_view::npos; at = key.find('/')) {
    key.remove_prefix(at + 1);
    if (checkpoint.find(key) != nullptr) return std::string(key);
  }
  return {};
}

Failure lost(const Variable& variable, std::string_view code, std::string_view message,
             std::string_view fix) {
  return failure(code, message, {.node = variable.name, .tensor = variable.key}, fix);
}

// Returns true if the saver is the one of TensorFlow 2, which restores more than variables: the
// object graph, tables, the state of Python objects.
bool has_saver_of_objects(const Model& model) {
  return !object_graph_of(model).empty() && parse_meta(model).has_saver_def();
}

}  // namespace

std::string shared_name_of(const Node& variable) {
  const std::string_view container = string_attr(variable, "container").value_or("");
  const std::string_view shared = string_attr(variable, "shared_name").value_or("");
  const std::string_view name = shared.empty() ? variable.name : shared;
  return container.empty() ? std::string(name) : cat(container, "/", name);
}

namespace {

// Nodes that share a value: one that the checkpoint does not know takes what it has for another.
void share_keys(const Model& model, std::vector<Variable>& variables) {
  if (model.checkpoint == nullptr) return;
  const auto name_of = [&](const Variable& each) {
    return cat(each.resource ? "handle " : "", shared_name_of(model.graph.nodes()[each.node]));
  };
  std::map<std::string, const Variable*> known;
  std::vector<Variable*> unknown;
  for (Variable& each : variables) {
    if (model.checkpoint->find(each.key) == nullptr) unknown.push_back(&each);
  }
  if (unknown.empty()) return;
  for (const Variable& each : variables) {
    if (model.checkpoint->find(each.key) != nullptr) known.emplace(name_of(each), &each);
  }
  for (Variable* each : unknown) {
    const auto other = known.find(name_of(*each));
    if (other == known.end()) continue;
    each->key = other->second->key;
    each->slice = other->second->slice;
  }
}

// A mirrored variable's copy on a further device is not saved: it has the value of the first.
void share_first_replica(const Model& model, std::vector<Variable>& variables) {
  std::map<std::string_view, const Variable*> by_name;
  for (const Variable& each : variables) by_name.emplace(each.name, &each);
  for (Variable& each : variables) {
    const auto first = name_in_first_replica(each.name);
    const auto found = first ? by_name.find(*first) : by_name.end();
    if (found == by_name.end()) continue;
    const bool saved = model.checkpoint != nullptr && model.checkpoint->find(each.key) != nullptr;
    if (!saved) {
      each.key = found->second->key;
      each.slice = found->second->slice;
    }
    if (each.key == found->second->key) each.copy_of = found->second->name;
  }
}

}  // namespace

std::vector<Variable> variables_of(const Model& model) {
  const Trainable trainable(model);
  const Restores& restores = *model.restores;
  std::vector<Variable> variables;
  const std::vector<Node>& nodes = model.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_variable(nodes[i].op)) continue;
    Variable variable{i, std::string(nodes[i].name), is_resource_variable(nodes[i].op)};
    variable.dtype = static_cast<DType>(type_attr(nodes[i], "dtype").value_or(0));
    variable.shape = output_shape(nodes[i], 0);
    variable.trainable = trainable.contains(variable.name);
    variable.weight = variable.name;
    const auto from = restores.find(variable.name);
    variable.key = from != restores.end() ? from->second.key : key_by_name(model, nodes[i]);
    if (from != restores.end()) variable.slice = from->second.slice;
    variables.push_back(std::move(variable));
  }
  share_keys(model, variables);
  share_first_replica(model, variables);
  apply_saved_objects(model, variables);
  return variables;
}

Result<Tensor> value_of(const Model& model, const Variable& variable) {
  if (model.checkpoint == nullptr) {
    const MissingPart missing = missing_checkpoint(model);
    return lost(variable, "no-checkpoint", missing.message, missing.fix);
  }
  const CheckpointEntry* entry = model.checkpoint->find(variable.key);
  if (entry == nullptr) {
    const std::string near = near_miss(*model.checkpoint, variable.key);
    return lost(variable, "missing-key", cat("Key ", variable.key, " not found in checkpoint"),
                near.empty() ? "give the checkpoint that was saved with this graph"
                             : cat("the checkpoint has ", near, ": to take that, freeze with ",
                                   setting("--rename", cat(variable.key, "=", near))));
  }
  if (entry->fault) return *entry->fault;
  TRY(count, element_count(entry->shape));
  Tensor tensor{entry->dtype, entry->shape, count, entry->content};
  if (!variable.slice.empty()) {
    TRY(part, sub_box(tensor, variable.slice));
    tensor = std::move(part);
  }
  if (tensor.dtype != variable.dtype || !is_compatible(variable.shape, tensor.shape)) {
    return lost(
        variable, "checkpoint-mismatch",
        cat("the graph declares ", dtype_name(variable.dtype), " ", to_text(variable.shape),
            ", the checkpoint holds ", dtype_name(tensor.dtype), " ", to_text(tensor.shape)),
        "give the checkpoint that was saved with this graph");
  }
  return tensor;
}

std::vector<const CheckpointEntry*> values_to_write(const Model& model) {
  std::vector<const CheckpointEntry*> entries;
  if (model.checkpoint == nullptr) return entries;
  const bool all = !model.has_graph || model.graph.is_as_read() || has_saver_of_objects(model);
  std::set<std::string> keys;
  if (!all) {
    for (const Variable& variable : variables_of(model)) keys.insert(variable.key);
  }
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (all || keys.contains(entry.key)) entries.push_back(&entry);
  }
  return entries;
}

}  // namespace cryo
