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
#include "passes/prune/kept_variables.h"
#include "passes/prune/load_time.h"

namespace cryo {
namespace {

class Pruner {
 public:
  Pruner(const Model& model, const Ends& ends, const OpRegistry* ops, bool loads,
         Diagnostics& diagnostics)
      : model_(model),
        ends_(ends),
        ops_(ops),
        diagnostics_(diagnostics),
        nodes_(model.graph.nodes()),
        names_(model.graph.index().names()),
        edges_(model.graph.index().edges()),
        kept_(nodes_.size(), false),
        group_(nodes_.size(), false),
        loads_(loads) {}

  Result<Model> run();

 private:
  Status find_ends();
  Status mark(std::vector<uint32_t> queue);
  Status mark_all();
  void warn_of_unused_inputs();
  void warn_of_stayers();
  Status mark_initializers();
  Status check_inputs(uint32_t node) const;
  Result<Graph> rebuild();
  // Returns true for an edge from a cut tensor or, of control, from a dropped update.
  bool is_gone(const Edge& edge) const {
    return cuts_.covers(edge) || (edge.control && cuts_.drops(edge.node));
  }
  bool stays_as_it_is(uint32_t node) const;
  std::string changed(uint32_t node) const;
  void rename_inputs(Model& pruned) const;

  const Model& model_;
  const Ends& ends_;
  const OpRegistry* ops_;
  Diagnostics& diagnostics_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  std::vector<Edge> outputs_;
  Cuts cuts_;
  std::vector<bool> kept_;
  std::vector<bool> group_;  // kept, but not all that it waits for
  bool loads_;
};

Status Pruner::find_ends() {
  for (const std::string& name : ends_.outputs) {
    TRY(output, find_endpoint(model_, names_, name));
    outputs_.push_back(output);
  }
  CHECK_OK(check_ports(model_, names_, ends_.outputs, ops_));
  CHECK_OK(check_ports(model_, names_, ends_.inputs, ops_));
  const auto served = signature_inputs(model_, ends_.signatures);
  TRY(cuts, Cuts::find(model_, ends_.inputs.empty() ? served : ends_.inputs, names_));
  cuts_ = std::move(cuts);
  for (const std::string& name : ends_.keep) {
    const uint32_t node = names_.find(name);
    if (node != kNoNode && !cuts_.drops(node)) outputs_.push_back({node, 0, false});
  }
  return Unit{};
}

Status Pruner::check_inputs(uint32_t node) const {
  int index = 0;
  for (const std::string_view input : nodes_[node].inputs()) {
    if (edges_.inputs(node)[static_cast<size_t>(index)].node == kNoNode) {
      return failure("unknown-input",
                     cat("Node '", nodes_[node].name, "': Unknown input node '", input, "'"),
                     {.node = nodes_[node].name, .input = index},
                     "the graph is incomplete: validate it to see all that is missing");
    }
    ++index;
  }
  return Unit{};
}

// Marks the inputs of marked nodes; nodes before a cut are not needed.
Status Pruner::mark(std::vector<uint32_t> queue) {
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    CHECK_OK(check_inputs(node));
    for (const Edge& edge : edges_.inputs(node)) {
      cuts_.take(edge);
      if (is_gone(edge) || kept_[edge.node]) continue;
      kept_[edge.node] = true;
      queue.push_back(edge.node);
    }
  }
  return Unit{};
}

// Marks the initializers of tables, whose inputs may look up another table.
Status Pruner::mark_initializers() {
  const LoadTime initializers(model_, names_, edges_);
  for (auto steps = initializers.missing(kept_); !steps.empty();
       steps = initializers.missing(kept_)) {
    for (const uint32_t step : steps) kept_[step] = true;
    CHECK_OK(mark(std::move(steps)));
  }
  for (const uint32_t group : initializers.groups(kept_)) kept_[group] = group_[group] = true;
  return Unit{};
}

Status Pruner::mark_all() {
  std::vector<uint32_t> ends;
  for (const Edge& output : outputs_) {
    cuts_.take(output);
    if (cuts_.covers(output) || kept_[output.node]) continue;
    kept_[output.node] = true;
    ends.push_back(output.node);
  }
  CHECK_OK(mark(std::move(ends)));
  if (loads_) CHECK_OK(mark_initializers());
  cuts_.drop_untaken();
  cuts_.name_placeholders(nodes_, names_, kept_);
  return Unit{};
}

// An input that is a placeholder is used if it is kept; a cut is used if a kept node takes it.
void Pruner::warn_of_unused_inputs() {
  std::vector<bool> used(nodes_.size(), false);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!kept_[i]) continue;
    used[i] = true;
    for (const Edge& edge : edges_.inputs(i)) used[edge.node] = true;
  }
  for (const Edge& output : outputs_) used[output.node] = true;
  for (const std::string& input : ends_.inputs) {
    const uint32_t node = names_.find(parse_tensor_name(input).node);
    if (node == kNoNode || used[node]) continue;
    diagnostics_.warn("input-unused", cat("no output needs the input ", input),
                      {.node = nodes_[node].name}, "leave it out, or name other outputs");
  }
}

