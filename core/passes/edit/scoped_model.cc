#include "passes/edit/scoped_model.h"

#include "base/text.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/variables.h"
#include "passes/common/freeze_record.h"
#include "passes/edit/renamed_nodes.h"

namespace cryo {
namespace {

bool enters_loop(const Node& node) { return node.op == "Enter" || node.op == "RefEnter"; }

// The name by which a resource of the node is shared; empty for none.
std::string_view shared_by(const Node& node) {
  const std::string_view shared = string_attr(node, "shared_name").value_or("");
  return shared == kAnonymousName ? std::string_view() : shared;
}

class Scope {
 public:
  explicit Scope(const std::string& name) : prefix_(cat(name, "/")) {}

  std::string under(std::string_view name) const { return cat(prefix_, name); }

  // Returns a node of the main graph, renamed already, or of a body.
  std::string node(const Node& node, bool in_body) const {
    NodeEditor editor(node);
    const bool renamed = !in_body && shared_by(node) == node.name;
    const bool handle = !in_body && is_resource_variable(node.op);
    const bool anonymous = string_attr(node, "shared_name") == kAnonymousName;
    // Handles without a shared name share one value.
    if (!renamed && !anonymous && (handle || !shared_by(node).empty())) {
      editor.set_attr("shared_name", string_value(under(shared_by(node))));
    }
    if (!in_body && enters_loop(node)) {
      const std::string_view frame = string_attr(node, "frame_name").value_or("");
      editor.set_attr("frame_name", string_value(under(frame)));
    }
    if (auto record = record_of(node)) {
      if (!record->key.empty()) record->key = under(record->key);
      if (!record->shared.empty()) record->shared = under(record->shared);
      editor.set_attr(kRecordAttr, record_value(*record));
    }
    return editor.finish();
  }

  Graph graph(const Graph& graph) const {
    GraphBuilder builder(graph);
    for (const Node& each : graph.nodes()) builder.add(node(each, false));
    for (const Function& each : graph.functions()) {
      shares(each) ? builder.add_function(function(each)) : builder.add(each);
    }
    return builder.finish();
  }

 private:
  static bool shares(const Function& function) {
    const auto nodes = body_nodes(function);
    if (!nodes) return false;
    for (const Node& each : *nodes) {
      if (!shared_by(each).empty()) return true;
    }
    return false;
  }

  std::string function(const Function& function) const {
    FunctionEditor editor(function);
    for (std::string& each : editor.nodes) {
      const Result<Node> scanned = scan_node(each);
      if (scanned && !shared_by(*scanned).empty()) each = node(*scanned, true);
    }
    return editor.finish();
  }

  std::string prefix_;
};

// The checkpoint, its keys under the scope.
Checkpoint scoped_checkpoint(const Model& model, const Scope& scope) {
  Checkpoint checkpoint = *model.checkpoint;
  for (CheckpointEntry& each : checkpoint.entries) each.key = scope.under(each.key);
  return checkpoint;
}

void add_shared(const std::vector<Node>& nodes, bool in_body, std::set<std::string>& names) {
  for (const Node& each : nodes) {
    const bool handle = !in_body && is_resource_variable(each.op);
    const std::string_view shared = shared_by(each);
    if (!shared.empty() || (handle && string_attr(each, "shared_name") != kAnonymousName)) {
      names.insert(cat("resource ", shared));
    }
    if (!in_body && enters_loop(each)) {
      names.insert(cat("loop ", string_attr(each, "frame_name").value_or("")));
    }
  }
}

}  // namespace

Model with_scope(const Model& model, const std::string& name) {
  const Scope scope(name);
  NewNames names;
  for (const Node& node : model.graph.nodes()) {
    names.emplace(std::string(node.name), scope.under(node.name));
  }
  Model made = with_renamed_nodes(model, names);
  made.graph = scope.graph(made.graph);
  for (auto& restore : made.restores.edit()) restore.second.key = scope.under(restore.second.key);
  if (model.checkpoint != nullptr) {
    made.checkpoint = std::make_shared<const Checkpoint>(scoped_checkpoint(model, scope));
  }
  return made;
}

std::set<std::string> shared_names(const Model& model) {
  std::set<std::string> names;
  add_shared(model.graph.nodes(), false, names);
  for (const Function& function : model.graph.functions()) {
    if (const auto nodes = body_nodes(function)) add_shared(*nodes, true, names);
  }
  for (const Variable& variable : variables_of(model)) {
    names.insert(cat("checkpoint key ", variable.key));
  }
  return names;
}

}  // namespace cryo
