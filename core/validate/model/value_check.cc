#include "validate/model/value_check.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/suggestions.h"
#include "base/text.h"
#include "base/utf8.h"
#include "checkpoint/checkpoint_index.h"
#include "checkpoint/object_graph.h"
#include "model/init_op.h"
#include "model/variables.h"
#include "validate/model/warn.h"

namespace cryo {
namespace {

// Near misses are looked for among all keys; of so many variables.
constexpr size_t kMaxCompared = 50;

// Number of keys that are printed of many unused ones.

// Returns whether it was reported when the model was opened.
bool has_code(const Diagnostics& diagnostics, std::string_view code) {
  const auto& all = diagnostics.all();
  return std::any_of(all.begin(), all.end(),
                     [&](const Diagnostic& each) { return each.code == code; });
}

class ValueCheck {
 public:
  ValueCheck(const Checkpoint& checkpoint, Diagnostics& diagnostics)
      : checkpoint_(checkpoint), diagnostics_(diagnostics) {
    for (const CheckpointEntry& entry : checkpoint.entries) keys_.push_back(entry.key);
  }

  void use(const Variable& variable) { used_.insert(variable.key); }

  void variable(const Model& model, const Variable& variable) {
    const Result<Tensor> value = value_of(model, variable);
    if (value || is_reported(variable)) return;
    Diagnostic error = value.error();
    if (error.code == "missing-key") error.message += near(variable.key);
    diagnostics_.add(std::move(error));
  }

  // Reports the tensors of a checkpoint without an object graph that no variable of the graph uses,
  // unless joining the two has reported them.
  void unused() {
    if (checkpoint_.find(kObjectGraphKey) != nullptr || has_code(diagnostics_, "unused-weights"))
      return;
    std::vector<std::string> keys;
    for (const std::string_view key : keys_) {
      if (used_.count(key) == 0) keys.push_back(printable(key, 100));
    }
    if (keys.empty()) return;
    diagnostics_.note("unused-weights", cat(plural(keys.size(), "tensor"), " of the checkpoint ",
                                            keys.size() == 1 ? "goes" : "go",
                                            " to no variable: ", join(keys, ", ", kMaxListed)));
  }

  // Each variable that an object of TensorFlow 2 has is there.
  void objects() {
    const Result<ObjectGraph> objects = read_checkpoint_objects(checkpoint_);
    if (!objects) {
      diagnostics_.add(objects.error());
      return;
    }
    std::set<std::string> reported;
    for (const TrackedObject& object : *objects) {
      if (object.key.empty() || checkpoint_.find(object.key) != nullptr) continue;
      if (!reported.insert(object.key).second) continue;  // several objects may have one key
      warn_by_code(
          "object-without-value", {.tensor = printable(object.key, 300)},
          cat("the object graph says that ", quoted(object.name),
              " is saved under this key, and the checkpoint has none of it", near(object.key)),
          diagnostics_);
    }
  }

 private:
  // Returns true if the entry itself has a fault, which was reported when the checkpoint was
  // opened.
  bool is_reported(const Variable& variable) const {
    const CheckpointEntry* entry = checkpoint_.find(variable.key);
    return entry != nullptr && entry->fault != nullptr;
  }

  std::string near(std::string_view key) {
    return ++compared_ > kMaxCompared ? "" : did_you_mean(key, keys_);
  }

  const Checkpoint& checkpoint_;
  Diagnostics& diagnostics_;
  std::vector<std::string_view> keys_;
  std::set<std::string, std::less<>> used_;
  size_t compared_ = 0;
};

}  // namespace

void check_values(const Model& model, Diagnostics& diagnostics) {
  if (auto fault = restore_fault(model); fault && !has_code(diagnostics, fault->code)) {
    diagnostics.add(std::move(*fault));
  }
  if (model.checkpoint == nullptr) return;
  ValueCheck check(*model.checkpoint, diagnostics);
  check.objects();
  if (!model.has_graph) return;
  // A saver lists the variables it restores; a SavedModel has others that are created when it is
  // loaded. Without a saver every variable is expected in the checkpoint.
  const bool all = model.restores->empty() && model.kind != Kind::kSavedModel;
  for (const Variable& variable : variables_of(model)) {
    check.use(variable);
    if (all || model.restores->contains(variable.name)) check.variable(model, variable);
  }
  if (model.kind != Kind::kSavedModel) check.unused();
}

}  // namespace cryo
