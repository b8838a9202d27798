#include "passes/inference/inference.h"

#include <algorithm>
#include <array>

#include "base/reference.h"
#include "base/text.h"
#include "graph/edges.h"
#include "graph/needs.h"
#include "graph/roles.h"
#include "graph/walk.h"
#include "passes/common/select_outputs.h"
#include "passes/inference/moving_averages.h"
#include "passes/inference/training_switches.h"
#include "passes/inference/variable_reads.h"
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
  note(kRangeStored, "stored-ranges",
       "the ranges that training stored take the place of those that it updates (this changes "
       "numbers) in ");
  note(kReplicaTaken, "replica-taken", "one core of a TPU is taken, and its marks removed: ");
  note(kStepTaken, "training-loop", "one step of training is taken out of the loop ");
  note(kDropoutRemoved, "dropout-removed",
       "removed dropout (this changes numbers where it was on): ");
}

}  // namespace

Result<Preparation> prepare(const Model& model, const Preparation& requested, bool inference,
                            GraphChanges& changes, Diagnostics& diagnostics) {
  Preparation prepared = requested;
  TRY(keyed, with_signature_keys(model, requested.selection));
  prepared.selection = std::move(keyed);
  if (inference || !requested.set.empty()) {
    TRY(ended, with_outputs_before_set(model, prepared.selection, diagnostics));
    prepared.selection = std::move(ended);
  }
  if (inference) {
    prepared.cleanup.drop_checks = prepared.cleanup.clear_devices = true;
    add_switches(model, prepared.selection.inputs, prepared.set, changes, diagnostics);
    CHECK_OK(cut_pipelines(model, prepared, changes));
  }
  TRY(resolved, with_auto_inputs(model, prepared.selection, diagnostics));
  prepared.selection = std::move(resolved);
  return prepared;
}

void add_switches(const Model& model, const std::vector<std::string>& inputs,
                  std::vector<std::string>& set, GraphChanges& changes, Diagnostics& diagnostics) {
  std::vector<std::string> unclear;
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto is_chosen = [&](std::string_view name) {
    return names_node(inputs, name) || sets_node(set, name);
  };
  for (const TrainingSwitch& each : find_training_switches(model.graph, *model.payloads, unclear)) {
    const std::string_view name = nodes[each.node].name;
    if (is_chosen(name)) continue;
    set.push_back(cat(name, "=", each.value));
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

void add_averages(const Graph& graph, AveragesByNode& averages) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!normalizes_by_batch(nodes[i]) || in_gradients(nodes[i].name)) continue;
    const auto takes = [&](uint32_t node, const Consumer& consumer) {
      const bool statistic = node != i || consumer.port == 1 || consumer.port == 2;
      return statistic && !consumer.control && !in_gradients(nodes[consumer.node].name);
    };
    const std::vector<bool> reached = walk_forward(edges, std::array{i}, takes);
    for (uint32_t update = 0; update < nodes.size(); ++update) {
      if (!reached[update] || !is_update(nodes[update].op) || is_training_step(nodes[update].op)) {
        continue;
      }
      const uint32_t variable = variable_of(nodes, edges, edges.inputs(update)[0]);
      if (variable == kNoNode) continue;
      averages[std::string(nodes[i].name)].emplace_back(nodes[variable].name);
    }
  }
}

namespace {

// Returns true if a condition decides whether the node runs: its inputs come from a Switch.
bool is_in_branch(const Graph& graph, uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
    return input.node != kNoNode && is_switch(graph.nodes()[input.node].op);
  });
}

// Warns of the nodes that normalize by the statistics of the batch that is fed. That there are no
// moving averages is said where there are none.
void warn_of_batches(const Graph& graph, const std::vector<uint32_t>& by_batch,
                     const AveragesByNode& averages, Diagnostics& diagnostics) {
  std::vector<std::string> with;
  std::vector<std::string> without;
  std::vector<std::string> in_branches;
  for (const uint32_t node : by_batch) {
    const std::string name(graph.nodes()[node].name);
    const auto found = averages.find(name);
    if (found != averages.end()) {
      with.push_back(cat(name, " (", join(found->second, ", ", kMaxListed), ")"));
    } else {
      (is_in_branch(graph, node) ? in_branches : without).push_back(name);
    }
  }
  const auto warn = [&](const std::vector<std::string>& names, std::string_view what) {
    if (names.empty()) return;
    const std::string first = names.front().substr(0, names.front().find(" ("));
    diagnostics.warn("batch-statistics",
                     cat("normalized by the statistics of the batch that is fed, ", what, ": ",
                         join(names, ", ", kMaxListed)),
                     {.node = first});
  };
  warn(without, "and there are no moving averages");
  warn(with, "although variables keep moving averages of them");
  warn(in_branches, "where a condition chooses that");
}

}  // namespace

void report_inference(const Model& made, const std::vector<std::string>& outputs,
                      const GraphChanges& changes, const AveragesByNode& averages,
                      Diagnostics& diagnostics) {
  const std::vector<Node>& nodes = made.graph.nodes();
  const GraphIndex& index = made.graph.index();
  std::vector<uint32_t> ends;
  for (const std::string& output : outputs) {
    ends.push_back(index.names().find(parse_tensor_name(output).node));
  }
  // Initializers, which draw random numbers too, stay in a model that trains.
  const std::vector<uint32_t> needed = needed_by(index.edges(), ends);
  std::vector<std::string> random;
  std::vector<uint32_t> by_batch;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (needed[i] == kNoNode) continue;
    if (is_random(nodes[i].op)) random.emplace_back(nodes[i].name);
    if (normalizes_by_batch(nodes[i])) by_batch.push_back(i);
  }
  note_changes(changes, diagnostics);
  if (!random.empty()) {
    diagnostics.warn("random-numbers",
                     cat("the outputs depend on random numbers: ", join(random, ", ", kMaxListed)),
                     {.node = random.front()});
  }
  warn_of_batches(made.graph, by_batch, averages, diagnostics);
}

}  // namespace cryo
