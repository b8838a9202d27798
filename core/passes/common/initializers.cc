#include "passes/common/initializers.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "graph/walk.h"
#include "model/asset_paths.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/restore_ops.h"
#include "model/variables.h"

namespace cryo {
namespace {

NodeSet needed_for(const Graph& graph, const std::vector<std::string>& tensors) {
  std::vector<uint32_t> starts;
  for (const std::string& tensor : tensors) {
    starts.push_back(graph.index().names().find(parse_tensor_name(tensor).node));
  }
  return walk_back(graph.index().edges(), starts);
}

// Returns the node of the handle at input 0, before any Identity.
uint32_t handle_of(const Graph& graph, uint32_t node) {
  const Edges& edges = graph.index().edges();
  if (edges.inputs(node).empty()) return kNoNode;
  return skip_identities(graph.nodes(), edges, edges.inputs(node)[0]).node;
}

// The assignments that the init op runs, each variable's first; none of a restored value.
std::map<uint32_t, uint32_t> assignments(const Graph& graph, const NodeSet& at_load) {
  const std::vector<Node>& nodes = graph.nodes();
  std::map<uint32_t, uint32_t> assigns;  // variable -> assignment
  std::unordered_set<uint32_t> restored;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto inputs = graph.index().edges().inputs(i);
    if (!at_load[i] || !is_assignment(nodes[i].op) || inputs.size() < 2) continue;
    if (inputs[1].node == kNoNode || inputs[1].control) continue;
    const uint32_t variable = handle_of(graph, i);
    if (is_restore(nodes[inputs[1].node].op)) restored.insert(variable);
    assigns.emplace(variable, i);
  }
  for (const uint32_t variable : restored) assigns.erase(variable);
  return assigns;
}

void find_first_values(const Model& model, const NodeSet& at_load, Initializers& initializers) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const std::map<uint32_t, uint32_t> assigns = assignments(model.graph, at_load);
  if (assigns.empty()) return;
  for (const Variable& variable : variables_of(model)) {
    const auto found = assigns.find(variable.node);
    if (found == assigns.end()) continue;
    const Edge& value = model.graph.index().edges().inputs(found->second)[1];
    const std::string_view name = nodes[value.node].name;
    const std::string tensor = value.port == 0 ? std::string(name) : cat(name, ":", value.port);
    const bool stored = model.checkpoint != nullptr && model.checkpoint->find(variable.key);
    if (stored || model.restores->contains(variable.name)) {
      initializers.overwritten.emplace(variable.name, tensor);
      continue;
    }
    initializers.first[variable.name] = tensor;
    initializers.by_init_op.insert(variable.name);
    initializers.assigns.emplace(nodes[found->second].name);
    initializers.keep.emplace_back(name);
  }
}

// Returns the nodes that fill the tables of `needed`. Reports tables that nothing fills.
std::vector<std::string> find_table_fillers(const Graph& graph, const NodeSet& needed,
                                            Diagnostics& diagnostics) {
  const std::vector<Node>& nodes = graph.nodes();
  std::vector<std::string> fillers;
  std::unordered_set<uint32_t> filled;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!fills_table(nodes[i].op)) continue;
    const uint32_t table = handle_of(graph, i);
    if (table == kNoNode || !needed[table]) continue;
    filled.insert(table);
    fillers.emplace_back(nodes[i].name);
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i] || !is_fixed_table(nodes[i].op) || filled.count(i) > 0) continue;
    diagnostics.warn("table-not-filled",
                     cat("nothing in the graph fills the table '", nodes[i].name, "'"),
                     {.node = nodes[i].name});
  }
  return fillers;
}

// Adds the op that runs the fillers, unless an earlier freeze has added it. Returns its name; empty
// if there are no fillers.
std::string add_init(const std::vector<std::string>& fillers, Model& model) {
  if (fillers.empty()) return {};
  const std::string init = "init_all_tables";
  const NodeNames& names = model.graph.index().names();
  const uint32_t found = names.find(init);
  if (found != kNoNode && runs_just(model.graph.nodes()[found], fillers)) return init;
  const std::string added = FreshNames(names).take(init);
  model.graph = with_group(model.graph, added, fillers);
  return added;
}

