#include "passes/extract.h"

#include <map>
#include <set>

#include "base/rename.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/object_graph.h"
#include "model/slots.h"
#include "model/variables.h"
#include "passes/weights.h"
#include "table/value_slices.h"
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
  Status add_constants();
  void add_other_entries();
  Status rename();

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

Status Extractor::add_constants() {
  const std::vector<Node>& nodes = model_.graph.nodes();
  const NodeNames names(nodes);
  const Consumers consumers{Edges(nodes, names)};
  uint64_t announced = 0;
  for (const Weight& weight : find_weights(model_.graph, consumers, options_)) {
    const Node& node = nodes[weight.node];
    const auto value = read_tensor(tensor_attr(node, "value").value_or(""), *model_.payloads);
    if (!value) continue;
    CHECK_OK(announce_weight(node, value->content.size(), announced));
    const std::string name(node.name);
    CheckpointEntry entry{name, value->dtype, value->shape, value->content.size(), value->content};
    entries_.emplace(name, std::move(entry));
  }
  return Unit{};
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

Status Extractor::rename() {
  TRY(rules, parse_rename_rules(options_.rename));
  std::set<const RenameRule*> used;
  std::map<std::string, CheckpointEntry> entries;
  for (auto& each : entries_) {
    const Renamed to = renamed(rules, each.first);
    used.insert(to.rule);
    each.second.key = to.name;
    if (entries.emplace(to.name, std::move(each.second)).second) continue;
    return failure("duplicate-name",
                   cat("two weights would be called ", quoted(to.name), "; one of them is ",
                       quoted(each.first)),
                   {.tensor = each.first}, "give them names of their own: --rename FROM=TO");
  }
  entries_ = std::move(entries);
  for (const RenameRule& rule : rules) {
    if (used.contains(&rule)) continue;
    log_.diagnostics.warn("rename-unused", cat("no weight is renamed by --rename ", rule.text), {},
                          "see the names: cryograph list PATH weights");
  }
  return Unit{};
}

Result<Model> Extractor::run() {
  if (model_.has_graph) {
    add_variables();
    CHECK_OK(add_constants());
  }
  add_other_entries();
  if (options_.no_slots) {
    for (const std::string& name : training_state(model_)) entries_.erase(name);
  }
  if (entries_.empty()) {
    return failure("no-weights", cat("'", model_.name, "' holds no weights"), {},
                   "give the checkpoint of the graph with --checkpoint PREFIX");
  }
  CHECK_OK(rename());
  if (model_.checkpoint != nullptr) {
    for (const SourcePtr& table : model_.checkpoint->tables) CHECK_OK(verify_blocks(table));
  }
  Checkpoint checkpoint;
  for (auto& entry : entries_) {
    const CheckpointEntry& one = entry.second;
    if (!one.fault) CHECK_OK(verify(one));
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
