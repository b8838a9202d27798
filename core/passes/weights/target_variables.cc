#include "passes/weights/target_variables.h"

#include <charconv>
#include <map>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "checkpoint/join_slices.h"
#include "checkpoint/object_graph.h"
#include "checkpoint/tensor_slice_view.h"

namespace cryo {
namespace {

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
  for (const Variable& variable : variables) names.push_back(variable.weight);
  for (const Variable& variable : variables) {
    if (variable.weight != variable.name) names.push_back(variable.name);
  }
  if (plain_key(key()) != names.front()) names.push_back(plain_key(key()));
  return names;
}

NamedWeight TargetVariable::as_weight() const {
  NamedWeight weight;
  std::vector<std::string> all = names();
  // The names of the parts do not apply to the whole.
  const bool sliced = !variables.front().slice.empty();
  weight.name = sliced ? plain_key(key()) : all.front();
  if (!sliced) weight.others.assign(all.begin() + 1, all.end());
  weight.key = plain_key(key());
  weight.entry = entry;
  weight.node = variables.front().node;
  return weight;
}

bool TargetVariable::takes(const CheckpointEntry& value) const {
  if (value.fault) return false;
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
  std::map<std::string, std::vector<std::string>> copies;  // by the original's name
  for (Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) {
      copies[variable.copy_of].push_back(variable.key);
      continue;
    }
    const auto place = by_key.emplace(variable.key, targets.size());
    if (place.second) {
      TargetVariable target;
      target.entry.key = variable.key;
      target.entry.dtype = variable.dtype;
      target.entry.shape = whole_shape(variable);
      const CheckpointEntry* own =
          model.checkpoint == nullptr ? nullptr : model.checkpoint->find(variable.key);
      target.has_value = own != nullptr;
      target.is_saved = model.restores->empty() || model.restores->contains(variable.name);
      if (own != nullptr) target.entry = *own;
      targets.push_back(std::move(target));
    }
    targets[place.first->second].variables.push_back(std::move(variable));
  }
  for (TargetVariable& target : targets) {
    for (const Variable& variable : target.variables) {
      const std::vector<std::string>& keys = copies[variable.name];
      target.copies.insert(target.copies.end(), keys.begin(), keys.end());
    }
  }
  return targets;
}

namespace {

// The parts of a partitioned variable, each with a value of its own, as one entry.
Result<InitialEntry> joined_entry(const TargetVariable& target, const InitialValues& initial) {
  const auto refuse = [] {
    return failure("no-initial-value", "the initial values of its parts do not make up a whole");
  };
  InitialEntry made;
  std::vector<StoredSlice> slices;
  std::vector<Box> boxes;
  std::vector<uint64_t> dims;
  for (const Variable& variable : target.variables) {
    TRY(part, initial.of(variable));
    const auto spec = parse_slice_spec(variable.slice);
    if (!spec) return refuse();
    dims = spec->dims;
    boxes.push_back(spec->box);
    if (part.value.content.size() > 0) slices.push_back({spec->box, as_slice(part.value.content)});
    made.nodes.push_back(part.node);
  }
  const DTypeInfo* type = find_dtype(target.entry.dtype);
  if (type == nullptr || type->size == 0 || !tile(boxes, dims)) return refuse();
  made.entry.content = join_slices(dims, type->size, slices);
  made.entry.shape = target.entry.shape;
  return made;
}

}  // namespace

Result<InitialEntry> initial_entry(const TargetVariable& target, const InitialValues& initial) {
  InitialEntry made;
  const Variable& first = target.variables.front();
  if (!first.slice.empty()) {
    TRY(joined, joined_entry(target, initial));
    made = std::move(joined);
  } else {
    TRY(constant, initial.of(first));
    made.entry.shape = constant.value.shape;
    made.entry.content = constant.value.content;
    made.nodes.push_back(constant.node);
  }
  made.entry.key = target.key();
  made.entry.dtype = first.dtype;
  made.entry.bytes = made.entry.content.size();
  if (target.takes(made.entry)) return made;
  return failure("no-initial-value", "its initial value is of another type or shape");
}

}  // namespace cryo
