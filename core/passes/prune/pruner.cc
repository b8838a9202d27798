#include "passes/prune/pruner.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/functions/functions_needed.h"
#include "graph/node_editor.h"
#include "model/asset_paths.h"
#include "model/meta.h"
#include "passes/common/initializers.h"
#include "passes/common/ports.h"
#include "passes/common/select_outputs.h"
#include "passes/common/trim_meta.h"
#include "passes/prune/cuts.h"
#include "passes/prune/initializer_steps.h"
#include "passes/prune/kept_variables.h"

namespace cryo {
namespace {

// The nodes that pruning keeps, and the cuts at which they begin.
struct Kept {
  std::vector<Edge> outputs = {};  // with the nodes of Ends::keep
  Cuts cuts = {};
  NodeSet nodes = {};
  NodeSet groups = {};  // in `nodes`, but not all that they wait for
};

Result<Kept> find_ends(const Model& model, const Ends& ends, const OpRegistry* ops) {
  const NodeNames& names = model.graph.index().names();
  Kept kept{.nodes = NodeSet(model.graph.nodes().size()),
            .groups = NodeSet(model.graph.nodes().size())};
  for (const std::string& name : ends.outputs) {
    TRY(output, find_endpoint(model, names, name));
    kept.outputs.push_back(output);
  }
  CHECK_OK(check_ports(model, names, ends.outputs, ops));
  CHECK_OK(check_ports(model, names, ends.inputs, ops));
  const auto served = signature_inputs(model, ends.signatures);
  TRY(cuts, Cuts::find(model, ends.inputs.empty() ? served : ends.inputs, names));
  kept.cuts = std::move(cuts);
  for (const std::string& name : ends.keep) {
    const uint32_t node = names.find(name);
    if (node != kNoNode && !kept.cuts.drops(node)) kept.outputs.push_back({node, 0, false});
  }
  return kept;
}

Status check_inputs(const Graph& graph, uint32_t node) {
  const Node& at = graph.nodes()[node];
  int index = 0;
  for (const std::string_view input : at.inputs()) {
    if (graph.index().edges().inputs(node)[static_cast<size_t>(index)].node == kNoNode) {
      return failure("unknown-input", cat("Node '", at.name, "': Unknown input node '", input, "'"),
                     {.node = at.name, .input = index},
                     "the graph is incomplete: validate it to see all that is missing");
    }
    ++index;
  }
  return Unit{};
}

// Returns true for an edge from a cut tensor or, of control, from a dropped update.
bool is_gone(const Cuts& cuts, const Edge& edge) {
  return cuts.covers(edge) || (edge.control && cuts.drops(edge.node));
}

// Marks the inputs of marked nodes; nodes before a cut are not needed.
Status mark(const Graph& graph, std::vector<uint32_t> queue, Kept& kept) {
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    CHECK_OK(check_inputs(graph, node));
    for (const Edge& edge : graph.index().edges().inputs(node)) {
      kept.cuts.take(edge);
      if (is_gone(kept.cuts, edge) || kept.nodes[edge.node]) continue;
      kept.nodes[edge.node] = true;
      queue.push_back(edge.node);
    }
  }
  return Unit{};
}

// Marks the initializers of tables, whose inputs may look up another table.
Status mark_initializers(const Model& model, Kept& kept) {
  const InitializerSteps initializers = initializer_steps(model);
  for (auto steps = missing_steps(model.graph, initializers, kept.nodes); !steps.empty();
       steps = missing_steps(model.graph, initializers, kept.nodes)) {
    for (const uint32_t step : steps) kept.nodes[step] = true;
    CHECK_OK(mark(model.graph, std::move(steps), kept));
  }
  for (const uint32_t group : missing_groups(model.graph, initializers, kept.nodes)) {
    kept.nodes[group] = kept.groups[group] = true;
  }
  return Unit{};
}

Status mark_all(const Model& model, bool loads, Kept& kept) {
  std::vector<uint32_t> ends;
  for (const Edge& output : kept.outputs) {
    kept.cuts.take(output);
    if (kept.cuts.covers(output) || kept.nodes[output.node]) continue;
    kept.nodes[output.node] = true;
    ends.push_back(output.node);
  }
  CHECK_OK(mark(model.graph, std::move(ends), kept));
  if (loads) CHECK_OK(mark_initializers(model, kept));
  kept.cuts.drop_untaken();
  kept.cuts.name_placeholders(model.graph.nodes(), model.graph.index().names(), kept.nodes);
  return Unit{};
}

// An input that is a placeholder is used if it is kept; a cut is used if a kept node takes it.
void warn_of_unused_inputs(const Graph& graph, const std::vector<std::string>& inputs,
                           const Kept& kept, Diagnostics& diagnostics) {
  NodeSet used = kept.nodes;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!kept.nodes[i]) continue;
    for (const Edge& edge : graph.index().edges().inputs(i)) used[edge.node] = true;
  }
  for (const Edge& output : kept.outputs) used[output.node] = true;
  for (const std::string& input : inputs) {
    const uint32_t node = graph.index().names().find(parse_tensor_name(input).node);
    if (node == kNoNode || used[node]) continue;
    diagnostics.warn("input-unused", cat("no output needs the input ", input),
                     {.node = graph.nodes()[node].name}, "leave it out, or name other outputs");
  }
}

