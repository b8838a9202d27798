#include "passes/edit/renamed_nodes.h"

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/variables.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// Messages within messages of a collection.
constexpr int kMaxNested = 10;

class Renamer {
 public:
  explicit Renamer(const NewNames& names) : names_(names) {}

  Graph graph(const Graph& graph) const;
  void meta(tensorflow::MetaGraphDef& meta) const;

  // "^conv:1" -> "^layer:1", or the text itself.
  std::string tensor(std::string_view text) const;

 private:
  std::string node(const Node& node) const;
  bool concerns(const Node& node) const;
  std::string message(std::string_view bytes, int depth) const;
  void info(tensorflow::TensorInfo& info) const;
  void collection(tensorflow::CollectionDef& entries) const;

  const NewNames& names_;
};

std::string Renamer::tensor(std::string_view text) const {
  const TensorName name = parse_tensor_name(text);
  const auto found = names_.find(name.node);
  if (found == names_.end()) return std::string(text);
  return cat(name.control ? "^" : "", found->second, name.control ? "" : port_text(text));
}

bool Renamer::concerns(const Node& node) const {
  if (names_.contains(node.name)) return true;
  for (const std::string_view input : node.inputs()) {
    if (names_.contains(parse_tensor_name(input).node)) return true;
  }
  for (const std::string_view partner : colocations(node)) {
    if (names_.contains(partner)) return true;
  }
  return false;
}

std::string Renamer::node(const Node& node) const {
  NodeEditor editor(node);
  for (std::string& input : editor.inputs()) input = tensor(input);
  std::vector<std::string> partners;
  for (const std::string_view partner : colocations(node)) partners.push_back(tensor(partner));
  if (!partners.empty()) editor.set_colocations({partners.begin(), partners.end()});
  const auto found = names_.find(node.name);
  if (found == names_.end()) return editor.finish();
  const bool shared = is_variable(node.op) && string_attr(node, "shared_name") == node.name;
  if (shared) editor.set_attr("shared_name", string_value(found->second));
  return editor.set_name(found->second).finish();
}

Graph Renamer::graph(const Graph& graph) const {
  GraphBuilder builder(graph);
  for (const Node& each : graph.nodes()) {
    concerns(each) ? builder.add(node(each)) : builder.add(each);
  }
  builder.add_functions_of(graph);
  return builder.finish();
}

// Returns a message with new names in every field, or field of a message in it, that is the whole
// name of a node or tensor; of a text that is such a name, the new name.
std::string Renamer::message(std::string_view bytes, int depth) const {
  std::string name = tensor(bytes);
  if (name != bytes || depth == kMaxNested) return name;
  WireCursor whole(bytes);
  while (whole.next()) {
  }
  if (!whole.ok()) return name;
  std::string made;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type == WireType::kBytes) {
      put_bytes_field(made, field.number, message(field.bytes, depth + 1));
    } else {
      made += field.record;
    }
  }
  return made;
}

void Renamer::info(tensorflow::TensorInfo& info) const {
  if (!info.name().empty()) info.set_name(tensor(info.name()));
}

void Renamer::collection(tensorflow::CollectionDef& entries) const {
  if (entries.has_node_list()) {
    for (std::string& each : *entries.mutable_node_list()->mutable_value()) each = tensor(each);
  } else if (entries.has_bytes_list()) {
    for (std::string& each : *entries.mutable_bytes_list()->mutable_value()) {
      each = message(each, 0);
    }
  } else if (entries.has_any_list()) {
    for (auto& each : *entries.mutable_any_list()->mutable_value()) {
      each.set_value(message(each.value(), 0));
    }
  }
}

void Renamer::meta(tensorflow::MetaGraphDef& meta) const {
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& input : *signature.mutable_value()->mutable_inputs()) info(*input.mutable_value());
    for (auto& output : *signature.mutable_value()->mutable_outputs()) {
      info(*output.mutable_value());
    }
  }
  for (auto& asset : *meta.mutable_asset_file_def()) info(*asset.mutable_tensor_info());
  for (auto& entry : *meta.mutable_collection_def()) collection(*entry.mutable_value());
  if (!meta.has_saver_def()) return;
  tensorflow::SaverDef& saver = *meta.mutable_saver_def();
  saver.set_filename_tensor_name(tensor(saver.filename_tensor_name()));
  saver.set_save_tensor_name(tensor(saver.save_tensor_name()));
  saver.set_restore_op_name(tensor(saver.restore_op_name()));
}

}  // namespace

Model with_renamed_nodes(const Model& model, const NewNames& names) {
  const Renamer renamer(names);
  Model made = model;
  made.graph = renamer.graph(model.graph);
  for (std::string& node : made.variable_initializers) node = renamer.tensor(node);
  for (std::string& output : made.outputs) output = renamer.tensor(output);
  Restores restores;
  for (const auto& [variable, from] : *model.restores) {
    restores.emplace(renamer.tensor(variable), from);
  }
  for (const Variable& variable : variables_of(model)) {
    if (!names.contains(variable.name)) continue;
    restores.emplace(renamer.tensor(variable.name), RestoredFrom{variable.key, variable.slice});
  }
  made.restores = std::move(restores);
  if (model.meta.empty()) return made;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  renamer.meta(meta);
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
