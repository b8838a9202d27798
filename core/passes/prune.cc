#include "passes/prune.h"

#include <algorithm>

#include "base/text.h"
#include "graph/node_editor.h"
#include "model/meta.h"
#include "passes/cuts.h"
#include "passes/endpoints.h"
#include "passes/functions_needed.h"
#include "passes/like_tensorflow.h"
#include "passes/set_values.h"
#include "passes/trim_meta.h"

namespace cryo {
namespace {

class Pruner {
 public:
  Pruner(const Model& model, const PassOptions& options, PassLog& log)
      : model_(model),
        options_(options),
        log_(log),
        nodes_(model.graph.nodes()),
        names_(nodes_),
        edges_(nodes_, names_),
        kept_(nodes_.size(), false) {}

  Result<Model> run();

 private:
  Status find_ends();
  Status mark();
  Status check_inputs(uint32_t node) const;
  Result<Graph> rebuild();
  bool stays_as_it_is(uint32_t node) const;
  std::string changed(uint32_t node) const;
  void rename_inputs(Model& pruned) const;

  const Model& model_;
  const PassOptions& options_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  std::vector<Edge> outputs_;
  Cuts cuts_;
  std::vector<bool> kept_;
};

Status Pruner::find_ends() {
  TRY(outputs, chosen_outputs(model_, options_, log_));
  for (const std::string& name : outputs) {
    TRY(output, find_endpoint(model_, names_, name));
    outputs_.push_back(output);
  }
  for (const std::string& name : options_.keep) {
    const uint32_t node = names_.find(name);
    if (node != kNoNode) outputs_.push_back({node, 0, false});
  }
  const bool by_signature = options_.inputs.empty() && options_.outputs.empty();
  const auto inputs = by_signature ? signature_inputs(model_, log_.signatures) : options_.inputs;
  TRY(cuts, Cuts::find(model_, inputs, names_));
  cuts_ = std::move(cuts);
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

// Marks what the outputs need; what lies behind a cut is not needed.
Status Pruner::mark() {
  std::vector<uint32_t> queue;
  const auto need = [&](const Edge& edge) {
    if (cuts_.covers(edge) || kept_[edge.node]) return;
    kept_[edge.node] = true;
    queue.push_back(edge.node);
  };
  for (const Edge& output : outputs_) need(output);
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    CHECK_OK(check_inputs(node));
    for (const Edge& edge : edges_.inputs(node)) need(edge);
  }
  cuts_.name_placeholders(nodes_, names_, kept_);
  return Unit{};
}

// True where no input was cut and no colocation partner went.
bool Pruner::stays_as_it_is(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  const bool cut =
      !cuts_.all().empty() && std::any_of(inputs.begin(), inputs.end(),
                                          [&](const Edge& edge) { return cuts_.covers(edge); });
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
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (kept_[i]) {
      kept.push_back(nodes_[i]);
      stays_as_it_is(i) ? builder.add(nodes_[i]) : builder.add(changed(i));
    }
    for (const Cut& cut : cuts_.all()) {
      if (cut.node != i) continue;
      TRY(placeholder, placeholder_for(nodes_[i], cut, options_));
      builder.add(std::move(placeholder));
    }
  }
  for (const Function& function : functions_needed(kept, model_.graph)) builder.add(function);
  return builder.finish();
}

// Signatures begin where the graph does: "Split:1" is "Split_1" now.
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
  CHECK_OK(mark());
  TRY(graph, rebuild());
  const bool nothing_went = std::count(kept_.begin(), kept_.end(), false) == 0 &&
                            graph.functions().size() == model_.graph.functions().size();
  if (nothing_went) return model_;
  Model pruned = model_;
  pruned.graph = std::move(graph);
  if (!cuts_.all().empty()) rename_inputs(pruned);
  trim_meta(pruned, !cuts_.all().empty(), log_.diagnostics);
  return pruned;
}

}  // namespace

Result<Model> prune(const Model& model, const PassOptions& options, PassLog& log) {
  if (options.like_tensorflow) return prune_like_tensorflow(model, options, log);
  TRY(set, with_set_values(model, options, log));
  return Pruner(set, options, log).run();
}

}  // namespace cryo
