#include "model/analysis/optimizer_state.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "graph/fresh_names.h"
#include "model/analysis/auxiliary_variables.h"
#include "model/variables.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 7> kCounters = {"global_step", "iter",         "iterations",
                                                       "_iterations", "save_counter", "beta1_power",
                                                       "beta2_power"};

// Returns true for a single number that counts steps, or is directly in an optimizer's scope.
bool is_counter(std::string_view name, const Shape& shape) {
  if (shape.unknown_rank || !shape.dims.empty()) return false;
  const std::string_view last = without_number(base_name(name));
  const std::string_view scope = folder_of(name);
  return scope.ends_with("ptimizer/") ||
         std::find(kCounters.begin(), kCounters.end(), last) != kCounters.end();
}

void add_slots(const Model& model, std::set<std::string>& names) {
  for (const auto& [name, side] : side_variables(model)) {
    if (!side.average) names.insert(plain_key(name));
  }
}

}  // namespace

std::set<std::string> training_state(const Model& model) {
  std::set<std::string> names;
  if (model.has_graph) add_slots(model, names);
  for (const Variable& variable : variables_of(model)) {
    // Keras' counters have names like other variables; the key identifies their object.
    const bool counter = is_counter(variable.name, variable.shape) ||
                         is_counter(plain_key(variable.key), variable.shape);
    if (counter) names.insert(variable.name);
  }
  if (model.checkpoint == nullptr) return names;
  Model alone;
  alone.kind = Kind::kCheckpoint;
  alone.checkpoint = model.checkpoint;
  add_slots(alone, names);
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    const std::string name = plain_key(entry.key);
    if (is_counter(name, entry.shape)) names.insert(name);
  }
  return names;
}

}  // namespace cryo
