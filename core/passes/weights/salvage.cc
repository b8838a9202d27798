#include "passes/weights/salvage.h"

#include <algorithm>
#include <set>

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

// `hidden`: weights whose names are not known may be lost.
void report(const Amount& whole, const Amount& lost, bool hidden, const std::string& model,
            Diagnostics& diagnostics) {
  const std::string unchecked =
      whole.unchecked == 0
          ? ""
          : cat("; ", whole.unchecked, " of them without a stored checksum to compare with");
  const std::string kept = cat(plural(whole.weights, "weight"), " (", human_bytes(whole.bytes),
                               ") of '", model, "'", whole.weights == 1 ? " is" : " are", " whole");
  if (lost.weights == 0 && hidden) {
    diagnostics.warn("weights-lost",
                     cat("a part that may have held weights is lost; ", kept, unchecked));
    return;
  }
  if (lost.weights == 0) {
    diagnostics.note("nothing-lost", cat("no weight is lost: ", kept, unchecked));
    return;
  }
  diagnostics.warn("weights-lost",
                   cat(plural(lost.weights, "weight"), " (", human_bytes(lost.bytes),
                       lost.weights == 1 ? ") is" : ") are", " lost; ", kept, unchecked));
}

// Returns what a node needs that is not there: nodes that are its inputs, and functions. `lost`:
// functions that are known to be lost, which may be the node's op.
std::vector<std::string> missing_needs(const Node& node, std::span<const Edge> inputs,
                                       const std::set<std::string_view>& functions,
                                       const std::set<std::string_view>& lost) {
  std::vector<std::string> missing;
  const auto add = [&](std::string_view name) {
    if (std::find(missing.begin(), missing.end(), name) == missing.end())
      missing.emplace_back(name);
  };
  size_t i = 0;
  for (const std::string_view input : node.inputs()) {
    if (i < inputs.size() && inputs[i].node == kNoNode) add(parse_tensor_name(input).node);
    ++i;
  }
  for (const std::string_view name : functions_named_by(node)) {
    const bool is_op = name.data() == node.op.data();
    if (!functions.contains(name) && (!is_op || lost.contains(name))) add(name);
  }
  return missing;
}

void add_incomplete(const Model& model, Losses& losses, Diagnostics& diagnostics) {
  const Graph& graph = model.graph;
  std::set<std::string_view> functions;
  std::set<std::string_view> lost;
  for (const Function& function : graph.functions()) functions.insert(function.name);
  for (const LostPart& part : model.lost) {
    if (part.what == "function") lost.insert(part.name);
  }
  std::vector<std::string> names;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    auto missing = missing_needs(node, graph.index().edges().inputs(i), functions, lost);
    if (missing.empty()) continue;
    names.emplace_back(node.name);
    losses.incomplete.push_back({std::string(node.name), std::move(missing)});
  }
  if (names.empty()) return;
  diagnostics.warn("incomplete-nodes",
                   cat(plural(names.size(), "node"), " of '", model.name,
                       names.size() == 1 ? "' needs" : "' need",
                       " nodes or functions that are not there: ", join(names, ", ", kMaxListed)),
                   {.node = names.front()},
                   "TensorFlow loads the graph when it is pruned to outputs that need none of "
                   "them");
}

}  // namespace

void add_lost_parts(const Model& model, Losses& losses, Diagnostics& diagnostics) {
  losses.lost.insert(losses.lost.end(), model.lost.begin(), model.lost.end());
  if (!model.has_graph) return;
  if (model.lost.empty()) {
    diagnostics.note(
        "nothing-lost",
        cat("no part of the graph is lost: ", plural(model.graph.nodes().size(), "node"), " of '",
            model.name, "' are whole by their form, without a checksum to compare with"));
  }
  add_incomplete(model, losses, diagnostics);
}

Result<SalvageResult> salvaged_model(const Model& model, Diagnostics& diagnostics) {
  Losses losses;
  add_lost_parts(model, losses, diagnostics);
  if (model.checkpoint == nullptr) return SalvageResult{model, std::move(losses)};
  std::vector<NamedWeight> weights;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    weights.push_back({.name = entry.key, .entry = entry});
  }
  CHECK_OK(keep_whole(model, weights, losses, diagnostics));
  Checkpoint checkpoint = *model.checkpoint;
  checkpoint.entries.clear();
  for (NamedWeight& weight : weights) checkpoint.entries.push_back(std::move(weight.entry));
  Model whole = model;
  whole.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return SalvageResult{std::move(whole), std::move(losses)};
}

Status keep_whole(const Model& model, std::vector<NamedWeight>& weights, Losses& losses,
                  Diagnostics& diagnostics) {
  const auto is_off = [](const auto& list) { return !list->is_on(); };
  if (std::any_of(model.checks.begin(), model.checks.end(), is_off)) {
    return failure("bad-option",
                   OPTION("--salvage", "") " needs the checksums, by which what is whole is known, "
                   "and they are off", {}, "open the model with its checksums");
  }
  lower_errors(diagnostics);
  Amount whole;
  Amount lost;
  const size_t before = losses.lost.size();
  std::erase_if(weights, [&](const NamedWeight& weight) {
    const Status verified = verify(weight.entry);
    (verified ? whole : lost).add(weight.entry);
    if (verified) return false;
    losses.lost.push_back({std::string(kLostWeight), weight.name, weight.entry.dtype,
                           weight.entry.shape, weight.entry.bytes, verified.error()});
    return true;
  });
  if (weights.empty() && losses.lost.size() > before) {
    return no_whole_weight(model, losses.lost[before].why);
  }
  const bool hidden = std::any_of(model.lost.begin(), model.lost.end(), may_hold_weights);
  report(whole, lost, hidden, model.name, diagnostics);
  return Unit{};
}

Failure no_whole_weight(const Model& model, const Diagnostic& why) {
  return failure("no-weights", cat("no weight of '", model.name, "' is whole: ", why.message),
                 why.where, "get the files again from their source");
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
