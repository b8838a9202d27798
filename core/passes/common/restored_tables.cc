#include "passes/common/restored_tables.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/restore_ops.h"
#include "passes/common/initializers.h"
#include "tensor/content.h"

namespace cryo {
namespace {

bool is_saved_table(const Node& node) {
  return node.op.starts_with("Mutable") && node.op.find("HashTable") != std::string_view::npos;
}

struct FilledTables {
  std::vector<std::string> made = {};      // nodes
  std::vector<std::string> fillers = {};   // their names
  std::set<std::string_view> filled = {};  // tables
};

// Returns the entry. Fails with "table-not-filled" if the checkpoint does not have it, or with the
// entry's fault.
Result<const CheckpointEntry*> entry_for(const Model& model, const Node& table,
                                         const RestoredFrom& from) {
  const CheckpointEntry* found =
      model.checkpoint == nullptr ? nullptr : model.checkpoint->find(from.key);
  if (found != nullptr && found->fault == nullptr) return found;
  Failure fault =
      found != nullptr
          ? failure(*found->fault)
          : failure(
                "table-not-filled",
                cat("the saver fills the table '", table.name, "' with '", from.key, "', which ",
                    model.checkpoint == nullptr ? "no checkpoint has: none was found"
                                                : "the checkpoint does not have"),
                {.tensor = from.key}, "give the checkpoint that was saved with this graph");
  fault->where.node = std::string(table.name);
  return fault;
}

// Makes a Const with the checkpoint's value. Returns its name.
Result<std::string> table_constant(const Model& model, const std::string& name,
                                   const CheckpointEntry& entry, FreshNames& fresh,
                                   FilledTables& filled) {
  TRY(proto, const_tensor(entry.dtype, entry.shape, entry.content, *model.payloads));
  std::string taken = fresh.take(name);
  filled.made.push_back(constant_node(taken, entry.dtype, proto).finish());
  return taken;
}

// Makes a node with the same value and an unknown shape. Returns its name. A dense table saves its
// buckets, [n, 1], which its kernel requires again; LookupTableImportV2's shape function refuses
// keys that are known not to be a vector.
std::string of_any_shape(const std::string& constant, DType dtype, FreshNames& fresh,
                         FilledTables& filled) {
  std::string taken = fresh.take(cat(constant, "/of_any_shape"));
  NodeEditor editor(taken, "PlaceholderWithDefault");
  editor.add_input(constant).set_attr("dtype", type_value(dtype));
  filled.made.push_back(
      editor.set_attr("shape", shape_value(shape_message(Shape{true, {}}))).finish());
  return taken;
}

Status fill_table(const Model& model, const Node& table, const RestoredTable& from,
                  std::vector<Diagnostic>& unfilled, FreshNames& fresh, FilledTables& filled) {
  const auto keys_entry = entry_for(model, table, from.keys);
  const auto values_entry = entry_for(model, table, from.values);
  if (!keys_entry || !values_entry) {
    unfilled.push_back(keys_entry ? values_entry.error() : keys_entry.error());
    return Unit{};
  }
  const CheckpointEntry& keys = **keys_entry;
  const CheckpointEntry& values = **values_entry;
  const std::string filler = fresh.take(cat(table.name, "/fill"));
  TRY(keys_const, table_constant(model, cat(filler, "/keys"), keys, fresh, filled));
  TRY(values_name, table_constant(model, cat(filler, "/values"), values, fresh, filled));
  const std::string keys_name = keys.shape.dims.size() == 1
                                    ? keys_const
                                    : of_any_shape(keys_const, keys.dtype, fresh, filled);
  NodeEditor import(filler, table.op.ends_with("V2") ? "LookupTableImportV2" : "LookupTableImport");
  import.set_inputs({std::string(table.name), keys_name, values_name});
  import.set_attr("Tin", type_value(keys.dtype));
  import.set_attr("Tout", type_value(values.dtype));
  filled.made.push_back(import.finish());
  filled.fillers.push_back(filler);
  filled.filled.insert(table.name);
  return Unit{};
}

// Adds one op that runs the previous init op, and these.
void add_table_init(tensorflow::MetaGraphDef& meta, FreshNames& fresh, GraphBuilder& builder,
                    FilledTables& filled) {
  const std::string name = fresh.take("restored_tables");
  std::vector<std::string> ops = named_init_ops(meta);
  ops.insert(ops.end(), filled.fillers.begin(), filled.fillers.end());
  builder.add(group(name, ops));
  set_init_op(meta, name);
}

// Returns true if the saver fills a table by this node and the table now has another initializer.
bool is_savers_node(const Model& model, const FilledTables& filled, const Node& node) {
  if (!imports_table(node.op) || node.input_count < 2) return false;
  auto input = node.inputs().begin();
  const bool known = filled.filled.count(parse_tensor_name(*input).node) > 0;
  const uint32_t keys = model.graph.index().names().find(parse_tensor_name(*++input).node);
  return known && keys != kNoNode && is_restore(model.graph.nodes()[keys].op);
}

// Adds the other nodes, without control inputs on removed nodes.
void add_other_nodes(const Model& model, GraphBuilder& builder, FilledTables& filled) {
  std::set<std::string_view> gone;
  for (const Node& node : model.graph.nodes()) {
    if (is_savers_node(model, filled, node)) gone.insert(node.name);
  }
  const auto waits = [&](std::string_view input) {
    return gone.count(parse_tensor_name(input).node) > 0;
  };
  for (const Node& node : model.graph.nodes()) {
    if (gone.count(node.name) > 0) continue;
    NodeEditor editor(node);
    auto& left = editor.inputs();
    left.erase(std::remove_if(left.begin(), left.end(), waits), left.end());
    left.size() == node.input_count ? builder.add(node) : builder.add(editor.finish());
  }
}

}  // namespace

Result<Model> with_restored_tables(const Model& model, std::vector<Diagnostic>& unfilled) {
  const auto& nodes = model.graph.nodes();
  if (std::none_of(nodes.begin(), nodes.end(), is_saved_table)) return model;
  FreshNames fresh(model.graph.index().names());
  GraphBuilder builder(model.graph);
  FilledTables filled;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  const auto tables =
      find_restored_tables(model.graph, meta.saver_def().restore_op_name(), *model.payloads);
  for (const auto& [name, from] : tables)
    CHECK_OK(fill_table(model, model.graph.nodes()[model.graph.index().names().find(name)], from,
                        unfilled, fresh, filled));
  if (filled.fillers.empty()) return model;
  add_other_nodes(model, builder, filled);
  for (std::string& each : filled.made) builder.add(std::move(each));
  add_table_init(meta, fresh, builder, filled);
  builder.add_functions_of(model.graph);
  Model made = model;
  made.graph = builder.finish();
  set_meta(made, std::move(meta));
  return made;
}

std::vector<Diagnostic> unfilled_tables(const std::vector<Diagnostic>& unfilled,
                                        const Graph& graph) {
  std::vector<Diagnostic> found;
  if (unfilled.empty()) return found;
  const NodeNames& names = graph.index().names();
  for (const Diagnostic& each : unfilled) {
    if (names.find(each.where.node) != kNoNode) found.push_back(each);
  }
  return found;
}

}  // namespace cryo
