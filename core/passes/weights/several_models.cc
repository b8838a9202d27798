#include "passes/weights/several_models.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tensor/views/combined_source.h"

namespace cryo {
namespace {

// A message names so many weights.
constexpr size_t kMaxNamed = 5;

// Returns the first texts as one, and the number of the others.
std::string first_of(const std::vector<std::string>& texts, std::string_view separator) {
  const size_t named = std::min(texts.size(), kMaxNamed);
  const std::string first = join(
      std::vector<std::string>(texts.begin(), texts.begin() + static_cast<long>(named)), separator);
  return texts.size() == named ? first : cat(first, separator, texts.size() - named, " more");
}

// Returns the place of a model: its name, and its number where another has the same name.
std::string label_of(const std::vector<ModelWeights>& models, size_t at) {
  const auto same = [&](const ModelWeights& other) { return other.model == models[at].model; };
  const bool unique = std::count_if(models.begin(), models.end(), same) == 1;
  const std::string number = cat(" (number ", at + 1, ")");
  return cat("'", models[at].model, "'", unique ? "" : number);
}

Failure in_several(const std::vector<std::string>& places, const std::string& first) {
  return failure("weight-in-several",
                 cat(plural(places.size(), "name"), places.size() == 1 ? " is" : " are",
                     " in more than one model: ", first_of(places, "; ")),
                 {.tensor = first},
                 "exclude these weights: " OPTION("--exclude", "GLOB") "; or give those of one "
                 "model names of their own, alone: " OPTION("--rename", "FROM=TO") "; or take the "
                 "mean of all models: " OPTION("--average", ""));
}

std::string kind_of(const CheckpointEntry& entry) {
  return cat(dtype_name(entry.dtype), " ", to_text(entry.shape));
}

// Compares the contents of two tensors of one size.
Result<bool> is_equal(const Splice& a, const Splice& b) {
  if (a.size() != b.size()) return false;
  uint64_t at = 0;
  bool equal = true;
  CHECK_OK(a.for_each_chunk([&](std::string_view chunk) -> Status {
    if (!equal) return Unit{};
    TRY(other, b.sub(at, chunk.size()).read_all());
    at += chunk.size();
    equal = other == chunk;
    return Unit{};
  }));
  return equal;
}

std::string label_at(const std::vector<ModelWeights>& models, size_t at) {
  return label_of(models, at);
}

void add_lack(const std::vector<ModelWeights>& models, size_t at, const std::string& name,
              std::vector<std::string>& differences) {
  differences.push_back(cat(label_at(models, at), " lacks ", quoted(name)));
}

// Compares names, types and shapes with those of the first model. Both lists are sorted.
void compare_with_first(const std::vector<ModelWeights>& models, size_t at,
                        std::vector<std::string>& differences) {
  const std::vector<NamedWeight>& a = models.front().weights;
  const std::vector<NamedWeight>& b = models[at].weights;
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool in_a = j == b.size() || (i < a.size() && a[i].name <= b[j].name);
    const bool in_b = i == a.size() || (j < b.size() && b[j].name <= a[i].name);
    if (!in_a || !in_b) {
      add_lack(models, in_a ? at : 0, in_a ? a[i].name : b[j].name, differences);
    } else if (kind_of(a[i].entry) != kind_of(b[j].entry)) {
      differences.push_back(cat(quoted(a[i].name), " is ", kind_of(a[i].entry), " in ",
                                label_at(models, 0), " and ", kind_of(b[j].entry), " in ",
                                label_at(models, at)));
    }
    i += in_a ? 1 : 0;
    j += in_b ? 1 : 0;
  }
}

Result<bool> are_equal(const std::vector<Splice>& contents) {
  for (size_t i = 1; i < contents.size(); ++i) {
    TRY(equal, is_equal(contents.front(), contents[i]));
    if (!equal) return false;
  }
  return true;
}

// Makes the entry of the first model the combined one of all. REQUIRES: they agree.
Status combine_entry(const std::vector<ModelWeights>& models, size_t at, CheckpointEntry& entry,
                     std::vector<std::string>& differences, std::vector<std::string>& largest) {
  std::vector<Splice> contents;
  std::vector<std::shared_ptr<const Checked>> checks;
  for (const ModelWeights& model : models) {
    const CheckpointEntry& one = model.weights[at].entry;
    if (one.fault) return *one.fault;
    contents.push_back(one.content);
    checks.insert(checks.end(), one.checks.begin(), one.checks.end());
  }
  const Combination combination = combination_of(entry.dtype);
  if (combination != Combination::kMean) {
    TRY(same, are_equal(contents));
    if (same) return Unit{};
    if (combination == Combination::kNone) {
      differences.push_back(
          cat(quoted(entry.key), " differs, and ", dtype_name(entry.dtype), " has no mean"));
      return Unit{};
    }
    largest.push_back(quoted(models.front().weights[at].name));
  }
  CheckpointEntry made{entry.key, entry.dtype, entry.shape, entry.bytes};
  made.content.append(combined(contents, entry.dtype));
  made.checks = std::move(checks);
  entry = std::move(made);
  return Unit{};
}

void report_average(const std::vector<ModelWeights>& models, size_t weights,
                    Diagnostics& diagnostics, std::vector<std::string>& largest) {
  diagnostics.note("weights-averaged",
                   cat("the mean of ", plural(models.size(), "model"), ", ",
                       plural(weights, "weight"), ", computed in float64 and rounded once"));
  if (largest.empty()) return;
  diagnostics.note("weights-largest",
                   cat("whole numbers that differ have no mean, and the largest was taken: ",
                       first_of(largest, ", ")));
}

Failure mismatch(const std::vector<std::string>& differences) {
  return failure(
      "average-mismatch", cat("the models cannot be averaged: ", first_of(differences, "; ")), {},
      "give checkpoints of one model; or exclude what differs: " OPTION("--exclude", "GLOB"));
}

}  // namespace

