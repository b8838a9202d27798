#include "passes/prune/cleanup.h"

#include <algorithm>
#include <unordered_set>

#include "base/function_ref.h"
#include "bytes/coding.h"
#include "graph/edges.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "graph/op_registry.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/model_ops.h"
#include "passes/prune/body_model.h"
#include "passes/prune/bypass.h"
#include "passes/prune/kept_nodes.h"
#include "passes/prune/pruner.h"
#include "wire/canonical.h"

namespace cryo {
namespace {

// A function that returns the rebuilt NodeDef; nothing if the node stays as it is.
using Edit = FunctionRef<std::optional<std::string>(const Node&)>;

// Returns the FunctionDef with its nodes edited, the rest verbatim.
std::optional<std::string> edited(const Function& function, Edit edit) {
  FunctionEditor editor(function);
  bool changed = false;
  for (std::string& node_def : editor.nodes) {
    const Result<Node> node = scan_node(node_def);
    const auto made = node ? edit(*node) : std::nullopt;
    changed = changed || made;
    if (made) node_def = *made;
  }
  return changed ? std::optional(editor.finish()) : std::nullopt;
}

// Every node of the graph and of its functions, edited.
Model with_each_node(const Model& model, Edit edit) {
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) {
    const auto made = edit(node);
    made ? builder.add(*made) : builder.add(node);
  }
  for (const Function& function : model.graph.functions()) {
    const auto made = edited(function, edit);
    made ? builder.add_function(*made) : builder.add(function);
  }
  Model changed = model;
  changed.graph = builder.finish();
  return changed;
}

// Removes the nodes for which `goes` is true and that need not be kept.
template <typename Goes>
Model without(const Model& model, const std::vector<std::string>& outputs, Goes goes) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  const KeptNodes kept(model, outputs);
  std::vector<bool> gone(nodes.size(), false);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    gone[i] = !kept.has(i) && goes(nodes, edges.inputs(i), i);
  }
  if (std::none_of(gone.begin(), gone.end(), [](bool each) { return each; })) return model;
  Model changed = model;
  changed.graph = bypass(model.graph, edges, gone);
  return changed;
}

bool starts_with_data(std::span<const Edge> inputs) {
  return !inputs.empty() && !inputs.front().control && inputs.front().node != kNoNode;
}

// Returns the ends after cleaning: nodes without consumers have a purpose of their own.
std::vector<std::string> ends_of(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Consumers& consumers = model.graph.index().consumers();
  std::vector<std::string> ends;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (consumers.of(i).empty()) ends.emplace_back(nodes[i].name);
  }
  return ends;
}

// The same for a function's body; nullopt if it is unchanged.
std::optional<std::string> cleaned_body(const Function& function, const Cleanup& cleanup,
                                        KnownOps& ops, const Model& model) {
  const auto body = BodyModel::of(function, ops, model.payloads);
  if (!body) return std::nullopt;
  Model made = body->model();
  if (cleanup.drop_checks) made = without_checks(made, body->ends());
  if (cleanup.splice_identities) made = without_identities(made, body->ends());
  if (made.graph.nodes().size() == body->model().graph.nodes().size()) return std::nullopt;
  const Result<Model> pruned = body->pruned(made);
  return pruned ? body->function_def(pruned->graph) : std::nullopt;
}

Model with_cleaned_bodies(const Model& model, const Cleanup& cleanup, const OpRegistry& known) {
  const OpRegistry registry = with_model_ops(model, known);
  const Library library(model.graph);
  KnownOps ops(registry, library);
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) builder.add(node);
  for (const Function& function : model.graph.functions()) {
    const auto made = cleaned_body(function, cleanup, ops, model);
    made ? builder.add_function(*made) : builder.add(function);
  }
  Model made = model;
  made.graph = builder.finish();
  return made;
}

}  // namespace

Model without_devices(const Model& model) {
  return with_each_node(model, [](const Node& node) {
    return device_of(node).empty() ? std::nullopt
                                   : std::optional(NodeEditor(node).set_device("").finish());
  });
}

Model without_checks(const Model& model, const std::vector<std::string>& outputs) {
  return without(model, outputs, [](const auto& nodes, std::span<const Edge> inputs, uint32_t i) {
    const std::string_view op = nodes[i].op;
    const bool check = op == "Print" || op == "CheckNumerics" || op == "CheckNumericsV2";
    return op == "Assert" || op == "PrintV2" || (check && starts_with_data(inputs));
  });
}

Model without_identities(const Model& model, const std::vector<std::string>& outputs) {
  return without(model, outputs, [](const auto& nodes, std::span<const Edge> inputs, uint32_t i) {
    if (nodes[i].op != "Identity" || inputs.size() != 1 || !starts_with_data(inputs)) return false;
    const std::string_view from = nodes[inputs.front().node].op;
    return !is_switch(from) && !is_ref_variable(from) && !is_update(from) &&
           !from.starts_with("Ref");
  });
}

Model without_defaults(const Model& model, const OpRegistry& ops) {
  const MessageSchema& schema = message_schema("tensorflow.AttrValue");
  std::unordered_set<std::string_view> functions;
  for (const Function& function : model.graph.functions()) functions.insert(function.name);
  Model stripped = with_each_node(model, [&](const Node& node) -> std::optional<std::string> {
    const OpDef* op = ops.find(node.op);
    if (op == nullptr || functions.contains(node.op)) return std::nullopt;
    NodeEditor editor(node);
    bool changed = false;
    for (const Attr& attr : attrs_of(node)) {
      const int place = op->attr_index(attr.key);
      if (place == kNoAttr) continue;
      const auto& usual = op->attrs[static_cast<size_t>(place)].default_value;
      if (!usual || canonical(attr.value, schema, *model.payloads) !=
                        canonical(*usual, schema, *model.payloads)) {
        continue;
      }
      editor.erase_attr(attr.key);
      changed = true;
    }
    return changed ? std::optional(editor.finish()) : std::nullopt;
  });
  if (stripped.meta.empty()) return stripped;
  tensorflow::MetaGraphDef meta = parse_meta(stripped);
  meta.mutable_meta_info_def()->set_stripped_default_attrs(true);
  set_meta(stripped, std::move(meta));
  return stripped;
}

Result<Model> clean(const Model& model, const Cleanup& cleanup,
                    const std::vector<std::string>& outputs, const OpRegistry* ops,
                    Diagnostics& diagnostics) {
  Model made = model;
  if (cleanup.drop_checks) made = without_checks(made, outputs);
  if (cleanup.splice_identities) made = without_identities(made, outputs);
  if (cleanup.drop_checks || cleanup.splice_identities) {
    TRY(pruned, prune_to_ends(made, only_outputs(outputs, ends_of(model)), ops, diagnostics));
    made = std::move(pruned);
    const bool has_bodies = ops != nullptr && !made.graph.functions().empty();
    if (has_bodies) made = with_cleaned_bodies(made, cleanup, *ops);
  }
  if (cleanup.clear_devices) made = without_devices(made);
  if (cleanup.strip_defaults && ops != nullptr) {
    made = without_defaults(made, with_model_ops(model, *ops));
  }
  return made;
}

}  // namespace cryo
