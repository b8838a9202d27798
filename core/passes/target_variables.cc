#include "passes/target_variables.h"

#include <charconv>
#include <map>

#include "base/text.h"
#include "model/object_graph.h"
#include "model/sub_box.h"

namespace cryo {
namespace {

constexpr size_t kMostTold = 5;

// The shape of the whole that a slice is of: "10 20 0,5:0,20" -> [10,20].
Shape whole_shape(const Variable& variable) {
  if (variable.slice.empty()) return variable.shape;
  Shape shape;
  std::vector<std::string_view> words = split(variable.slice, ' ');
  words.pop_back();
  for (const std::string_view word : words) {
    int64_t dim = kUnknownDim;
    std::from_chars(word.data(), word.data() + word.size(), dim);
    shape.dims.push_back(dim);
  }
  return shape;
}

Result<Tensor> as_tensor(const CheckpointEntry& entry) {
  TRY(count, element_count(entry.shape));
  return Tensor{entry.dtype, entry.shape, count, entry.content};
}

// The part of a value that a node takes.
Result<Tensor> part_of(const CheckpointEntry& value, const Variable& variable) {
  TRY(whole, as_tensor(value));
  if (variable.slice.empty()) return std::move(whole);
  return sub_box(whole, variable.slice);
}

}  // namespace

std::vector<std::string> TargetVariable::names() const {
  std::vector<std::string> names;
  for (const Variable& variable : variables) names.push_back(variable.name);
  if (plain_key(key()) != names.front()) names.push_back(plain_key(key()));
  return names;
}

NamedWeight TargetVariable::as_weight() const {
  NamedWeight weight;
  std::vector<std::string> all = names();
  // What the parts are called says nothing of the whole.
  const bool sliced = !variables.front().slice.empty();
  weight.name = sliced ? plain_key(key()) : all.front();
  if (!sliced) weight.others.assign(all.begin() + 1, all.end());
  weight.key = plain_key(key());
  weight.entry = entry;
  weight.node = variables.front().node;
  return weight;
}

bool TargetVariable::takes(const CheckpointEntry& value) const {
  for (const Variable& variable : variables) {
    const Result<Tensor> part = part_of(value, variable);
    if (!part || part->dtype != variable.dtype) return false;
    if (!is_compatible(variable.shape, part->shape)) return false;
  }
  return true;
}

uint64_t TargetVariable::bytes_of(const Variable& variable, const CheckpointEntry& value) const {
  const Result<Tensor> part = part_of(value, variable);
  return part ? part->content.size() : 0;
}

std::vector<TargetVariable> target_variables(const Model& model) {
  std::vector<TargetVariable> targets;
  std::map<std::string, size_t> by_key;
  for (Variable& variable : variables_of(model)) {
    const auto place = by_key.emplace(variable.key, targets.size());
    if (place.second) {
      TargetVariable target;
      target.entry.key = variable.key;
      target.entry.dtype = variable.dtype;
      target.entry.shape = whole_shape(variable);
      const CheckpointEntry* own =
          model.checkpoint == nullptr ? nullptr : model.checkpoint->find(variable.key);
      target.has_value = own != nullptr;
      target.is_saved = model.restores.empty() || model.restores.contains(variable.name);
      if (own != nullptr) target.entry = *own;
      targets.push_back(std::move(target));
    }
    targets[place.first->second].variables.push_back(std::move(variable));
  }
  return targets;
}

std::shared_ptr<const Diagnostic> fault_of_valueless(
    const std::vector<TargetVariable>& targets,
    const std::map<std::string, CheckpointEntry>& values) {
  std::vector<std::string> names;
  for (const TargetVariable& target : targets) {
    if (target.is_saved && !target.has_value && !values.contains(target.key())) {
      names.push_back(target.names().front());
    }
  }
  Diagnostic fault;
  fault.code = "variables-without-value";
  fault.message = cat(names.size(), " of ", plural(targets.size(), "variable"),
                      " would have no value in the checkpoint: ", join(names, ", ", kMostTold));
  fault.fix =
      "give the target's own checkpoint (--checkpoint PREFIX), or find weights for them (--rename "
      "FROM=TO, --match shape); the weights that matched can be written alone: cryograph weights, "
      "-o NAME.npz";
  return std::make_shared<const Diagnostic>(std::move(fault));
}

}  // namespace cryo