// A node of which one tensor is cut may be needed for another.
void warn_of_stayers(const Graph& graph, const Kept& kept, Diagnostics& diagnostics) {
  for (const InputCut& cut : kept.cuts.all()) {
    const uint32_t node = cut.variable == kNoNode ? cut.node : cut.variable;
    if (!kept.nodes[node]) continue;
    const std::string_view name = graph.nodes()[node].name;
    diagnostics.warn("input-stays",
                     cat("'", name, "' stays, though the graph begins at ", cut.placeholder,
                         ": the outputs need more of it"),
                     {.node = name}, "name it without an output, or its other outputs as well");
  }
}

bool is_kept(const Graph& graph, const Kept& kept, std::string_view node) {
  const uint32_t found = graph.index().names().find(node);
  return found != kNoNode && kept.nodes[found];
}

// Returns true if no input was cut or removed, and no colocation partner was removed.
bool stays_as_it_is(const Graph& graph, const Kept& kept, uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  if (kept.groups[node]) return false;
  const bool cut = !kept.cuts.all().empty() &&
                   std::any_of(inputs.begin(), inputs.end(),
                               [&](const Edge& edge) { return is_gone(kept.cuts, edge); });
  const auto partners = colocations(graph.nodes()[node]);
  return !cut && std::all_of(partners.begin(), partners.end(), [&](std::string_view partner) {
    return is_kept(graph, kept, partner);
  });
}

std::string changed(const Graph& graph, const Kept& kept, uint32_t node) {
  NodeEditor editor(graph.nodes()[node]);
  const auto edges = graph.index().edges().inputs(node);
  for (size_t i = 0; i < edges.size(); ++i) {
    const InputCut* cut = kept.cuts.at(edges[i].node, edges[i].port);
    if (cut != nullptr) editor.inputs()[i] = cat(edges[i].control ? "^" : "", cut->placeholder);
  }
  for (size_t i = edges.size(); i-- > 0;) {
    const bool gone = edges[i].control && kept.cuts.drops(edges[i].node);
    if (gone) editor.inputs().erase(editor.inputs().begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (kept.groups[node]) {
    std::erase_if(editor.inputs(), [&](const std::string& input) {
      return !is_kept(graph, kept, parse_tensor_name(input).node);
    });
  }
  std::vector<std::string_view> partners = colocations(graph.nodes()[node]);
  std::erase_if(partners, [&](std::string_view partner) { return !is_kept(graph, kept, partner); });
  return editor.set_colocations(partners).finish();
}

Result<Graph> rebuilt(const Graph& graph, const Kept& kept, const OpRegistry* ops) {
  GraphBuilder builder(graph);
  std::vector<Node> nodes;
  std::set<std::string> made;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (kept.nodes[i]) {
      nodes.push_back(node);
      stays_as_it_is(graph, kept, i) ? builder.add(node) : builder.add(changed(graph, kept, i));
    }
    for (const InputCut& cut : kept.cuts.all()) {
      if (cut.node != i || !made.insert(cut.placeholder).second) continue;
      TRY(placeholder, placeholder_for(node, cut, ops));
      builder.add(std::move(placeholder));
    }
  }
  for (const Function& function : functions_needed(nodes, graph)) builder.add(function);
  return builder.finish();
}

// Signatures take the inputs of the pruned graph: "Split:1" is "Split_1" now.
void rename_inputs(const NodeNames& names, const Cuts& cuts, Model& pruned) {
  tensorflow::MetaGraphDef meta = parse_meta(pruned);
  bool renamed = false;
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& input : *signature.mutable_value()->mutable_inputs()) {
      const TensorName tensor = parse_tensor_name(input.value().name());
      const InputCut* cut = cuts.at(names.find(tensor.node), tensor.port);
      if (cut == nullptr || cut->placeholder == tensor.node) continue;
      input.mutable_value()->set_name(cat(cut->placeholder, ":0"));
      renamed = true;
    }
  }
  if (renamed) set_meta(pruned, std::move(meta));
}

