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

struct ObjectPairs {
  std::vector<uint32_t> twin = {};  // of each saved object, the tracked one
  std::vector<bool> met = {};       // by tracked object
  std::vector<uint32_t> queue = {};
};

void pair_objects(uint32_t saved, uint32_t tracked, ObjectPairs& pairs) {
  if (pairs.twin[saved] != kNone || pairs.met[tracked]) return;
  pairs.twin[saved] = tracked;
  pairs.met[tracked] = true;
  pairs.queue.push_back(saved);
}

void pair_children(const ObjectGraph& saved, const ObjectGraph& tracked, uint32_t object,
                   ObjectPairs& pairs) {
  std::unordered_map<std::string_view, uint32_t> named;
  for (const auto& child : tracked[pairs.twin[object]].children) {
    named.emplace(child.name, child.object);
  }
  for (const auto& child : saved[object].children) {
    const auto twin = named.find(child.name);
    if (twin != named.end()) pair_objects(child.object, twin->second, pairs);
  }
}

void pair_slots(const ObjectGraph& saved, const ObjectGraph& tracked, uint32_t object,
                ObjectPairs& pairs) {
  std::map<std::string, uint32_t> named;
  for (const auto& slot : tracked[pairs.twin[object]].slots) {
    named.emplace(cat(slot.variable, ' ', slot.name), slot.object);
  }
  for (const auto& slot : saved[object].slots) {
    const auto twin = named.find(cat(pairs.twin[slot.variable], ' ', slot.name));
    if (twin != named.end()) pair_objects(slot.object, twin->second, pairs);
  }
}

// Returns the tracked object that corresponds to each saved one; kNone if there is none. Children
// pair by their names, from the roots; slots by optimizer, variable and name. An object with
// several paths is visited on the first.
std::vector<uint32_t> paired_objects(const ObjectGraph& saved, const ObjectGraph& tracked) {
  ObjectPairs pairs{std::vector<uint32_t>(saved.size(), kNone), std::vector<bool>(tracked.size())};
  if (saved.empty() || tracked.empty()) return std::move(pairs.twin);
  pair_objects(0, 0, pairs);
  size_t next = 0;
  while (next < pairs.queue.size())
    pair_children(saved, tracked, pairs.queue[next++], pairs);  // which adds to the queue
  const std::vector<uint32_t> with_children = pairs.queue;
  for (const uint32_t object : with_children) pair_slots(saved, tracked, object, pairs);
  return std::move(pairs.twin);
}

// Returns the checkpoint's key of each saved object; empty if it is not a variable, or not saved.
std::vector<std::string> keys_by_object(const SavedObjects& saved, const ObjectGraph& tracked) {
  std::vector<std::string> keys(saved.objects.size());
  const std::vector<uint32_t> twins = paired_objects(saved.objects, tracked);
  for (size_t i = 0; i < twins.size(); ++i) {
    if (saved.objects[i].is_variable && twins[i] != kNone) keys[i] = tracked[twins[i]].key;
  }
  return keys;
}

