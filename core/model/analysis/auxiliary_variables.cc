#include "model/analysis/auxiliary_variables.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/roles.h"
#include "model/variables.h"

namespace cryo {
namespace {

constexpr std::string_view kAverage = "ExponentialMovingAverage";
constexpr std::string_view kSlotPart = "/.OPTIMIZER_SLOT/";
constexpr std::string_view kKerasPart = "ptimizer/_variables/";  // "optimizer/", "_optimizer/"

// The names of slots of TensorFlow's optimizers, and of BERT's, without "_1".
constexpr std::array<std::string_view, 12> kSlotNames = {
    "Adadelta", "Adagrad", "AdagradDA", "Adam",    "AdaMax", "Adafactor",
    "Ftrl",     "LAMB",    "Momentum",  "RMSProp", "adam_m", "adam_v"};

bool is_slot_name(std::string_view name) {
  return std::find(kSlotNames.begin(), kSlotNames.end(), without_number(name)) != kSlotNames.end();
}

class SideFinder {
 public:
  explicit SideFinder(const Model& model) : model_(model), variables_(variables_of(model)) {
    if (!model.has_graph && model.checkpoint != nullptr) take_entries();
    for (const Variable& each : variables_) {
      by_name_.emplace(each.name, &each);
      any_trainable_ = any_trainable_ || each.trainable;
    }
  }

  SideVariables find() {
    by_steps();
    for (const Variable& each : variables_) {
      by_key(each);
      by_name(each);
    }
    return std::move(found_);
  }

 private:
  void take_entries();
  void by_steps();
  void by_key(const Variable& variable);
  void by_name(const Variable& variable);

  const Model& model_;
  std::vector<Variable> variables_;
  std::map<std::string_view, const Variable*> by_name_;
  bool any_trainable_ = false;
  SideVariables found_;
};

// Weights alone: their keys are all the names they have.
void SideFinder::take_entries() {
  for (const CheckpointEntry& entry : model_.checkpoint->entries) {
    if (entry.key == kObjectGraphKey) continue;
    Variable variable;
    variable.name = variable.key = entry.key;
    variable.dtype = entry.dtype;
    variable.shape = entry.shape;
    variables_.push_back(std::move(variable));
  }
}

// An optimizer's step takes no variables but its own and its slots: rates are read before.
void SideFinder::by_steps() {
  for (const Node& node : model_.graph.nodes()) {
    if (!is_training_step(node.op)) continue;
    const Variable* stepped = nullptr;
    bool first = true;
    for (const std::string_view input : node.inputs()) {
      const auto place = by_name_.find(parse_tensor_name(input).node);
      const Variable* taken = place == by_name_.end() ? nullptr : place->second;
      if (first) stepped = taken;
      const bool slot = !first && stepped != nullptr && taken != nullptr && taken != stepped &&
                        taken->shape == stepped->shape;
      first = false;
      if (!slot) continue;
      found_.emplace(taken->name, SideVariable{false, stepped->name,
                                               cat(node.op, " '", node.name, "' takes it")});
    }
  }
}

void SideFinder::by_key(const Variable& variable) {
  const size_t slot = variable.key.find(kSlotPart);
  if (slot != std::string::npos) {
    found_.emplace(variable.name, SideVariable{false, variable.key.substr(0, slot),
                                               "the checkpoint says that it is a slot"});
  } else if (variable.key.find(kKerasPart) != std::string::npos) {
    found_.emplace(variable.name, SideVariable{false, "", "the optimizer keeps it"});
  }
}

void SideFinder::by_name(const Variable& variable) {
  const std::string_view name = variable.name;
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || variable.trainable) return;
  const auto place = by_name_.find(name.substr(0, slash));
  if (place == by_name_.end()) return;
  const Variable& of = *place->second;
  if (of.dtype != variable.dtype || of.shape != variable.shape) return;
  const std::string_view last = name.substr(slash + 1);
  const bool average = without_number(last) == kAverage;
  const bool trained = any_trainable_ && of.trainable;
  if (!average && !trained && !is_slot_name(last)) return;
  found_.emplace(variable.name,
                 SideVariable{average, of.name,
                              cat(trained ? "it is not trained, and " : "",
                                  "its name, type and shape are those of ", of.name)});
}

}  // namespace

SideVariables side_variables(const Model& model) { return SideFinder(model).find(); }

}  // namespace cryo
