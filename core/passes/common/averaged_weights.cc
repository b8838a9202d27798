#include "passes/common/averaged_weights.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "model/variables.h"

namespace cryo {
namespace {

constexpr std::string_view kEnding = "/ExponentialMovingAverage";

std::string_view weight_of(std::string_view average) {
  return average.substr(0, average.size() - kEnding.size());
}

// Names the variables of the graph whose values are no averages.
void note_others(const Model& model, const std::map<std::string, CheckpointEntry>& averages,
                 Diagnostics& diagnostics) {
  std::vector<std::string> others;
  for (const Variable& variable : variables_of(model)) {
    const bool is_average = is_average_name(variable.key) || averages.contains(variable.key);
    if (variable.trainable && !is_average) others.push_back(variable.name);
  }
  if (others.empty()) return;
  diagnostics.note("no-average",
                   cat(plural(others.size(), "trainable variable"),
                       " without an average keep their values: ", join(others, ", ", kMaxListed)));
}

}  // namespace

bool is_average_name(std::string_view name) { return name.ends_with(kEnding); }

Result<Model> with_averaged_weights(const Model& model, Diagnostics& diagnostics) {
  std::map<std::string, CheckpointEntry> averages;
  Checkpoint checkpoint = model.checkpoint == nullptr ? Checkpoint() : *model.checkpoint;
  for (const CheckpointEntry& entry : checkpoint.entries) {
    if (!is_average_name(entry.key)) continue;
    const std::string weight(weight_of(entry.key));
    const CheckpointEntry* own = checkpoint.find(weight);
    if (own != nullptr && (own->dtype != entry.dtype || !(own->shape == entry.shape))) continue;
    CheckpointEntry average = entry;
    average.key = weight;
    averages.emplace(weight, std::move(average));
  }
  if (averages.empty()) {
    return failure("no-averages",
                   cat("'", model.name, "' has no weight with a moving average: no NAME", kEnding),
                   {}, "use the weights themselves, or the checkpoint that was saved in training");
  }
  std::erase_if(checkpoint.entries,
                [&](const CheckpointEntry& entry) { return averages.contains(entry.key); });
  for (const auto& [key, average] : averages) checkpoint.entries.push_back(average);
  std::sort(checkpoint.entries.begin(), checkpoint.entries.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  note_others(model, averages, diagnostics);
  Model made = model;
  made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return made;
}

}  // namespace cryo
