#include "model/saved_variables.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/roles.h"
#include "model/meta.h"

namespace cryo {
namespace {

// The name of a variable that its program gave none.
bool is_anonymous(std::string_view name) { return without_number(base_name(name)) == "Variable"; }

// The handles of the main graph, among which copies are found.
struct HandleIndex {
  std::array<uint32_t, 2> saver = {};
  std::map<uint32_t, const Variable*> by_node = {};
  std::map<std::pair<std::string, std::string>, const Variable*> used = {};  // by key and slice
};

bool is_same_slice(const Slice& a, const Slice& b) {
  return a.source == b.source && a.offset == b.offset && a.size == b.size;
}

// The names that a program gave its variables, by where their values are saved.
class SavedNames {
 public:
  explicit SavedNames(const Model& model)
      : objects_(read_saved_objects(object_graph_of(model)).objects) {
    for (uint32_t i = 0; i < objects_.size(); ++i) {
      for (const auto& child : objects_[i].children) {
        children_.emplace(std::pair(i, std::string_view(child.name)), child.object);
      }
    }
  }

  // Returns the name of the variable saved as "layers/0/w"; nothing if the path leads to none.
  std::optional<std::string> at(std::string_view path) const {
    uint32_t object = 0;
    for (const std::string_view part : split(path, '/')) {
      const auto child = children_.find({object, part});
      if (child == children_.end()) return std::nullopt;
      object = child->second;
    }
    if (!objects_[object].is_variable) return std::nullopt;
    return objects_[object].name;
  }

 private:
  const ObjectGraph objects_;
  std::map<std::pair<uint32_t, std::string_view>, uint32_t> children_;
};

// Returns the preferred name of a weight, for use if no other weight has it.
std::string wanted_name(const Variable& variable, const SavedNames& names) {
  const std::string path = plain_key(variable.key);
  const std::optional<std::string> own = names.at(path);
  if (!own) return variable.name;
  const bool named = !own->empty() && !is_anonymous(*own);
  if (is_anonymous(variable.name)) return named ? *own : path;
  return without_number(variable.name) == *own ? *own : variable.name;
}

void name_weights(const SavedNames& names, std::vector<Variable>& variables) {
  std::map<std::string, int> count;
  for (Variable& each : variables) {
    if (each.slice.empty()) each.weight = wanted_name(each, names);
    if (each.copy_of.empty()) ++count[each.weight];
  }
  for (Variable& each : variables) {
    if (count[each.weight] < 2) continue;
    const std::string path = plain_key(each.key);
    each.weight = is_anonymous(each.name) && names.at(path) ? path : each.name;
  }
}

bool is_saver(const HandleIndex& handles, uint32_t node) {
  return node == handles.saver[0] || node == handles.saver[1];
}

bool is_read_used(const Model& model, const HandleIndex& handles, uint32_t read) {
  for (const Consumer& consumer : model.graph.index().consumers().of(read)) {
    if (!consumer.control && !is_saver(handles, consumer.node)) return true;
  }
  return false;
}

// True where more than the saver, an initial assignment and a test for one take it.
bool is_handle_used(const Model& model, const HandleIndex& handles, const Variable& variable) {
  for (const Consumer& consumer : model.graph.index().consumers().of(variable.node)) {
    const Node& node = model.graph.nodes()[consumer.node];
    const bool assigned = node.op == "AssignVariableOp" && consumer.input == 0;
    const bool initial = assigned || node.op == "VarIsInitializedOp";
    if (consumer.control || initial || is_saver(handles, consumer.node)) continue;
    if (node.op != "ReadVariableOp" || is_read_used(model, handles, consumer.node)) return true;
  }
  return false;
}

// Compares the slices of the file that hold the values, else the checksums in the checkpoint.
bool has_value_of(const Model& model, const Variable& variable, const Variable& original) {
  if (model.checkpoint == nullptr) return false;
  const CheckpointEntry* a = model.checkpoint->find(variable.key);
  const CheckpointEntry* b = model.checkpoint->find(original.key);
  if (a == nullptr || b == nullptr) return false;
  if (a->dtype != b->dtype || !(a->shape == b->shape)) return false;
  const auto& pieces = a->content.pieces();
  const auto& others = b->content.pieces();
  if (std::equal(pieces.begin(), pieces.end(), others.begin(), others.end(), is_same_slice)) {
    return true;
  }
  return a->parts.size() == 1 && b->parts.size() == 1 && a->bytes == b->bytes &&
         a->parts[0].masked_crc == b->parts[0].masked_crc;
}

// The variable whose read this one is assigned.
const Variable* copied_by(const Model& model, const HandleIndex& handles,
                          const Variable& variable) {
  for (const Consumer& consumer : model.graph.index().consumers().of(variable.node)) {
    const auto inputs = model.graph.index().edges().inputs(consumer.node);
    if (model.graph.nodes()[consumer.node].op != "AssignVariableOp" || inputs.size() < 2) continue;
    const uint32_t read = inputs[1].node;
    if (read == kNoNode || model.graph.nodes()[read].op != "ReadVariableOp") continue;
    const auto original = handles.by_node.find(model.graph.index().edges().inputs(read)[0].node);
    if (original == handles.by_node.end() || original->second->node == variable.node) continue;
    if (has_value_of(model, variable, *original->second)) return original->second;
  }
  return nullptr;
}

}  // namespace

void apply_saved_objects(const Model& model, std::vector<Variable>& variables) {
  if (variables.empty() || object_graph_of(model).empty()) return;
  const NodeNames& names = model.graph.index().names();
  const tensorflow::SaverDef& saver = parse_meta(model).saver_def();
  HandleIndex handles{.saver = {names.find(parse_tensor_name(saver.save_tensor_name()).node),
                                names.find(parse_tensor_name(saver.restore_op_name()).node)}};
  for (const Variable& each : variables) {
    handles.by_node.emplace(each.node, &each);
    if (is_handle_used(model, handles, each)) {
      handles.used.emplace(std::pair(each.key, each.slice), &each);
    }
  }
  for (Variable& each : variables) {
    if (!each.resource || is_handle_used(model, handles, each)) continue;
    const auto same_key = handles.used.find({each.key, each.slice});
    const Variable* original =
        same_key == handles.used.end() ? copied_by(model, handles, each) : same_key->second;
    if (original != nullptr) each.copy_of = original->name;
  }
  name_weights(SavedNames(model), variables);
}

}  // namespace cryo
