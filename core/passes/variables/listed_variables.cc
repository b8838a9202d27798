#include "passes/variables/listed_variables.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/roles.h"
#include "model/analysis/auxiliary_variables.h"
#include "model/analysis/optimizer_state.h"
#include "model/meta.h"
#include "model/variable_initializers.h"
#include "model/variables.h"
#include "passes/variables/variable_initializers.h"
#include "passes/weights/find_weights.h"

namespace cryo {
namespace {

bool is_listed(const tensorflow::MetaGraphDef& meta) {
  const auto& collections = meta.collection_def();
  return std::any_of(collections.begin(), collections.end(),
                     [](const auto& entry) { return is_variable_collection(entry.key()); });
}

// The names of the variables that training changes by gradient.
std::set<std::string> trainable_variables(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  std::set<uint32_t> stepped;  // changed by an optimizer's op
  std::set<uint32_t> changed;  // changed by another update
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_update(nodes[i].op) || edges.inputs(i).empty()) continue;
    const bool step = is_training_step(nodes[i].op);
    const bool start = is_assignment(nodes[i].op);
    if (step) stepped.insert(edges.inputs(i)[0].node);
    if (!step && !start) changed.insert(edges.inputs(i)[0].node);
  }
  WeightUses uses(model.graph);
  const std::set<uint32_t> used = trainable_by_use(nodes, edges, uses);
  std::set<std::string> never = training_state(model);
  for (const auto& each : side_variables(model)) never.insert(each.first);
  const bool by_objects = !object_graph_of(model).empty();
  std::set<std::string> trainable;
  for (const Variable& each : variables_of(model)) {
    // Sparse gradients are applied by hand, some of them.
    const bool may = stepped.empty() || changed.contains(each.node);
    const bool found = stepped.contains(each.node) || (may && used.contains(each.node));
    if (by_objects ? each.trainable : found && !never.contains(each.name)) {
      trainable.insert(each.name);
    }
  }
  return trainable;
}

NewVariable described_variable(const Model& model, const std::set<std::string>& trainable,
                               const Variable& variable) {
  NewVariable made{variable.name, std::string(model.graph.nodes()[variable.node].op),
                   variable.dtype, variable.shape, trainable.contains(variable.name)};
  made.key = variable.key;
  made.slice = variable.slice;
  return made;
}

// The assignment that TensorFlow names after the variable.
bool find_assignment(const Model& model, NewVariable& variable, uint32_t node) {
  const uint32_t assign = model.graph.index().names().find(cat(variable.name, "/Assign"));
  if (assign == kNoNode) return false;
  const bool fits =
      model.graph.nodes()[assign].op == (variable.resource() ? "AssignVariableOp" : "Assign");
  const auto inputs = model.graph.index().edges().inputs(assign);
  if (!fits || inputs.size() < 2 || inputs[0].node != node || inputs[1].node == kNoNode) {
    return false;
  }
  variable.assign = model.graph.nodes()[assign].name;
  variable.initializer = model.graph.nodes()[inputs[1].node].name;
  return inputs[1].port == 0;
}

bool find_read(const Model& model, NewVariable& variable, uint32_t node) {
  const std::string_view op = variable.resource() ? "ReadVariableOp" : "Identity";
  const std::string own =
      cat(variable.name, variable.resource() ? "/Read/ReadVariableOp" : "/read");
  for (const Consumer& consumer : model.graph.index().consumers().of(node)) {
    const Node& read = model.graph.nodes()[consumer.node];
    if (consumer.control || read.op != op || read.name != own) continue;
    variable.read = own;
    return true;
  }
  return false;
}

// Adds what the variable's definition names and the graph lacks; false where no value is known.
Result<bool> complete_variable(const Model& model, NewVariable& variable, const Variable& from,
                               VariableInitializers& initializers, GraphBuilder& builder,
                               FreshNames& fresh) {
  const Result<Tensor> value = value_of(model, from);
  // The loader of SavedModels restores all that is listed; an asset's path is not saved.
  if (!value && model.kind == Kind::kSavedModel) return false;
  if (!find_assignment(model, variable, from.node)) {
    if (!value) return false;
    variable.shape = value->shape;
    CHECK_OK(initializers.add(variable, *value));
  }
  if (find_read(model, variable, from.node)) return true;
  variable.read =
      fresh.take(cat(variable.name, variable.resource() ? "/Read/ReadVariableOp" : "/read"));
  add_read(variable, builder);
  return true;
}

}  // namespace

Result<Model> with_listed_variables(const Model& model, const Model& whole) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const bool none = std::none_of(nodes.begin(), nodes.end(),
                                 [](const Node& node) { return is_variable(node.op); });
  if (none || is_listed(parse_meta(model)) || is_listed(parse_meta(whole))) return model;
  const std::set<std::string> trainable = trainable_variables(whole);
  FreshNames fresh(model.graph.index().names());
  Model listed = model;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) builder.add(node);
  VariableInitializers initializers(false, fresh, *model.payloads, builder);
  std::map<std::string, std::vector<std::string>> collections;
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) continue;
    NewVariable made = described_variable(model, trainable, variable);
    TRY(complete_one, complete_variable(model, made, variable, initializers, builder, fresh));
    if (!complete_one) continue;
    const std::string definition = variable_def(made).SerializeAsString();
    for (const std::string& name : usual_collections(made.trainable)) {
      collections[name].push_back(definition);
    }
  }
  if (collections.empty()) return model;
  add_definitions(collections, meta);
  builder.add_functions_of(model.graph);
  listed.graph = builder.finish();
  for (const Node& node : listed.graph.nodes()) {
    if (model.graph.index().names().find(node.name) == kNoNode)
      listed.variable_initializers.emplace_back(node.name);
  }
  set_meta(listed, std::move(meta));
  return listed;
}

Result<Model> for_collections(const Model& model, const WriteOptions& options) {
  if (!writes_collections(model, options)) return without_variable_initializers(model);
  const bool same = model.kind == Kind::kSavedModel && is_for_saved_model(model, options) &&
                    model.graph.is_as_read();
  const bool has_own = same || model.kind == Kind::kMetaGraph;
  return has_own || !model.has_graph ? model : with_listed_variables(model, model);
}

}  // namespace cryo
