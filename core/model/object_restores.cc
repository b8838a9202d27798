#include "model/object_restores.h"

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_body.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/variables.h"

namespace cryo {
namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

// The tracked object that corresponds to each saved one; kNone if there is none. Children pair by
// their names, from the roots; slots by optimizer, variable and name. An object with several paths
// is visited on the first.
class ObjectPairing {
 public:
  ObjectPairing(const ObjectGraph& saved, const ObjectGraph& tracked)
      : saved_(saved), tracked_(tracked), twin_(saved.size(), kNone), met_(tracked.size(), false) {}

  std::vector<uint32_t> find() {
    if (saved_.empty() || tracked_.empty()) return std::move(twin_);
    pair(0, 0);
    size_t next = 0;
    while (next < queue_.size()) pair_children(queue_[next++]);  // which adds to the queue
    const std::vector<uint32_t> with_children = queue_;
    for (const uint32_t object : with_children) pair_slots(object);
    return std::move(twin_);
  }

 private:
  void pair(uint32_t saved, uint32_t tracked) {
    if (twin_[saved] != kNone || met_[tracked]) return;
    twin_[saved] = tracked;
    met_[tracked] = true;
    queue_.push_back(saved);
  }

  void pair_children(uint32_t object) {
    std::unordered_map<std::string_view, uint32_t> named;
    for (const auto& child : tracked_[twin_[object]].children) {
      named.emplace(child.name, child.object);
    }
    for (const auto& child : saved_[object].children) {
      const auto twin = named.find(child.name);
      if (twin != named.end()) pair(child.object, twin->second);
    }
  }

  void pair_slots(uint32_t object) {
    std::map<std::string, uint32_t> named;
    for (const auto& slot : tracked_[twin_[object]].slots) {
      named.emplace(cat(slot.variable, ' ', slot.name), slot.object);
    }
    for (const auto& slot : saved_[object].slots) {
      const auto twin = named.find(cat(twin_[slot.variable], ' ', slot.name));
      if (twin != named.end()) pair(slot.object, twin->second);
    }
  }

  const ObjectGraph& saved_;
  const ObjectGraph& tracked_;
  std::vector<uint32_t> twin_;
  std::vector<bool> met_;
  std::vector<uint32_t> queue_;
};

// "w float32 [2,3]"
std::string described(std::string_view name, DType dtype, const Shape& shape) {
  return cat(name, ' ', dtype_name(dtype), ' ', to_text(shape));
}

std::vector<std::string> keys_by_object(const SavedObjects& saved, const ObjectGraph& tracked) {
  std::vector<std::string> keys(saved.objects.size());
  const std::vector<uint32_t> twins = ObjectPairing(saved.objects, tracked).find();
  for (size_t i = 0; i < twins.size(); ++i) {
    if (saved.objects[i].is_variable && twins[i] != kNone) keys[i] = tracked[twins[i]].key;
  }
  return keys;
}

class Pairing {
 public:
  Pairing(const Model& model, const SavedObjects& saved, const ObjectGraph& tracked);

  Restores find() {
    by_calls();
    by_names();
    by_copies();
    return std::move(found_);
  }

 private:
  void by_calls();
  void by_names();
  void by_copies();
  bool fits(const Node& node, uint32_t object) const;
  void found(uint32_t node, uint32_t object);

  const Model& model_;
  const std::vector<Node>& nodes_;
  const SavedObjects& saved_;
  std::vector<std::string> keys_;  // by object; empty if it is not a variable, or not saved
  std::vector<bool> taken_;        // by object
  Restores found_;
};

Pairing::Pairing(const Model& model, const SavedObjects& saved, const ObjectGraph& tracked)
    : model_(model),
      nodes_(model.graph.nodes()),
      saved_(saved),
      keys_(keys_by_object(saved, tracked)),
      taken_(saved.objects.size(), false) {}

// Returns true if the checkpoint has a value for the object that the variable can take.
bool Pairing::fits(const Node& node, uint32_t object) const {
  if (keys_[object].empty()) return false;
  const CheckpointEntry* entry = model_.checkpoint->find(keys_[object]);
  if (entry == nullptr) return false;
  return static_cast<DType>(type_attr(node, "dtype").value_or(0)) == entry->dtype &&
         is_compatible(output_shape(node, 0), entry->shape);
}

void Pairing::found(uint32_t node, uint32_t object) {
  taken_[object] = true;
  found_.emplace(std::string(nodes_[node].name), RestoredFrom{keys_[object], ""});
}

// Pairs by calls: the last inputs of a call are the function's captures.
void Pairing::by_calls() {
  const Edges& edges = model_.graph.index().edges();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto captures = saved_.captures.find(std::string(called_function(nodes_[i])));
    if (captures == saved_.captures.end()) continue;
    std::vector<uint32_t> data;
    for (const Edge& edge : edges.inputs(i)) {
      if (!edge.control) data.push_back(edge.node);
    }
    const std::vector<uint32_t>& objects = captures->second;
    if (objects.size() > data.size()) continue;
    const size_t first = data.size() - objects.size();
    for (size_t k = 0; k < objects.size(); ++k) {
      const uint32_t node = data[first + k];
      const bool variable = node != kNoNode && is_variable(nodes_[node].op);
      if (variable && fits(nodes_[node], objects[k])) found(node, objects[k]);
    }
  }
}

