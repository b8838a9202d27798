#include "passes/prune/kept_variables.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/common/unmatched.h"
#include "passes/prune/pruner.h"

namespace cryo {
namespace {

std::string node_of(const std::string& tensor) {
  return std::string(parse_tensor_name(tensor).node);
}

// The names in each variable's VariableDef, by variable.
using Needs = std::map<std::string, std::vector<std::string>, std::less<>>;

struct Definitions {
  Needs needs = {};
  std::set<std::string, std::less<>> initializers = {};
};

Definitions definitions_of(const Model& model) {
  Definitions all;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.collection_def()) {
    if (!is_variable_collection(entry.key())) continue;
    for (const auto& def : variable_defs(meta, entry.key())) {
      auto& names = all.needs[node_of(def.variable_name())];
      if (!names.empty()) continue;
      names = {node_of(def.initializer_name()), node_of(def.initial_value_name()),
               node_of(def.snapshot_name())};
      all.initializers.insert(names[0]);
    }
  }
  return all;
}

// Returns the variables needed to load the remaining ones: an initial value may need another one.
Result<std::set<std::string>> needed_to_load(const Model& model, const Ends& ends,
                                             const VariableSelection& selection,
                                             const OpRegistry* ops,
                                             const Definitions& definitions) {
  Ends with_needs = ends;
  std::set<std::string> needs;
  for (size_t before = 1; before != needs.size();) {
    before = needs.size();
    Diagnostics diagnostics;
    TRY(pruned, prune_to_outputs(model, with_needs, ops, diagnostics));
    for (const Node& node : pruned.graph.nodes()) {
      const auto found = definitions.needs.find(node.name);
      const bool stays = is_variable(node.op) && selection.keeps(node.name);
      if (stays && found != definitions.needs.end()) {
        needs.insert(found->second.begin(), found->second.end());
      }
    }
    with_needs.keep.assign(needs.begin(), needs.end());
  }
  return needs;
}

// Returns true for a NoOp that only initializes variables: global_variables_initializer().
bool initializes(const Node& node, const Definitions& definitions) {
  if (node.op != "NoOp" || node.input_count == 0) return false;
  for (const std::string_view input : node.inputs()) {
    const bool one = input.starts_with('^') && definitions.initializers.count(input.substr(1)) > 0;
    if (!one) return false;
  }
  return true;
}

}  // namespace

VariableSelection VariableSelection::none() {
  VariableSelection none;
  none.keep_variables.push_back(*Glob::parse("**"));
  return none;
}

bool VariableSelection::keeps(std::string_view name) const {
  return (!variables.empty() && !variables.any_names(name)) || keep_variables.any_names(name);
}

Result<VariableSelection> with_variables_by_node(const Model& model,
                                                 const VariableSelection& selection) {
  VariableSelection by_node = selection;
  if (!selection.is_partial()) return by_node;
  for (const Variable& variable : variables_of(model)) {
    if (variable.weight == variable.name) continue;
    TRY(exact, Glob::parse(variable.name));
    for (Globs* globs : {&by_node.variables, &by_node.keep_variables}) {
      if (globs->any_names(variable.weight)) globs->push_back(exact);
    }
  }
  return by_node;
}

Status check_variable_globs(const Model& model, const VariableSelection& selection) {
  std::vector<std::string> names;
  for (const Variable& variable : variables_of(model)) {
    names.push_back(variable.name);
    if (variable.weight != variable.name) names.push_back(variable.weight);
  }
  CHECK_OK(check_globs(selection.variables, OPTION("--variables", ""), "variable", names));
  return check_globs(selection.keep_variables, OPTION("--keep-variables", ""), "variable", names);
}

Result<KeptLoadable> keep_loadable(const Model& model, const Ends& ends,
                                   const VariableSelection& selection, const OpRegistry* ops) {
  KeptLoadable kept{model};
  const Definitions definitions = definitions_of(model);
  TRY(needs, needed_to_load(model, ends, selection, ops, definitions));
  kept.nodes.assign(needs.begin(), needs.end());
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) {
    if (!initializes(node, definitions)) {
      builder.add(node);
      continue;
    }
    std::vector<std::string> inputs;
    for (const std::string_view input : node.inputs()) {
      if (needs.count(std::string(input.substr(1))) > 0) inputs.emplace_back(input);
    }
    if (!inputs.empty()) kept.nodes.emplace_back(node.name);
    builder.add(inputs.empty() ? std::string(node.bytes)
                               : NodeEditor(node).set_inputs(std::move(inputs)).finish());
  }
  builder.add_functions_of(model.graph);
  kept.model.graph = builder.finish();
  return kept;
}

void drop_frozen_variables(Model& model) {
  if (model.meta.empty()) return;
  std::set<std::string_view> variables;
  for (const Node& node : model.graph.nodes()) {
    if (is_variable(node.op)) variables.insert(node.name);
  }
  tensorflow::MetaGraphDef meta = parse_meta(model);
  for (auto& entry : *meta.mutable_collection_def()) {
    if (!is_variable_collection(entry.key())) continue;
    auto& defs = *entry.mutable_value()->mutable_bytes_list()->mutable_value();
    const auto is_frozen = [&](const std::string& bytes) {
      tensorflow::VariableDef def;
      return !def.ParseFromString(bytes) || variables.count(node_of(def.variable_name())) == 0;
    };
    defs.erase(std::remove_if(defs.begin(), defs.end(), is_frozen), defs.end());
  }
  auto& collections = *meta.mutable_collection_def();
  const auto is_empty = [&](const auto& entry) {
    const bool list = variables.empty() || entry.value().has_bytes_list();
    return is_variable_collection(entry.key()) && list &&
           entry.value().bytes_list().value().empty();
  };
  collections.erase(std::remove_if(collections.begin(), collections.end(), is_empty),
                    collections.end());
  meta.clear_saver_def();
  set_meta(model, std::move(meta));
}

}  // namespace cryo
