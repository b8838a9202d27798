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

// Finds copies among the handles of the main graph.
class CopyFinder {
 public:
  CopyFinder(const Model& model, std::vector<Variable>& variables)
      : model_(model),
        nodes_(model.graph.nodes()),
        variables_(variables),
        names_(model.graph.index().names()),
        edges_(model.graph.index().edges()),
        consumers_(model.graph.index().consumers()) {
    const tensorflow::SaverDef& saver = parse_meta(model).saver_def();
    saver_ = {names_.find(parse_tensor_name(saver.save_tensor_name()).node),
              names_.find(parse_tensor_name(saver.restore_op_name()).node)};
    for (const Variable& each : variables_) {
      by_node_.emplace(each.node, &each);
      if (is_used(each)) used_.emplace(std::pair(each.key, each.slice), &each);
    }
  }

  void run() {
    for (Variable& each : variables_) {
      if (!each.resource || is_used(each)) continue;
      const auto same_key = used_.find({each.key, each.slice});
      const Variable* original = same_key == used_.end() ? copied_by(each) : same_key->second;
      if (original != nullptr) each.copy_of = original->name;
    }
  }

 private:
  bool is_saver(uint32_t node) const { return node == saver_[0] || node == saver_[1]; }
  bool is_used(const Variable& variable) const;
  bool is_read_used(uint32_t read) const;
  const Variable* copied_by(const Variable& variable) const;
  bool has_value_of(const Variable& variable, const Variable& original) const;

  const Model& model_;
  const std::vector<Node>& nodes_;
  std::vector<Variable>& variables_;
  const NodeNames& names_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::array<uint32_t, 2> saver_ = {};
  std::map<uint32_t, const Variable*> by_node_;
  std::map<std::pair<std::string, std::string>, const Variable*> used_;  // by key and slice
};

// True where more than the saver, an initial assignment and a test for one take it.
bool CopyFinder::is_used(const Variable& variable) const {
  for (const Consumer& consumer : consumers_.of(variable.node)) {
    const Node& node = nodes_[consumer.node];
    const bool assigned = node.op == "AssignVariableOp" && consumer.input == 0;
    const bool initial = assigned || node.op == "VarIsInitializedOp";
    if (consumer.control || initial || is_saver(consumer.node)) continue;
    if (node.op != "ReadVariableOp" || is_read_used(consumer.node)) return true;
  }
  return false;
}

bool CopyFinder::is_read_used(uint32_t read) const {
  for (const Consumer& consumer : consumers_.of(read)) {
    if (!consumer.control && !is_saver(consumer.node)) return true;
  }
  return false;
}

// The variable whose read this one is assigned.
const Variable* CopyFinder::copied_by(const Variable& variable) const {
  for (const Consumer& consumer : consumers_.of(variable.node)) {
    const auto inputs = edges_.inputs(consumer.node);
    if (nodes_[consumer.node].op != "AssignVariableOp" || inputs.size() < 2) continue;
    const uint32_t read = inputs[1].node;
    if (read == kNoNode || nodes_[read].op != "ReadVariableOp") continue;
    const auto original = by_node_.find(edges_.inputs(read)[0].node);
    if (original == by_node_.end() || original->second->node == variable.node) continue;
    if (has_value_of(variable, *original->second)) return original->second;
  }
  return nullptr;
}

bool is_same_slice(const Slice& a, const Slice& b) {
  return a.source == b.source && a.offset == b.offset && a.size == b.size;
}

// Compares the slices of the file that hold the values, else the checksums in the checkpoint.
bool CopyFinder::has_value_of(const Variable& variable, const Variable& original) const {
  if (model_.checkpoint == nullptr) return false;
  const CheckpointEntry* a = model_.checkpoint->find(variable.key);
  const CheckpointEntry* b = model_.checkpoint->find(original.key);
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

}  // namespace

void apply_saved_objects(const Model& model, std::vector<Variable>& variables) {
  if (variables.empty() || object_graph_of(model).empty()) return;
  CopyFinder(model, variables).run();
  name_weights(SavedNames(model), variables);
}

}  // namespace cryo
