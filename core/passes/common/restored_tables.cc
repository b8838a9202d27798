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

class TableFiller {
 public:
  TableFiller(const Model& model, std::vector<Diagnostic>& unfilled)
      : model_(model),
        unfilled_(unfilled),
        nodes_(model.graph.nodes()),
        names_(model.graph.index().names()),
        fresh_names_(names_),
        builder_(model.graph) {}

  Result<Model> run();

 private:
  Result<const CheckpointEntry*> entry(const Node& table, const RestoredFrom& from) const;
  Status fill(const Node& table, const RestoredTable& from);
  Result<std::string> constant(const std::string& name, const CheckpointEntry& entry);
  std::string of_any_shape(const std::string& constant, DType dtype);
  void add_init(tensorflow::MetaGraphDef& meta);
  bool is_savers(const Node& node) const;
  void add_rest();

  const Model& model_;
  std::vector<Diagnostic>& unfilled_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  FreshNames fresh_names_;
  GraphBuilder builder_;
  std::vector<std::string> made_;      // nodes
  std::vector<std::string> fillers_;   // their names
  std::set<std::string_view> filled_;  // tables
};

// Returns the entry. Fails with "table-not-filled" if the checkpoint does not have it, or with the
// entry's fault.
Result<const CheckpointEntry*> TableFiller::entry(const Node& table,
                                                  const RestoredFrom& from) const {
  const CheckpointEntry* found =
      model_.checkpoint == nullptr ? nullptr : model_.checkpoint->find(from.key);
  if (found != nullptr && found->fault == nullptr) return found;
  Failure fault =
      found != nullptr
          ? failure(*found->fault)
          : failure(
                "table-not-filled",
                cat("the saver fills the table '", table.name, "' with '", from.key, "', which ",
                    model_.checkpoint == nullptr ? "no checkpoint has: none was found"
                                                 : "the checkpoint does not have"),
                {.tensor = from.key}, "give the checkpoint that was saved with this graph");
  fault->where.node = std::string(table.name);
  return fault;
}

// Makes a Const with the checkpoint's value. Returns its name.
Result<std::string> TableFiller::constant(const std::string& name, const CheckpointEntry& entry) {
  TRY(proto, const_tensor(entry.dtype, entry.shape, entry.content, *model_.payloads));
  std::string taken = fresh_names_.take(name);
  made_.push_back(constant_node(taken, entry.dtype, proto).finish());
  return taken;
}

// Makes a node with the same value and an unknown shape. Returns its name. A dense table saves its
// buckets, [n, 1], which its kernel requires again; LookupTableImportV2's shape function refuses
// keys that are known not to be a vector.
std::string TableFiller::of_any_shape(const std::string& constant, DType dtype) {
  std::string taken = fresh_names_.take(cat(constant, "/of_any_shape"));
  NodeEditor editor(taken, "PlaceholderWithDefault");
  editor.add_input(constant).set_attr("dtype", type_value(dtype));
  made_.push_back(editor.set_attr("shape", shape_value(shape_message(Shape{true, {}}))).finish());
  return taken;
}

Status TableFiller::fill(const Node& table, const RestoredTable& from) {
  const auto keys_entry = entry(table, from.keys);
  const auto values_entry = entry(table, from.values);
  if (!keys_entry || !values_entry) {
    unfilled_.push_back(keys_entry ? values_entry.error() : keys_entry.error());
    return Unit{};
  }
  const CheckpointEntry& keys = **keys_entry;
  const CheckpointEntry& values = **values_entry;
  const std::string filler = fresh_names_.take(cat(table.name, "/fill"));
  TRY(keys_const, constant(cat(filler, "/keys"), keys));
  TRY(values_name, constant(cat(filler, "/values"), values));
  const std::string keys_name =
      keys.shape.dims.size() == 1 ? keys_const : of_any_shape(keys_const, keys.dtype);
  NodeEditor import(filler, table.op.ends_with("V2") ? "LookupTableImportV2" : "LookupTableImport");
  import.set_inputs({std::string(table.name), keys_name, values_name});
  import.set_attr("Tin", type_value(keys.dtype));
  import.set_attr("Tout", type_value(values.dtype));
  made_.push_back(import.finish());
  fillers_.push_back(filler);
  filled_.insert(table.name);
  return Unit{};
}

// Adds one op that runs the previous init op, and these.
void TableFiller::add_init(tensorflow::MetaGraphDef& meta) {
  const std::string name = fresh_names_.take("restored_tables");
  std::vector<std::string> ops = named_init_ops(meta);
  ops.insert(ops.end(), fillers_.begin(), fillers_.end());
  builder_.add(group(name, ops));
  set_init_op(meta, name);
}

// Returns true if the saver fills a table by this node and the table now has another initializer.
bool TableFiller::is_savers(const Node& node) const {
  if (!imports_table(node.op) || node.input_count < 2) return false;
  auto input = node.inputs().begin();
  const bool known = filled_.count(parse_tensor_name(*input).node) > 0;
  const uint32_t keys = names_.find(parse_tensor_name(*++input).node);
  return known && keys != kNoNode && is_restore(nodes_[keys].op);
}

// Adds the other nodes, without control inputs on removed nodes.
void TableFiller::add_rest() {
  std::set<std::string_view> gone;
  for (const Node& node : nodes_) {
    if (is_savers(node)) gone.insert(node.name);
  }
  const auto waits = [&](std::string_view input) {
    return gone.count(parse_tensor_name(input).node) > 0;
  };
  for (const Node& node : nodes_) {
    if (gone.count(node.name) > 0) continue;
    NodeEditor editor(node);
    auto& left = editor.inputs();
    left.erase(std::remove_if(left.begin(), left.end(), waits), left.end());
    left.size() == node.input_count ? builder_.add(node) : builder_.add(editor.finish());
  }
}

Result<Model> TableFiller::run() {
  tensorflow::MetaGraphDef meta = parse_meta(model_);
  const auto tables =
      find_restored_tables(model_.graph, meta.saver_def().restore_op_name(), *model_.payloads);
  for (const auto& [name, from] : tables) CHECK_OK(fill(nodes_[names_.find(name)], from));
  if (fillers_.empty()) return model_;
  add_rest();
  for (std::string& each : made_) builder_.add(std::move(each));
  add_init(meta);
  builder_.add_functions_of(model_.graph);
  Model made = model_;
  made.graph = builder_.finish();
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace

Result<Model> with_restored_tables(const Model& model, std::vector<Diagnostic>& unfilled) {
  const auto& nodes = model.graph.nodes();
  if (std::none_of(nodes.begin(), nodes.end(), is_saved_table)) return model;
  return TableFiller(model, unfilled).run();
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
