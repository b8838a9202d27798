#include "passes/extract.h"

#include <map>
#include <set>

#include "base/text.h"
#include "model/object_graph.h"
#include "model/variables.h"
#include "passes/weights.h"
#include "tensor/content.h"

namespace cryo {
namespace {

class Extractor {
 public:
  Extractor(const Model& model, const PassOptions& options, PassLog& log)
      : model_(model), options_(options), log_(log) {}

  Result<Model> run();

 private:
  void add_variables();
  void add_constants();
  void add_other_entries();

  const Model& model_;
  const PassOptions& options_;
  PassLog& log_;
  std::map<std::string, CheckpointEntry> entries_;
  std::set<std::string> used_keys_;  // of the checkpoint
};

void Extractor::add_variables() {
  for (Variable variable : variables_of(model_)) {
    used_keys_.insert(variable.key);
    const std::string name = variable.slice.empty() ? variable.name : variable.key;
    if (entries_.contains(name)) continue;
    if (!variable.slice.empty()) {
      variable.slice.clear();
      variable.shape = {true, {}};
    }
    const Result<Tensor> value = value_of(model_, variable);
    if (value) {
      CheckpointEntry entry = *model_.checkpoint->find(variable.key);
      entry.key = name;
      entries_.emplace(name, std::move(entry));
    } else {
      log_.diagnostics.warn(value.error().code, value.error().message, value.error().where,
                            value.error().fix);
    }
  }
}

void Extractor::add_constants() {
  const std::vector<Node>& nodes = model_.graph.nodes();
  const NodeNames names(nodes);
  const Consumers consumers{Edges(nodes, names)};
  for (const Weight& weight : find_weights(model_.graph, consumers, options_)) {
    const Node& node = nodes[weight.node];
    const auto value = read_tensor(tensor_attr(node, "value").value_or(""), *model_.payloads);
    if (!value) continue;
    const std::string name(node.name);
    CheckpointEntry entry{name, value->dtype, value->shape, value->content.size(), value->content};
    entries_.emplace(name, std::move(entry));
  }
}

void Extractor::add_other_entries() {
  if (model_.checkpoint == nullptr) return;
  for (const CheckpointEntry& entry : model_.checkpoint->entries) {
    if (used_keys_.contains(entry.key) || entry.key == kObjectGraphKey) continue;
    CheckpointEntry named = entry;
    named.key = plain_key(entry.key);
    entries_.emplace(named.key, std::move(named));
  }
}

Result<Model> Extractor::run() {
  if (model_.has_graph) {
    add_variables();
    add_constants();
  }
  add_other_entries();
  if (entries_.empty()) {
    return failure("no-weights", cat("'", model_.name, "' holds no weights"), {},
                   "give the checkpoint of the graph with --checkpoint PREFIX");
  }
  Checkpoint checkpoint;
  for (auto& entry : entries_) {
    const CheckpointEntry& one = entry.second;
    log_.converted.push_back({one.key, model_.has_graph ? "model" : "checkpoint", "array",
                              one.dtype, one.shape, one.bytes});
    checkpoint.entries.push_back(std::move(entry.second));
  }
  Model weights{Kind::kCheckpoint, model_.name, model_.files};
  weights.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return weights;
}

}  // namespace

Result<Model> extract_weights(const Model& model, const PassOptions& options, PassLog& log) {
  return Extractor(model, options, log).run();
}

}  // namespace cryo
