#include "passes/weights/named_weights.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "checkpoint/object_graph.h"
#include "model/analysis/optimizer_state.h"
#include "model/variables.h"
#include "passes/common/merge_failures.h"
#include "passes/common/unmatched.h"
#include "passes/weights/find_weights.h"
#include "tensor/content.h"

namespace cryo {
namespace {

using ByName = std::map<std::string, NamedWeight>;

// Values of variables; their keys go to `used`.
void add_variables(const Model& model, std::set<std::string>& used, ByName& weights,
                   Diagnostics& diagnostics) {
  std::map<std::string, std::vector<Diagnostic>> lost;  // by code
  for (Variable variable : variables_of(model)) {
    used.insert(variable.key);
    const std::string name = variable.slice.empty() ? variable.weight : variable.key;
    if (!variable.copy_of.empty() || weights.contains(name)) continue;
    if (!variable.slice.empty()) {
      variable.slice.clear();
      variable.shape = {true, {}};
    }
    const Result<Tensor> value = value_of(model, variable);
    const CheckpointEntry* entry =
        model.checkpoint == nullptr ? nullptr : model.checkpoint->find(variable.key);
    if (value || (entry != nullptr && entry->fault != nullptr)) {
      NamedWeight weight{name, {}, plain_key(variable.key), {}, *entry, variable.node};
      if (plain_key(variable.key) != name) weight.others.push_back(plain_key(variable.key));
      if (variable.weight != variable.name) weight.others.push_back(variable.name);
      weights.emplace(name, std::move(weight));
    } else if (lost.empty() || model.checkpoint != nullptr) {
      lost[value.error().code].push_back(value.error());
    }
  }
  for (const auto& each : lost) {
    const Diagnostic all = merge_failures(each.second);
    diagnostics.warn(all.code, all.message, all.where, all.fix);
  }
}

Status add_constant(const Model& model, uint32_t index, bool sure, uint64_t& announced,
                    ByName& weights) {
  const Node& node = model.graph.nodes()[index];
  const auto value = read_tensor(tensor_attr(node, "value").value_or(""), *model.payloads);
  if (!value) return Unit{};
  CHECK_OK(announce_weight(node, value->content.size(), announced));
  const std::string name(node.name);
  CheckpointEntry entry{name, value->dtype, value->shape, value->content.size(), value->content};
  weights.emplace(name, NamedWeight{name, {}, {}, {}, std::move(entry), index, sure});
  return Unit{};
}

Status add_constants(const Model& model, const WeightSelection& selection, ByName& weights) {
  uint64_t announced = 0;
  // In a model with variables, a fair weight is a plain constant: anchors, a range.
  const bool has_variables = !weights.empty();
  for (const Weight& weight : find_weights(model.graph, selection)) {
    if (has_variables && weight.confidence == Weight::kFair) continue;
    CHECK_OK(add_constant(model, weight.node, true, announced, weights));
  }
  return Unit{};
}

// Adds the tensors of the checkpoint that are not values of variables.
void add_other_entries(const Model& model, const std::set<std::string>& used, ByName& weights) {
  if (model.checkpoint == nullptr) return;
  const bool keys = model.kind != Kind::kNpz && model.kind != Kind::kSafetensors;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (used.contains(entry.key) || entry.key == kObjectGraphKey) continue;
    const std::string name = plain_key(entry.key);
    weights.emplace(name, NamedWeight{name, {}, keys ? name : std::string(), {}, entry});
  }
}

bool has_name_in(const std::set<std::string>& names, const NamedWeight& weight) {
  return names.contains(weight.name) ||
         std::any_of(weight.others.begin(), weight.others.end(),
                     [&](const std::string& other) { return names.contains(other); });
}

std::vector<NamedWeight> sorted(ByName weights) {
  std::vector<NamedWeight> all;
  for (auto& each : weights) all.push_back(std::move(each.second));
  return all;
}

}  // namespace

Result<std::vector<NamedWeight>> named_weights(const Model& model, const WeightSelection& selection,
                                               bool no_slots, Diagnostics& diagnostics) {
  ByName weights;
  std::set<std::string> used;
  if (model.has_graph) {
    add_variables(model, used, weights, diagnostics);
    CHECK_OK(add_constants(model, selection, weights));
  }
  add_other_entries(model, used, weights);
  if (no_slots) {
    const std::set<std::string> training = training_state(model);
    std::erase_if(weights, [&](const auto& each) { return has_name_in(training, each.second); });
  }
  return sorted(std::move(weights));
}

bool goes_by(const Globs& globs, const NamedWeight& weight) {
  const auto matches = [&](const std::string& name) { return globs.any_names(name); };
  return matches(weight.name) || std::any_of(weight.others.begin(), weight.others.end(), matches);
}

void add_object_names(const Model& model, std::vector<NamedWeight>& weights) {
  if (model.has_graph || model.checkpoint == nullptr) return;
  const Result<ObjectGraph> objects = read_checkpoint_objects(*model.checkpoint);
  if (!objects) return;
  std::map<std::string_view, std::string_view> names;
  for (const TrackedObject& each : *objects) {
    if (!each.key.empty() && !each.name.empty()) names.emplace(each.key, each.name);
  }
  for (NamedWeight& weight : weights) {
    const auto name = names.find(weight.entry.key);
    if (name != names.end()) weight.others.emplace_back(name->second);
  }
}

Status rename_weights(const std::vector<RenameRule>& rules, std::vector<NamedWeight>& weights,
                      const std::vector<std::string>& others) {
  std::set<const RenameRule*> used;
  std::vector<std::string> names;
  for (const NamedWeight& weight : weights) names.push_back(weight.name);
  ByName by_name;
  for (NamedWeight& weight : weights) {
    Renamed to = renamed_weight(rules, weight.name);
    used.insert(to.rule);
    if (to.rule != nullptr) {
      weight.given = std::exchange(weight.name, to.name);
      weight.others.clear();
      weight.key.clear();
    }
    const auto place = by_name.try_emplace(to.name, std::move(weight));
    if (place.second) continue;
    const std::string& name = weight.given.empty() ? weight.name : weight.given;
    return failure(
        "duplicate-name",
        cat("two weights would be called ", quoted(to.name), "; one of them is ", quoted(name)),
        {.tensor = name}, "give them names of their own: " OPTION("--rename", "FROM=TO"));
  }
  weights = sorted(std::move(by_name));
  for (const std::string& name : others) used.insert(renamed_weight(rules, name).rule);
  return check_rules(rules, used, names);
}

Status add_constants_named(const Model& model, const std::vector<RenameRule>& rules,
                           const std::set<std::string>& wanted, std::vector<NamedWeight>& weights) {
  std::set<uint32_t> known;
  for (const NamedWeight& weight : weights) known.insert(weight.node);
  ByName more;
  uint64_t announced = 0;
  const std::vector<Node>& nodes = model.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const bool plain = nodes[i].op == "Const" && nodes[i].input_count == 0;
    if (!plain || known.contains(i) ||
        !wanted.contains(renamed_weight(rules, nodes[i].name).name)) {
      continue;
    }
    CHECK_OK(add_constant(model, i, false, announced, more));
  }
  for (auto& each : more) {
    NamedWeight& weight = each.second;
    Renamed to = renamed_weight(rules, weight.name);
    if (to.rule != nullptr) weight.given = std::exchange(weight.name, std::move(to.name));
    weights.push_back(std::move(weight));
  }
  return Unit{};
}

}  // namespace cryo