// `loads`: keeps initializers of tables.
Result<Model> prune_nodes(const Model& model, const Ends& ends, const OpRegistry* ops, bool loads,
                          Diagnostics& diagnostics) {
  TRY(kept, find_ends(model, ends, ops));
  CHECK_OK(mark_all(model, loads, kept));
  if (!ends.inputs.empty()) {
    warn_of_unused_inputs(model.graph, ends.inputs, kept, diagnostics);
    warn_of_stayers(model.graph, kept, diagnostics);
  }
  TRY(graph, rebuilt(model.graph, kept, ops));
  const bool nothing_went = std::count(kept.nodes.begin(), kept.nodes.end(), false) == 0 &&
                            graph.functions().size() == model.graph.functions().size();
  if (nothing_went) return model;
  const bool has_cuts = !kept.cuts.all().empty();
  Model pruned = model;
  pruned.graph = std::move(graph);
  if (has_cuts) rename_inputs(model.graph.index().names(), kept.cuts, pruned);
  const auto lost = trim_meta(pruned, model.graph, has_cuts, diagnostics);
  if (loads && !lost.empty()) {
    diagnostics.note("collection-dropped", cat("entries of collections that refer to removed "
                                               "nodes were removed: ",
                                               join(lost, ", ", kMaxListed)));
  }
  return loads ? with_asset_paths(pruned) : pruned;
}

bool lists_variables(const Model& model) {
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  const auto& collections = meta.collection_def();
  return std::any_of(collections.begin(), collections.end(),
                     [](const auto& entry) { return is_variable_collection(entry.key()); });
}

// Also keeps the initializers of the remaining variables. If some are missing, only the outputs
// count.
Result<Model> pruned_with_variables(const Model& model, const Ends& ends, const OpRegistry* ops,
                                    Diagnostics& diagnostics) {
  Diagnostics first = diagnostics;
  TRY(needed, prune_nodes(model, ends, ops, true, first));
  const auto loadable = lists_variables(model)
                            ? keep_loadable(model, ends, VariableSelection::none(), ops)
                            : Result<KeptLoadable>({model});
  if (!loadable || loadable->nodes.empty()) {
    diagnostics = std::move(first);
    return std::move(needed);
  }
  Ends whole = ends;
  whole.keep = loadable->nodes;
  TRY(kept, prune_nodes(loadable->model, whole, ops, true, diagnostics));
  if (kept.graph.nodes().size() == model.graph.nodes().size()) kept = model;
  const NodeNames& names = needed.graph.index().names();
  for (const Node& node : kept.graph.nodes()) {
    if (names.find(node.name) == kNoNode) kept.variable_initializers.emplace_back(node.name);
  }
  return std::move(kept);
}

}  // namespace

Result<Model> prune_to_ends(const Model& model, const Ends& ends, const OpRegistry* ops,
                            Diagnostics& diagnostics) {
  return pruned_with_variables(model, ends, ops, diagnostics);
}

Result<Model> prune_to_outputs(const Model& model, const Ends& ends, const OpRegistry* ops,
                               Diagnostics& diagnostics) {
  return prune_nodes(model, ends, ops, false, diagnostics);
}

Ends without_inputs(const Ends& ends) { return only_outputs(ends.outputs, ends.keep); }

}  // namespace cryo
