#include "passes/weights/salvage.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"

namespace cryo {
namespace {

// Sizes of a list of weights.
struct Amount {
  size_t weights = 0;
  uint64_t bytes = 0;
  size_t unchecked = 0;  // weights without a stored checksum

  void add(const CheckpointEntry& entry) {
    ++weights;
    bytes += entry.bytes;
    if (entry.checks.empty() && entry.bytes > 0) ++unchecked;
  }
};

// An error of the file becomes known with the list of what is lost.
void lower_errors(Diagnostics& diagnostics) {
  Diagnostics lowered;
  for (Diagnostic each : diagnostics.all()) {
    if (each.severity == Severity::kError) each.severity = Severity::kWarning;
    lowered.add(std::move(each));
  }
  diagnostics = std::move(lowered);
}

void report(const Amount& whole, const Amount& lost, const std::string& model, PassLog& log) {
  const std::string unchecked =
      whole.unchecked == 0
          ? ""
          : cat("; ", whole.unchecked, " of them without a stored checksum to compare with");
  const std::string kept = cat(plural(whole.weights, "weight"), " (", human_bytes(whole.bytes),
                               ") of '", model, "'", whole.weights == 1 ? " is" : " are", " whole");
  if (lost.weights == 0) {
    log.diagnostics.note("nothing-lost", cat("nothing is lost: ", kept, unchecked));
    return;
  }
  log.diagnostics.warn("weights-lost",
                       cat(plural(lost.weights, "weight"), " (", human_bytes(lost.bytes),
                           lost.weights == 1 ? ") is" : ") are", " lost; ", kept, unchecked));
}

}  // namespace

Status keep_whole(const Model& model, std::vector<NamedWeight>& weights, PassLog& log) {
  const auto is_off = [](const auto& list) { return !list->is_on(); };
  if (std::any_of(model.checks.begin(), model.checks.end(), is_off)) {
    return failure("bad-option",
                   OPTION("--salvage", "") " needs the checksums, by which what is whole is known, "
                   "and they are off", {}, "open the model with its checksums");
  }
  lower_errors(log.diagnostics);
  Amount whole;
  Amount lost;
  std::erase_if(weights, [&](const NamedWeight& weight) {
    const Status verified = verify(weight.entry);
    (verified ? whole : lost).add(weight.entry);
    if (verified) return false;
    log.lost.push_back({weight.name, weight.entry.dtype, weight.entry.shape, weight.entry.bytes,
                        verified.error()});
    return true;
  });
  if (weights.empty()) {
    const Diagnostic& why = log.lost.front().why;
    return failure("no-weights", cat("no weight of '", model.name, "' is whole: ", why.message),
                   why.where, why.fix);
  }
  report(whole, lost, model.name, log);
  return Unit{};
}

CheckLists sound_checks(const CheckLists& lists) {
  CheckLists sound;
  for (const auto& list : lists) {
    auto kept = std::make_shared<Checks>(list->is_on());
    for (const auto& check : list->all()) {
      if (!check->is_needed() || check->finish()) kept->add(check);
    }
    sound.push_back(std::move(kept));
  }
  return sound;
}

}  // namespace cryo