// A node of which one tensor is cut may be needed for another.
void Pruner::warn_of_stayers() {
  for (const Cut& cut : cuts_.all()) {
    const uint32_t node = cut.variable == kNoNode ? cut.node : cut.variable;
    if (!kept_[node]) continue;
    const std::string_view name = nodes_[node].name;
    diagnostics_.warn("input-stays",
                      cat("'", name, "' stays, though the graph begins at ", cut.placeholder,
                          ": the outputs need more of it"),
                      {.node = name}, "name it without an output, or its other outputs as well");
  }
}

// Returns true if no input was cut or removed, and no colocation partner was removed.
bool Pruner::stays_as_it_is(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  if (group_[node]) return false;
  const bool cut =
      !cuts_.all().empty() &&
      std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) { return is_gone(edge); });
  const auto partners = colocations(nodes_[node]);
  return !cut && std::all_of(partners.begin(), partners.end(), [&](std::string_view partner) {
    const uint32_t found = names_.find(partner);
    return found != kNoNode && kept_[found];
  });
}

std::string Pruner::changed(uint32_t node) const {
  NodeEditor editor(nodes_[node]);
  const auto edges = edges_.inputs(node);
  for (size_t i = 0; i < edges.size(); ++i) {
    const Cut* cut = cuts_.at(edges[i].node, edges[i].port);
    if (cut != nullptr) editor.inputs()[i] = cat(edges[i].control ? "^" : "", cut->placeholder);
  }
  for (size_t i = edges.size(); i-- > 0;) {
    const bool gone = edges[i].control && cuts_.drops(edges[i].node);
    if (gone) editor.inputs().erase(editor.inputs().begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (group_[node]) {
    auto& waits = editor.inputs();
    waits.erase(std::remove_if(waits.begin(), waits.end(),
                               [&](const std::string& input) {
                                 const uint32_t found = names_.find(parse_tensor_name(input).node);
                                 return found == kNoNode || !kept_[found];
                               }),
                waits.end());
  }
  std::vector<std::string_view> partners;
  for (const std::string_view partner : colocations(nodes_[node])) {
    const uint32_t found = names_.find(partner);
    if (found != kNoNode && kept_[found]) partners.push_back(partner);
  }
  return editor.set_colocations(partners).finish();
}

Result<Graph> Pruner::rebuild() {
  GraphBuilder builder(model_.graph);
  std::vector<Node> kept;
  std::set<std::string> made;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (kept_[i]) {
      kept.push_back(nodes_[i]);
      stays_as_it_is(i) ? builder.add(nodes_[i]) : builder.add(changed(i));
    }
    for (const Cut& cut : cuts_.all()) {
      if (cut.node != i || !made.insert(cut.placeholder).second) continue;
      TRY(placeholder, placeholder_for(nodes_[i], cut, ops_));
      builder.add(std::move(placeholder));
    }
  }
  for (const Function& function : functions_needed(kept, model_.graph)) builder.add(function);
  return builder.finish();
}

// Signatures take the inputs of the pruned graph: "Split:1" is "Split_1" now.
void Pruner::rename_inputs(Model& pruned) const {
  tensorflow::MetaGraphDef meta = parse_meta(pruned);
  bool renamed = false;
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& input : *signature.mutable_value()->mutable_inputs()) {
      const TensorName tensor = parse_tensor_name(input.value().name());
      const Cut* cut = cuts_.at(names_.find(tensor.node), tensor.port);
      if (cut == nullptr || cut->placeholder == tensor.node) continue;
      input.mutable_value()->set_name(cat(cut->placeholder, ":0"));
      renamed = true;
    }
  }
  if (renamed) set_meta(pruned, std::move(meta));
}

Result<Model> Pruner::run() {
  CHECK_OK(find_ends());
  CHECK_OK(mark_all());
  if (!ends_.inputs.empty()) {
    warn_of_unused_inputs();
    warn_of_stayers();
  }
  TRY(graph, rebuild());
  const bool nothing_went = std::count(kept_.begin(), kept_.end(), false) == 0 &&
                            graph.functions().size() == model_.graph.functions().size();
  if (nothing_went) return model_;
  Model pruned = model_;
  pruned.graph = std::move(graph);
  if (!cuts_.all().empty()) rename_inputs(pruned);
  const auto lost = trim_meta(pruned, model_.graph, !cuts_.all().empty(), diagnostics_);
  if (loads_ && !lost.empty()) {
    diagnostics_.note("collection-dropped", cat("entries of collections that refer to removed "
                                                "nodes were removed: ",
                                                join(lost, ", ", kMaxListed)));
  }
  return loads_ ? with_asset_paths(pruned) : pruned;
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
  TRY(needed, Pruner(model, ends, ops, true, first).run());
  const auto loadable = lists_variables(model)
                            ? keep_loadable(model, ends, VariableSelection::none(), ops)
                            : Result<KeptLoadable>({model});
  if (!loadable || loadable->nodes.empty()) {
    diagnostics = std::move(first);
    return std::move(needed);
  }
  Ends whole = ends;
  whole.keep = loadable->nodes;
  TRY(kept, Pruner(loadable->model, whole, ops, true, diagnostics).run());
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
  return Pruner(model, ends, ops, false, diagnostics).run();
}

Ends without_inputs(const Ends& ends) { return only_outputs(ends.outputs, ends.keep); }

}  // namespace cryo