// "w float32 [2,3]"
std::string described(std::string_view name, DType dtype, const Shape& shape) {
  return cat(name, ' ', dtype_name(dtype), ' ', to_text(shape));
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

struct FoundRestores {
  Restores restores = {};
  std::vector<bool> taken = {};  // by object
};

// Returns true if the checkpoint has a value for the object that the variable can take.
bool object_fits(const Model& model, const std::vector<std::string>& keys, const Node& node,
                 uint32_t object) {
  if (keys[object].empty()) return false;
  const CheckpointEntry* entry = model.checkpoint->find(keys[object]);
  if (entry == nullptr) return false;
  return static_cast<DType>(type_attr(node, "dtype").value_or(0)) == entry->dtype &&
         is_compatible(output_shape(node, 0), entry->shape);
}

void add_found(const Model& model, const std::vector<std::string>& keys, uint32_t node,
               uint32_t object, FoundRestores& found) {
  found.taken[object] = true;
  found.restores.emplace(std::string(model.graph.nodes()[node].name),
                         RestoredFrom{keys[object], ""});
}

// Pairs by calls: the last inputs of a call are the function's captures.
void pair_by_calls(const Model& model, const SavedObjects& saved,
                   const std::vector<std::string>& keys, FoundRestores& found) {
  const Edges& edges = model.graph.index().edges();
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const auto captures = saved.captures.find(std::string(called_function(model.graph.nodes()[i])));
    if (captures == saved.captures.end()) continue;
    std::vector<uint32_t> data;
    for (const Edge& edge : edges.inputs(i)) {
      if (!edge.control) data.push_back(edge.node);
    }
    const std::vector<uint32_t>& objects = captures->second;
    if (objects.size() > data.size()) continue;
    const size_t first = data.size() - objects.size();
    for (size_t k = 0; k < objects.size(); ++k) {
      const uint32_t node = data[first + k];
      const bool variable = node != kNoNode && is_variable(model.graph.nodes()[node].op);
      if (variable && object_fits(model, keys, model.graph.nodes()[node], objects[k]))
        add_found(model, keys, node, objects[k], found);
    }
  }
}

// Pairs the rest if the choice is unique from either side: one object of a name, type and shape,
// and one variable of the graph that may have its name.
void pair_by_names_of_objects(const Model& model, const SavedObjects& saved,
                              const std::vector<std::string>& keys, FoundRestores& found) {
  struct Group {
    uint32_t object = 0;
    uint32_t objects = 0;
    uint32_t suitors = 0;
  };
  std::map<std::string, Group> groups;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const CheckpointEntry* entry =
        keys[i].empty() || found.taken[i] ? nullptr : model.checkpoint->find(keys[i]);
    if (entry == nullptr) continue;
    Group& group = groups[described(saved.objects[i].name, entry->dtype, entry->shape)];
    group.object = i;
    ++group.objects;
  }
  std::vector<std::pair<uint32_t, Group*>> pairs;  // a node and its only choice
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const Node& node = model.graph.nodes()[i];
    if (!is_variable(node.op) || found.restores.contains(std::string(node.name))) continue;
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
    if (each.second->suitors == 1) add_found(model, keys, each.first, each.second->object, found);
  }
}

// Keras 3 gives the graph a second variable for each, Variable_N, which begins with a read of the
// first: it has the first one's value.
void pair_copies(const Model& model, FoundRestores& found) {
  const NodeNames& names = model.graph.index().names();
  const auto first_input = [&](const Node& node) {
    const uint32_t at = node.input_count == 0
                            ? kNoNode
                            : names.find(parse_tensor_name(*node.inputs().begin()).node);
    return at == kNoNode ? nullptr : &model.graph.nodes()[at];
  };
  for (const Node& node : model.graph.nodes()) {
    if (node.op != "AssignVariableOp" || node.input_count < 2) continue;
    const Node* copy = first_input(node);
    const uint32_t value = names.find(parse_tensor_name(*++node.inputs().begin()).node);
    if (copy == nullptr || value == kNoNode || model.graph.nodes()[value].op != "ReadVariableOp")
      continue;
    const Node* original = first_input(model.graph.nodes()[value]);
    if (original == nullptr || !is_variable(copy->op)) continue;
    const auto known = found.restores.find(std::string(original->name));
    if (known != found.restores.end())
      found.restores.emplace(std::string(copy->name), known->second);
  }
}

Restores pair_restores(const Model& model, const SavedObjects& saved, const ObjectGraph& tracked) {
  const std::vector<std::string> keys = keys_by_object(saved, tracked);
  FoundRestores found{.taken = std::vector<bool>(saved.objects.size())};
  pair_by_calls(model, saved, keys, found);
  pair_by_names_of_objects(model, saved, keys, found);
  pair_copies(model, found);
  return std::move(found.restores);
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
  model.restores.edit().merge(pair_restores(model, read_saved_objects(message), *tracked));
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