// Pairs the rest if the choice is unique from either side: one object of a name, type and shape,
// and one variable of the graph that may have its name.
void Pairing::by_names() {
  struct Group {
    uint32_t object = 0;
    uint32_t objects = 0;
    uint32_t suitors = 0;
  };
  std::map<std::string, Group> groups;
  for (uint32_t i = 0; i < keys_.size(); ++i) {
    const CheckpointEntry* entry =
        keys_[i].empty() || taken_[i] ? nullptr : model_.checkpoint->find(keys_[i]);
    if (entry == nullptr) continue;
    Group& group = groups[described(saved_.objects[i].name, entry->dtype, entry->shape)];
    group.object = i;
    ++group.objects;
  }
  std::vector<std::pair<uint32_t, Group*>> pairs;  // a node and its only choice
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (!is_variable(node.op) || found_.contains(std::string(node.name))) continue;
    const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
    const std::string_view plain = without_number(node.name);
    uint32_t choices = 0;
    Group* choice = nullptr;
    for (const std::string_view name : {node.name, plain}) {
      const auto group = groups.find(described(name, dtype, output_shape(node, 0)));
      if (group == groups.end() || choice == &group->second) continue;
      choice = &group->second;
      choices += choice->objects;
      ++choice->suitors;
    }
    if (choices == 1) pairs.emplace_back(i, choice);
  }
  for (const auto& each : pairs) {
    if (each.second->suitors == 1) found(each.first, each.second->object);
  }
}

// Keras 3 gives the graph a second variable for each, Variable_N, which begins with a read of the
// first: it has the first one's value.
void Pairing::by_copies() {
  const NodeNames& names = model_.graph.index().names();
  const auto first_input = [&](const Node& node) {
    const uint32_t at = node.input_count == 0
                            ? kNoNode
                            : names.find(parse_tensor_name(*node.inputs().begin()).node);
    return at == kNoNode ? nullptr : &nodes_[at];
  };
  for (const Node& node : nodes_) {
    if (node.op != "AssignVariableOp" || node.input_count < 2) continue;
    const Node* copy = first_input(node);
    const uint32_t value = names.find(parse_tensor_name(*++node.inputs().begin()).node);
    if (copy == nullptr || value == kNoNode || nodes_[value].op != "ReadVariableOp") continue;
    const Node* original = first_input(nodes_[value]);
    if (original == nullptr || !is_variable(copy->op)) continue;
    const auto known = found_.find(std::string(original->name));
    if (known != found_.end()) found_.emplace(std::string(copy->name), known->second);
  }
}

// Variables for which the checkpoint has no key so far. Strings are names of assets, which are not
// saved.
std::vector<std::string> variables_without_key(const Model& model) {
  std::vector<std::string> left;
  for (const Variable& variable : variables_of(model)) {
    const bool known =
        model.restores->contains(variable.name) || model.checkpoint->find(variable.key) != nullptr;
    if (!known && variable.dtype != DType::kString) left.push_back(variable.name);
  }
  return left;
}

}  // namespace

void restore_by_objects(Model& model, Diagnostics& diagnostics) {
  if (!model.has_graph || model.checkpoint == nullptr) return;
  const std::string_view message = object_graph_of(model);
  if (message.empty()) return;
  const bool has_saver = parse_meta(model).has_saver_def();
  if (has_saver && variables_without_key(model).empty()) return;
  const Result<ObjectGraph> tracked = read_checkpoint_objects(*model.checkpoint);
  if (!tracked) {
    diagnostics.warn(tracked.error().code, tracked.error().message, tracked.error().where,
                     tracked.error().fix);
    return;
  }
  if (tracked->empty()) return;
  model.restores.edit().merge(Pairing(model, read_saved_objects(message), *tracked).find());
  const std::vector<std::string> left = variables_without_key(model);
  if (left.empty() || has_saver) return;
  diagnostics.warn("no-key-for-variable",
                   cat("the object graphs do not say from which key of the checkpoint ",
                       plural(left.size(), "variable"), left.size() == 1 ? " takes" : " take",
                       " its value: ", join(left, ", ", kMaxListed)),
                   {}, "save the model again without experimental_skip_saver");
}

std::vector<std::string> keys_of_objects(const Model& model) {
  const std::string_view message = object_graph_of(model);
  if (message.empty() || model.checkpoint == nullptr) return {};
  const Result<ObjectGraph> tracked = read_checkpoint_objects(*model.checkpoint);
  if (!tracked || tracked->empty()) return {};
  return keys_by_object(read_saved_objects(message), *tracked);
}

}  // namespace cryo