// Names the init op in the model's meta; a bare GraphDef without one remains one.
void name_init_op(Model& model, const std::string& init) {
  if (model.meta.empty() && init.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  set_init_op(meta, init);
  set_meta(model, std::move(meta));
}

}  // namespace

std::vector<std::string> named_init_ops(const tensorflow::MetaGraphDef& meta) {
  std::vector<std::string> ops;
  const auto add = [&](const std::string& name) {
    std::string op(parse_tensor_name(name).node);
    if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(std::move(op));
  };
  for (const auto& entry : meta.signature_def()) {
    if (entry.key() != kInitSignature) continue;
    for (const auto& output : entry.value().outputs()) add(output.value().name());
  }
  for (const auto& entry : meta.collection_def()) {
    if (!is_init_collection(entry.key())) continue;
    for (const std::string& name : entry.value().node_list().value()) add(name);
  }
  return ops;
}

bool runs_init_op(const Model& model) {
  return model.kind == Kind::kSavedModel && !restore_fault(model);
}

std::vector<std::string> initializer_roots(const Model& model) {
  std::vector<std::string> roots = named_init_ops(parse_meta(model));
  for (const Node& node : model.graph.nodes()) {
    if (fills_table(node.op)) roots.emplace_back(node.name);
  }
  return roots;
}

void report_init_op(const Variable& variable, bool stays, const Initializers& initializers,
                    Diagnostics& diagnostics) {
  const LocationRef where{.node = variable.name};
  if (const auto to = initializers.overwritten.find(variable.name);
      to != initializers.overwritten.end()) {
    diagnostics.warn("restored-then-assigned",
                     cat("TensorFlow's loader restores the variable '", variable.name,
                         "', and the SavedModel's init op then assigns '", to->second,
                         "' to it: the checkpoint's value was taken"),
                     where, "check that the value in the checkpoint is the one you want");
  }
  if (!initializers.by_init_op.contains(variable.name)) return;
  diagnostics.note(stays ? "first-value-kept" : "assigned-by-init-op",
                   cat("the checkpoint does not have the variable '", variable.name,
                       "': it became '", initializers.first.at(variable.name),
                       "', which the SavedModel's init op assigns when it is loaded"),
                   where);
}

void report_assets(const Model& model, Diagnostics& diagnostics) {
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    const std::string& tensor = asset.tensor_info().name();
    diagnostics.note("asset-needed",
                     cat("the graph reads the file assets/", asset.filename(),
                         " of the SavedModel: '", tensor, "' is its path"),
                     {.file = cat("assets/", asset.filename()), .tensor = tensor},
                     "keep the file where the path says, or feed another path");
  }
}

Model keep_initializers(const Model& model, const std::vector<std::string>& outputs,
                        const std::vector<std::string>& roots, bool has_calls, bool runs_init,
                        Diagnostics& diagnostics, Initializers& initializers) {
  const Graph& graph = model.graph;
  if (runs_init) find_first_values(model, needed_for(graph, roots), initializers);
  const std::vector<std::string> fillers = find_table_fillers(
      graph, has_calls ? NodeSet(graph.nodes().size(), true) : needed_for(graph, outputs),
      diagnostics);
  Model kept = with_asset_paths(model);
  const std::string init = add_init(fillers, kept);
  name_init_op(kept, init);
  if (init.empty()) return kept;
  initializers.keep.push_back(init);
  initializers.init.push_back(init);
  diagnostics.note("tables-kept",
                   cat("the outputs look up ", plural(fillers.size(), "table"),
                       ", which stay as they are: run '", init, "' once before them"),
                   {.node = init});
  return kept;
}

}  // namespace cryo
