#include "model/name_pairing.h"

#include <map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "model/variables.h"

namespace cryo {
namespace {

bool fits(const Variable& variable, const CheckpointEntry& entry) {
  return variable.dtype == entry.dtype && is_compatible(variable.shape, entry.shape);
}

// Returns the keys of objects by their names; empty for a name of several objects.
std::map<std::string, std::string> keys_by_name(const Checkpoint& checkpoint) {
  std::map<std::string, std::string> keys;
  const Result<ObjectGraph> objects = read_checkpoint_objects(checkpoint);
  if (!objects) return keys;
  for (const TrackedObject& each : *objects) {
    if (each.key.empty()) continue;
    const auto place = keys.emplace(each.name, each.key);
    if (!place.second && place.first->second != each.key) place.first->second.clear();
  }
  return keys;
}

// Keys for variables of which the checkpoint has none of their own name.
void restore_by_full_names(Model& model) {
  const Checkpoint& checkpoint = *model.checkpoint;
  if (checkpoint.find(kObjectGraphKey) == nullptr) return;
  std::vector<Variable> lost;
  for (Variable& variable : variables_of(model)) {
    if (checkpoint.find(variable.key) == nullptr) lost.push_back(std::move(variable));
  }
  if (lost.empty()) return;
  const auto keys = keys_by_name(checkpoint);
  for (const Variable& variable : lost) {
    const auto key = keys.find(variable.key);
    const CheckpointEntry* entry = key == keys.end() ? nullptr : checkpoint.find(key->second);
    if (entry != nullptr && fits(variable, *entry)) {
      model.restores.edit().emplace(variable.name, RestoredFrom{key->second, ""});
    }
  }
}

// How many parts of two paths agree, from the end: 2 for "tower/conv/w" and "conv/w".
size_t common_parts(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> left = split(a, '/');
  const std::vector<std::string_view> right = split(b, '/');
  size_t common = 0;
  while (common < left.size() && common < right.size() &&
         left[left.size() - 1 - common] == right[right.size() - 1 - common]) {
    ++common;
  }
  return common;
}

class Mismatch {
 public:
  // `all`: also reports variables that the graph's saver does not restore.
  Mismatch(const Model& model, bool all) : checkpoint_(*model.checkpoint) {
    std::unordered_set<std::string> used;
    for (Variable& variable : variables_of(model)) {
      used.insert(variable.key);
      if (!all && !model.restores->contains(variable.name)) continue;
      ++variables_;
      const CheckpointEntry* entry = checkpoint_.find(variable.key);
      const bool whole = variable.slice.empty();
      if (entry == nullptr || (whole && !fits(variable, *entry))) {
        lost_.push_back(std::move(variable));
      }
    }
    for (const CheckpointEntry& entry : checkpoint_.entries) {
      if (!used.contains(entry.key) && entry.key != kObjectGraphKey) unused_.push_back(&entry);
    }
  }

  void report(bool all, Diagnostics& diagnostics) const;

 private:
  std::string lost_text() const;
  std::string unused_text() const;
  std::string near(const Variable& variable) const;

  const Checkpoint& checkpoint_;
  size_t variables_ = 0;
  std::vector<Variable> lost_;
  std::vector<const CheckpointEntry*> unused_;
};

// Returns the tensor of the checkpoint that a variable may have meant: that of its key, of another
// shape; else the one of its type and shape whose path ends in the same way.
std::string Mismatch::near(const Variable& variable) const {
  if (const CheckpointEntry* entry = checkpoint_.find(variable.key)) {
    return cat(" (there it is ", dtype_name(entry->dtype), " ", to_text(entry->shape), ", here ",
               dtype_name(variable.dtype), " ", to_text(variable.shape), ")");
  }
  const CheckpointEntry* nearest = nullptr;
  size_t best = 0;
  for (const CheckpointEntry* entry : unused_) {
    const size_t common = common_parts(variable.key, plain_key(entry->key));
    if (common <= best || !fits(variable, *entry)) continue;
    best = common;
    nearest = entry;
  }
  return nearest == nullptr ? "" : cat(" (near ", nearest->key, ")");
}

std::string Mismatch::lost_text() const {
  std::vector<std::string> names;
  for (const Variable& variable : lost_) {
    names.push_back(names.size() < kMaxListed ? cat(variable.key, near(variable)) : "");
  }
  return join(names, ", ", kMaxListed);
}

std::string Mismatch::unused_text() const {
  std::vector<std::string> keys;
  for (const CheckpointEntry* entry : unused_) keys.push_back(entry->key);
  return cat(plural(unused_.size(), "tensor"), " of the checkpoint ",
             unused_.size() == 1 ? "goes" : "go",
             " to no variable: ", join(keys, ", ", kMaxListed));
}

void Mismatch::report(bool all, Diagnostics& diagnostics) const {
  if (lost_.empty()) {
    if (all && !unused_.empty()) diagnostics.note("unused-weights", unused_text());
    return;
  }
  const bool other = lost_.size() == variables_;
  diagnostics.warn(
      "unmatched-variables",
      cat("the checkpoint ", checkpoint_.prefix, other ? " is another model's: it" : "",
          " has no value for ", lost_.size(), " of ", plural(variables_, "variable"), ": ",
          lost_text(), unused_.empty() ? "" : cat("; ", unused_text())),
      {},
      "give the checkpoint that was saved with this graph; where only names differ, "
      "transfer its weights with " OPTION("--rename", ""));
}

}  // namespace

void pair_by_names(Model& model, Diagnostics& diagnostics) {
  if (!model.has_graph || model.checkpoint == nullptr || model.kind == Kind::kSavedModel) return;
  const bool all = model.restores->empty();
  restore_by_full_names(model);
  Mismatch(model, all).report(all, diagnostics);
}

}  // namespace cryo
