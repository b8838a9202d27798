#include "passes/inference/inference.h"

#include <algorithm>
#include <map>

#include "base/reference.h"
#include "base/text.h"
#include "graph/edges.h"
#include "graph/needs.h"
#include "graph/roles.h"
#include "passes/common/select_outputs.h"
#include "passes/inference/batch_statistics.h"
#include "passes/inference/dropout.h"
#include "passes/inference/training_switches.h"
#include "passes/set/set_values.h"

namespace cryo {
namespace {

bool names_node(const std::vector<std::string>& tensors, std::string_view node) {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const std::string& each) { return parse_tensor_name(each).node == node; });
}

bool sets_node(const std::vector<std::string>& set, std::string_view node) {
  return std::any_of(set.begin(), set.end(),
                     [&](const std::string& each) { return set_node(each) == node; });
}

void set_switches(const Model& model, Preparation& options, GraphChanges& changes,
                  Diagnostics& diagnostics) {
  std::vector<std::string> unclear;
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto is_chosen = [&](std::string_view name) {
    return names_node(options.selection.inputs, name) || sets_node(options.set, name);
  };
  for (const TrainingSwitch& each : find_training_switches(model.graph, *model.payloads, unclear)) {
    const std::string_view name = nodes[each.node].name;
    if (is_chosen(name)) continue;
    options.set.push_back(cat(name, "=", each.value));
    changes.push_back({std::string(name), kSwitchSet, cat(each.value, ": ", each.why), false});
  }
  for (const std::string& name : unclear) {
    if (is_chosen(name)) continue;
    diagnostics.warn("training-switch-unclear",
                     cat("'", name, "' chooses between two sides, and both draw random ",
                         "numbers or update averages"),
                     {.node = name},
                     cat("set it by hand: ", setting("--set", cat(name, "=false"))));
  }
}

Status cut_pipelines(const Model& model, Preparation& options, GraphChanges& changes) {
  std::vector<std::string>& inputs = options.selection.inputs;
  if (!inputs.empty()) return Unit{};
  Selection cut = options.selection;
  cut.inputs = {std::string(kAutoInputs)};
  Diagnostics unused;
  TRY(resolved, with_auto_inputs(model, cut, unused));
  inputs = resolved.inputs;
  std::erase_if(inputs, [&](const std::string& input) {
    return sets_node(options.set, parse_tensor_name(input).node);
  });
  for (const std::string& input : inputs) {
    const uint32_t node = model.graph.index().names().find(parse_tensor_name(input).node);
    if (node == kNoNode || is_placeholder(model.graph.nodes()[node].op)) continue;
    changes.push_back({input, kInputCut,
                       cat("the head of an input pipeline (", model.graph.nodes()[node].op, ")"),
                       false});
  }
  return Unit{};
}

// Notes name the first changes of a kind; the report's list has all.
void note_changes(const GraphChanges& changes, Diagnostics& diagnostics) {
  std::map<std::string_view, std::vector<std::string>> nodes;
  for (const GraphChange& each : changes) {
    if (each.what != kSwitchSet) {
      nodes[each.what].push_back(each.node);
    } else {
      diagnostics.note("training-switch", cat("set '", each.node, "' to ", each.why),
                       {.node = each.node});
    }
  }
  const auto note = [&](std::string_view what, std::string_view code, std::string_view text) {
    if (nodes.contains(what)) {
      diagnostics.note(code, cat(text, join(nodes[what], ", ", kMaxListed)));
    }
  };
  note(kInputCut, "pipeline-cut", "input pipelines end; the graph begins at ");
  note(kBatchNormalized, "moving-averages",
       "moving averages take the place of the batch's own statistics (this changes numbers) in ");
  note(kDropoutRemoved, "dropout-removed",
       "removed dropout (this changes numbers where it was on): ");
}

}  // namespace

Result<Preparation> prepare(const Model& model, const Preparation& requested, bool inference,
                            GraphChanges& changes, Diagnostics& diagnostics) {
  Preparation prepared = requested;
  if (inference || !requested.set.empty()) {
    TRY(ended, with_outputs_before_set(model, requested.selection, diagnostics));
    prepared.selection = std::move(ended);
  }
  if (inference) {
    prepared.cleanup.drop_checks = prepared.cleanup.clear_devices = true;
    set_switches(model, prepared, changes, diagnostics);
    CHECK_OK(cut_pipelines(model, prepared, changes));
  }
  TRY(resolved, with_auto_inputs(model, prepared.selection, diagnostics));
  prepared.selection = std::move(resolved);
  return prepared;
}

void report_inference(const Model& made, const std::vector<std::string>& outputs,
                      const GraphChanges& changes, Diagnostics& diagnostics) {
  const std::vector<Node>& nodes = made.graph.nodes();
  const GraphIndex& index = made.graph.index();
  std::vector<uint32_t> ends;
  for (const std::string& output : outputs) {
    ends.push_back(index.names().find(parse_tensor_name(output).node));
  }
  // Initializers, which draw random numbers too, stay in a model that trains.
  const std::vector<uint32_t> needed = needed_by(index.edges(), ends);
  std::vector<std::string> random;
  std::vector<std::string> by_batch;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (needed[i] == kNoNode) continue;
    if (is_random(node.op)) random.emplace_back(node.name);
    if (normalizes_by_batch(node)) by_batch.emplace_back(node.name);
  }
  note_changes(changes, diagnostics);
  if (!random.empty()) {
    diagnostics.warn("random-numbers",
                     cat("the outputs depend on random numbers: ", join(random, ", ", kMaxListed)),
                     {.node = random.front()});
  }
  if (!by_batch.empty()) {
    diagnostics.warn("batch-statistics",
                     cat("normalized by the statistics of the batch that is fed, and there ",
                         "are no moving averages: ", join(by_batch, ", ", kMaxListed)),
                     {.node = by_batch.front()});
  }
}

}  // namespace cryo
