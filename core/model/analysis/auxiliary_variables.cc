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

using VariablesByName = std::map<std::string_view, const Variable*>;

// An optimizer's step takes no variables but its own and its slots: rates are read before.
void find_by_steps(const Graph& graph, const VariablesByName& by_name, SideVariables& found) {
  for (const Node& node : graph.nodes()) {
    if (!is_training_step(node.op)) continue;
    const Variable* stepped = nullptr;
    bool first = true;
    for (const std::string_view input : node.inputs()) {
      const auto place = by_name.find(parse_tensor_name(input).node);
      const Variable* taken = place == by_name.end() ? nullptr : place->second;
      if (first) stepped = taken;
      const bool slot = !first && stepped != nullptr && taken != nullptr && taken != stepped &&
                        taken->shape == stepped->shape;
      first = false;
      if (!slot) continue;
      found.emplace(taken->name, SideVariable{false, stepped->name,
                                              cat(node.op, " '", node.name, "' takes it")});
    }
  }
}

void find_by_key(const Variable& variable, SideVariables& found) {
  const size_t slot = variable.key.find(kSlotPart);
  if (slot != std::string::npos) {
    found.emplace(variable.name, SideVariable{false, variable.key.substr(0, slot),
                                              "the checkpoint says that it is a slot"});
  } else if (variable.key.find(kKerasPart) != std::string::npos) {
    found.emplace(variable.name, SideVariable{false, "", "the optimizer keeps it"});
  }
}

void find_by_name(const VariablesByName& by_name, const Variable& variable, bool any_trainable,
                  SideVariables& found) {
  const std::string_view name = variable.name;
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos || variable.trainable) return;
  const auto place = by_name.find(name.substr(0, slash));
  if (place == by_name.end()) return;
  const Variable& of = *place->second;
  if (of.dtype != variable.dtype || of.shape != variable.shape) return;
  const std::string_view last = name.substr(slash + 1);
  const bool average = without_number(last) == kAverage;
  const bool trained = any_trainable && of.trainable;
  if (!average && !trained && !is_slot_name(last)) return;
  found.emplace(variable.name,
                SideVariable{average, of.name,
                             cat(trained ? "it is not trained, and " : "",
                                 "its name, type and shape are those of ", of.name)});
}

// Weights alone: their keys are all the names they have.
void take_entries(const Checkpoint& checkpoint, std::vector<Variable>& variables) {
  for (const CheckpointEntry& entry : checkpoint.entries) {
    if (entry.key == kObjectGraphKey) continue;
    Variable variable;
    variable.name = variable.key = entry.key;
    variable.dtype = entry.dtype;
    variable.shape = entry.shape;
    variables.push_back(std::move(variable));
  }
}

}  // namespace

SideVariables side_variables(const Model& model) {
  std::vector<Variable> variables = variables_of(model);
  if (!model.has_graph && model.checkpoint != nullptr) take_entries(*model.checkpoint, variables);
  VariablesByName by_name;
  bool any_trainable = false;
  for (const Variable& each : variables) {
    by_name.emplace(each.name, &each);
    any_trainable = any_trainable || each.trainable;
  }
  SideVariables found;
  find_by_steps(model.graph, by_name, found);
  for (const Variable& each : variables) {
    find_by_key(each, found);
    find_by_name(by_name, each, any_trainable, found);
  }
  return found;
}

}  // namespace cryo
