#include "passes/restored_tables.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/restore_ops.h"
#include "passes/loading.h"
#include "tensor/content.h"

namespace cryo {
namespace {

bool is_saved_table(const Node& node) {
  return node.op.starts_with("Mutable") && node.op.find("HashTable") != std::string_view::npos;
}

class TableFiller {
 public:
  TableFiller(const Model& model, PassLog& log)
      : model_(model),
        log_(log),
        nodes_(model.graph.nodes()),
        names_(nodes_),
        fresh_names_(names_),
        builder_(model.graph) {}

  Result<Model> run();

 private:
  const CheckpointEntry* entry(const RestoredFrom& from) const;
  Status fill(const Node& table, const RestoredTable& from);
  Result<std::string> constant(const std::string& name, const CheckpointEntry& entry);
  void add_init(tensorflow::MetaGraphDef& meta);
  bool is_savers(const Node& node) const;
  void add_rest();

  const Model& model_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  const NodeNames names_;
  FreshNames fresh_names_;
  GraphBuilder builder_;
  std::vector<std::string> made_;      // nodes
  std::vector<std::string> fillers_;   // their names
  std::set<std::string_view> filled_;  // tables
};

const CheckpointEntry* TableFiller::entry(const RestoredFrom& from) const {
  const CheckpointEntry* found =
      model_.checkpoint == nullptr ? nullptr : model_.checkpoint->find(from.key);
  return found == nullptr || found->fault != nullptr ? nullptr : found;
}

// The name of a new Const with what the checkpoint has.
Result<std::string> TableFiller::constant(const std::string& name, const CheckpointEntry& entry) {
  TRY(proto, const_tensor(entry.dtype, entry.shape, entry.content, *model_.payloads));
  std::string taken = fresh_names_.take(name);
  NodeEditor editor(taken, "Const");
  editor.set_attr("dtype", type_value(static_cast<int>(entry.dtype)));
  made_.push_back(editor.set_attr("value", tensor_value(proto)).finish());
  return taken;
}

Status TableFiller::fill(const Node& table, const RestoredTable& from) {
  const CheckpointEntry* keys = entry(from.keys);
  const CheckpointEntry* values = entry(from.values);
  if (keys == nullptr || values == nullptr) {
    log_.diagnostics.warn(
        "table-not-filled",
        cat("the checkpoint does not have '", keys == nullptr ? from.keys.key : from.values.key,
            "', with which the table '", table.name, "' is filled: it is empty"),
        {.node = std::string(table.name)}, "give the checkpoint that was saved with this graph");
    return Unit{};
  }
  const std::string filler = fresh_names_.take(cat(table.name, "/fill"));
  TRY(keys_name, constant(cat(filler, "/keys"), *keys));
  TRY(values_name, constant(cat(filler, "/values"), *values));
  NodeEditor import(filler, table.op.ends_with("V2") ? "LookupTableImportV2" : "LookupTableImport");
  import.set_inputs({std::string(table.name), keys_name, values_name});
  import.set_attr("Tin", type_value(static_cast<int>(keys->dtype)));
  import.set_attr("Tout", type_value(static_cast<int>(values->dtype)));
  made_.push_back(import.finish());
  fillers_.push_back(filler);
  filled_.insert(table.name);
  return Unit{};
}

// One op that runs what was run before, and these.
void TableFiller::add_init(tensorflow::MetaGraphDef& meta) {
  const std::string name = fresh_names_.take("restored_tables");
  std::vector<std::string> ops = named_init_ops(meta);
  ops.insert(ops.end(), fillers_.begin(), fillers_.end());
  builder_.add(group(name, ops));
  set_init_op(meta, name);
}

// Whether the saver fills a table by this node that is filled otherwise now.
bool TableFiller::is_savers(const Node& node) const {
  if (!imports_table(node.op) || node.input_count < 2) return false;
  auto input = node.inputs().begin();
  const bool known = filled_.count(parse_tensor_name(*input).node) > 0;
  const uint32_t keys = names_.find(parse_tensor_name(*++input).node);
  return known && keys != kNoNode && is_restore(nodes_[keys].op);
}

// What waits for a node that goes waits for it no more.
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

Result<Model> with_restored_tables(const Model& model, PassLog& log) {
  const auto& nodes = model.graph.nodes();
  if (std::none_of(nodes.begin(), nodes.end(), is_saved_table)) return model;
  return TableFiller(model, log).run();
}

}  // namespace cryo