Result<std::vector<NamedWeight>> merged_weights(const std::vector<ModelWeights>& models,
                                                Diagnostics& diagnostics) {
  struct First {
    size_t model;
    const NamedWeight* weight;
    bool again = false;  // another model has the name
  };
  std::map<std::string, First> by_name;
  std::vector<std::string> twice;
  std::string first;
  std::vector<std::string> counts;
  for (size_t i = 0; i < models.size(); ++i) {
    counts.push_back(cat(models[i].weights.size(), " of ", label_of(models, i)));
    for (const NamedWeight& weight : models[i].weights) {
      const auto [place, fresh] = by_name.try_emplace(weight.name, First{i, &weight});
      if (fresh || std::exchange(place->second.again, true)) continue;
      if (twice.empty()) first = weight.name;
      twice.push_back(cat(quoted(weight.name), " in ", label_of(models, place->second.model),
                          " and in ", label_of(models, i)));
    }
  }
  if (!twice.empty()) return in_several(twice, first);
  std::vector<NamedWeight> merged;
  for (const auto& each : by_name) merged.push_back(*each.second.weight);
  diagnostics.note("weights-merged", cat("the weights of ", plural(models.size(), "model"), ": ",
                                         first_of(counts, ", ")));
  return merged;
}

Result<std::vector<NamedWeight>> mean_weights(const std::vector<ModelWeights>& models,
                                              Diagnostics& diagnostics) {
  std::vector<std::string> differences;
  std::vector<std::string> largest;  // names of whole numbers that differ
  for (size_t i = 1; i < models.size(); ++i) compare_with_first(models, i, differences);
  if (!differences.empty()) return mismatch(differences);
  std::vector<NamedWeight> made = models.front().weights;
  for (size_t i = 0; i < made.size(); ++i)
    CHECK_OK(combine_entry(models, i, made[i].entry, differences, largest));
  if (!differences.empty()) return mismatch(differences);
  report_average(models, made.size(), diagnostics, largest);
  return made;
}

}  // namespace cryo
