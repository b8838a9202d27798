#include "model/init_op.h"

#include <algorithm>
#include <set>

#include "base/result.h"
#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "model/meta.h"

namespace cryo {
namespace {

constexpr std::string_view kTableCollection = "table_initializer";

template <typename Entries, typename IsIt>
void drop_entries(Entries& entries, IsIt is_it) {
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [&](const auto& entry) { return is_it(entry.key()); }),
                entries.end());
}

bool is_init_signature(std::string_view key) { return key == kInitSignature; }

// Returns the initializers of tables: those of the model's own collection, else all in the graph.
std::vector<std::string> initializers_of(const Graph& graph, const tensorflow::MetaGraphDef& meta) {
  std::vector<std::string> initializers;
  for (const auto& entry : meta.collection_def()) {
    if (entry.key() != kTableCollection) continue;
    const auto& listed = entry.value().node_list().value();
    initializers.insert(initializers.end(), listed.begin(), listed.end());
  }
  if (!initializers.empty()) return initializers;
  for (const Node& node : graph.nodes()) {
    if (fills_table(node.op)) initializers.emplace_back(node.name);
  }
  return initializers;
}

}  // namespace

bool is_init_collection(std::string_view key) {
  return key == "saved_model_main_op" || key == "legacy_init_op" || key == kTableCollection;
}

bool is_fixed_table(std::string_view op) {
  return op == "HashTable" || op == "HashTableV2" || op == "AnonymousHashTable";
}

bool imports_table(std::string_view op) { return op.starts_with("LookupTableImport"); }

bool fills_table(std::string_view op) {
  return op.starts_with("InitializeTable") || imports_table(op);
}

bool names_init_op(const tensorflow::MetaGraphDef& meta) {
  const auto& collections = meta.collection_def();
  const auto& signatures = meta.signature_def();
  return std::any_of(collections.begin(), collections.end(),
                     [](const auto& entry) {
                       return is_init_collection(entry.key()) && entry.key() != kTableCollection;
                     }) ||
         std::any_of(signatures.begin(), signatures.end(),
                     [](const auto& entry) { return is_init_signature(entry.key()); });
}

std::optional<Diagnostic> restore_fault(const Model& model) {
  if (model.kind != Kind::kSavedModel || model.checkpoint != nullptr) return std::nullopt;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  const bool restores = meta.has_saver_def() || !variables_in(meta, "variables").empty() ||
                        !object_graph_of(model).empty();
  if (!restores) return std::nullopt;
  return *failure("variables-missing",
                  "the SavedModel has no variables/variables.index: TensorFlow does not load it",
                  {.file = "variables/variables.index"},
                  "copy the folder `variables` of the SavedModel again");
}

void set_init_op(tensorflow::MetaGraphDef& meta, const std::string& init) {
  drop_entries(*meta.mutable_collection_def(), is_init_collection);
  drop_entries(*meta.mutable_signature_def(), is_init_signature);
  if (init.empty()) return;
  auto& tables = *meta.add_collection_def();
  tables.set_key(std::string(kTableCollection));
  tables.mutable_value()->mutable_node_list()->add_value(init);
  auto& signature = *meta.add_signature_def();
  signature.set_key(std::string(kInitSignature));
  auto& output = *signature.mutable_value()->add_outputs();
  output.set_key(std::string(kInitSignature));
  output.mutable_value()->set_name(init);
}

std::vector<std::string> init_ops(const tensorflow::MetaGraphDef& meta) {
  std::vector<std::string> ops;
  for (const auto& entry : meta.collection_def()) {
    if (!is_init_collection(entry.key())) continue;
    for (const std::string& op : entry.value().node_list().value()) {
      if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
    }
  }
  for (const auto& entry : meta.signature_def()) {
    if (!is_init_signature(entry.key()) || !ops.empty()) continue;
    for (const auto& output : entry.value().outputs()) {
      ops.emplace_back(parse_tensor_name(output.value().name()).node);
    }
  }
  return ops;
}

bool list_init_ops(tensorflow::MetaGraphDef& meta) {
  for (const auto& entry : meta.collection_def()) {
    if (entry.key() == kTableCollection) return false;
  }
  const std::vector<std::string> ops = init_ops(meta);
  if (ops.empty()) return false;
  auto& tables = *meta.add_collection_def();
  tables.set_key(std::string(kTableCollection));
  for (const std::string& op : ops) tables.mutable_value()->mutable_node_list()->add_value(op);
  return true;
}

std::string group(const std::string& name, const std::vector<std::string>& ops) {
  NodeEditor editor(name, "NoOp");
  for (const std::string& op : ops) editor.add_input(cat("^", op));
  return editor.finish();
}

Graph with_group(const Graph& graph, const std::string& name, const std::vector<std::string>& ops) {
  GraphBuilder builder(graph);
  for (const Node& node : graph.nodes()) builder.add(node);
  builder.add_functions_of(graph);
  builder.add(group(name, ops));
  return builder.finish();
}

bool runs_just(const Node& node, const std::vector<std::string>& initializers) {
  if (node.op != "NoOp") return false;
  std::set<std::string_view> missing(initializers.begin(), initializers.end());
  for (const std::string_view input : node.inputs()) {
    if (!input.starts_with('^') || missing.erase(input.substr(1)) == 0) return false;
  }
  return missing.empty();
}

void find_init_op(const Graph& graph, tensorflow::MetaGraphDef& meta) {
  if (names_init_op(meta)) return;
  const std::vector<std::string> initializers = initializers_of(graph, meta);
  if (initializers.empty()) return;
  if (initializers.size() == 1) return set_init_op(meta, initializers.front());
  const auto& nodes = graph.nodes();
  const auto group = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const Node& node) { return runs_just(node, initializers); });
  if (group != nodes.end()) set_init_op(meta, std::string(group->name));
}

Model with_init_op(const Model& model) {
  tensorflow::MetaGraphDef meta = parse_meta(model);
  const std::vector<std::string> initializers = initializers_of(model.graph, meta);
  if (initializers.empty() || names_init_op(meta)) return model;
  Model made = model;
  find_init_op(model.graph, meta);
  if (!names_init_op(meta)) {
    const NodeNames& names = model.graph.index().names();
    const std::string name = FreshNames(names).take("init_all_tables");
    set_init_op(meta, name);
    made.graph = with_group(model.graph, name, initializers);
  }
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
