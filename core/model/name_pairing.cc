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

// Variables and tensors of the checkpoint that have no counterpart.
struct NameMismatch {
  size_t variables = 0;  // all that were compared
  std::vector<Variable> lost = {};
  std::vector<const CheckpointEntry*> unused = {};
};

// `all`: also variables that the graph's saver does not restore.
NameMismatch find_mismatch(const Model& model, bool all) {
  NameMismatch mismatch;
  std::unordered_set<std::string> used;
  for (Variable& variable : variables_of(model)) {
    used.insert(variable.key);
    if (!all && !model.restores->contains(variable.name)) continue;
    ++mismatch.variables;
    const CheckpointEntry* entry = model.checkpoint->find(variable.key);
    const bool whole = variable.slice.empty();
    if (entry == nullptr || (whole && !fits(variable, *entry))) {
      mismatch.lost.push_back(std::move(variable));
    }
  }
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (!used.contains(entry.key) && entry.key != kObjectGraphKey)
      mismatch.unused.push_back(&entry);
  }
  return mismatch;
}

// Returns the tensor of the checkpoint that a variable may have meant: that of its key, of another
// shape; else the one of its type and shape whose path ends in the same way.
std::string near_tensor(const Checkpoint& checkpoint, const NameMismatch& mismatch,
                        const Variable& variable) {
  if (const CheckpointEntry* entry = checkpoint.find(variable.key)) {
    return cat(" (there it is ", dtype_name(entry->dtype), " ", to_text(entry->shape), ", here ",
               dtype_name(variable.dtype), " ", to_text(variable.shape), ")");
  }
  const CheckpointEntry* nearest = nullptr;
  size_t best = 0;
  for (const CheckpointEntry* entry : mismatch.unused) {
    const size_t common = common_parts(variable.key, plain_key(entry->key));
    if (common <= best || !fits(variable, *entry)) continue;
    best = common;
    nearest = entry;
  }
  return nearest == nullptr ? "" : cat(" (near ", nearest->key, ")");
}

std::string lost_text(const Checkpoint& checkpoint, const NameMismatch& mismatch) {
  std::vector<std::string> names;
  for (const Variable& variable : mismatch.lost) {
    names.push_back(names.size() < kMaxListed
                        ? cat(variable.key, near_tensor(checkpoint, mismatch, variable))
                        : "");
  }
  return join(names, ", ", kMaxListed);
}

std::string unused_text(const NameMismatch& mismatch) {
  std::vector<std::string> keys;
  for (const CheckpointEntry* entry : mismatch.unused) keys.push_back(entry->key);
  return cat(plural(mismatch.unused.size(), "tensor"), " of the checkpoint ",
             mismatch.unused.size() == 1 ? "goes" : "go",
             " to no variable: ", join(keys, ", ", kMaxListed));
}

void report_mismatch(const Checkpoint& checkpoint, const NameMismatch& mismatch, bool all,
                     Diagnostics& diagnostics) {
  if (mismatch.lost.empty()) {
    if (all && !mismatch.unused.empty()) diagnostics.note("unused-weights", unused_text(mismatch));
    return;
  }
  const bool other = mismatch.lost.size() == mismatch.variables;
  diagnostics.warn(
      "unmatched-variables",
      cat("the checkpoint ", checkpoint.prefix, other ? " is another model's: it" : "",
          " has no value for ", mismatch.lost.size(), " of ",
          plural(mismatch.variables, "variable"), ": ", lost_text(checkpoint, mismatch),
          mismatch.unused.empty() ? "" : cat("; ", unused_text(mismatch))),
      {},
      "give the checkpoint that was saved with this graph; where only names differ, "
      "transfer its weights with " OPTION("--rename", ""));
}

}  // namespace

void pair_by_names(Model& model, Diagnostics& diagnostics) {
  if (!model.has_graph || model.checkpoint == nullptr || model.kind == Kind::kSavedModel) return;
  const bool all = model.restores->empty();
  restore_by_full_names(model);
  report_mismatch(*model.checkpoint, find_mismatch(model, all), all, diagnostics);
}

}  // namespace cryo
