#include "formats/tensorflow/meta_graph.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "formats/pairing.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/control_contexts.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/restores.h"
#include "model/saver.h"
#include "model/variables.h"
#include "model/written_prefix.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/text/text_writer.h"

namespace cryo {
namespace {

// Returns true if objects give values to variables that the saver does not restore, as those of
// Keras 3 do: signatures read other handles than the saver takes. A saver of tables is kept, for
// one that is added would leave them empty.
bool leaves_variables_to_objects(const Model& model) {
  if (object_graph_of(model).empty() || model.checkpoint == nullptr) return false;
  const std::string& restore_op = parse_meta(model).saver_def().restore_op_name();
  if (!find_restored_tables(model.graph, restore_op, *model.payloads).empty()) return false;
  const Restores restores = find_restores(model.graph, restore_op, *model.payloads);
  const std::vector<Variable> variables = variables_of(model);
  return std::any_of(variables.begin(), variables.end(), [&](const Variable& variable) {
    return variable.copy_of.empty() && !restores.contains(variable.name) &&
           model.checkpoint->find(variable.key) != nullptr;
  });
}

// Returns true if restoring needs a saver that the graph does not have.
bool lacks_saver(const Model& model) {
  if (parse_meta(model).has_saver_def()) return leaves_variables_to_objects(model);
  return std::any_of(model.graph.nodes().begin(), model.graph.nodes().end(),
                     [](const Node& node) { return is_variable(node.op); });
}

// The read of each handle that something reads, by the handle's name.
std::unordered_map<std::string_view, std::string_view> reads_of(const Graph& graph) {
  std::unordered_map<std::string_view, std::string_view> reads;
  for (const Node& node : graph.nodes()) {
    if (node.op != "ReadVariableOp" || node.input_count == 0) continue;
    reads.emplace(parse_tensor_name(*node.inputs().begin()).node, node.name);
  }
  return reads;
}

// The ops of V1 savers; the restoring ones cannot read a V2 checkpoint.
bool is_v1_op(const Node& node) {
  return node.op == "Save" || node.op == "SaveSlices" || node.op == "Restore" ||
         node.op == "RestoreSlice";
}

// Joins the parts of a MetaGraphDef. The graph keeps its place; in a message that was serialized
// again, that is by its field number.
std::string joined(const Model& model) {
  bool has_place = false;
  for (WireCursor cursor(model.meta); cursor.next();) {
    has_place = has_place || cursor.field().number == fields::MetaGraphDef::kGraphDef;
  }
  std::string message;
  bool put = false;
  for (WireCursor cursor(model.meta); cursor.next();) {
    const uint32_t number = cursor.field().number;
    const bool here = !put && (has_place ? number == fields::MetaGraphDef::kGraphDef
                                         : number > fields::MetaGraphDef::kGraphDef);
    if (here) put_bytes_field(message, fields::MetaGraphDef::kGraphDef, model.graph.skeleton());
    if (number != fields::MetaGraphDef::kGraphDef) message += cursor.field().record;
    put = put || here;
  }
  if (!put) put_bytes_field(message, fields::MetaGraphDef::kGraphDef, model.graph.skeleton());
  return message;
}

// "a/model.ckpt.meta", "a/model.ckpt.meta.pbtxt" -> "a/model.ckpt"
std::string prefix_of_meta(std::string_view out) {
  for (const std::string_view ending : {".pbtxt", ".meta"}) {
    if (out.ends_with(ending)) out.remove_suffix(ending.size());
  }
  return std::string(out);
}

// A SavedModel may be restored by its objects alone, which a .meta is not.
std::string skeleton_to_write(const Model& opened, const WriteOptions& options,
                              Diagnostics& diagnostics) {
  Model model = with_written_prefix(opened, prefix_of_meta(options.out));
  if (model.kind != Kind::kSavedModel) return meta_graph_skeleton(model, diagnostics);
  tensorflow::MetaGraphDef meta = parse_meta(model);
  if (list_init_ops(meta)) set_meta(model, std::move(meta));
  return lacks_saver(model) ? joined(with_saver_of(model, tensorflow::SaverDef::V2))
                            : meta_graph_skeleton(model, diagnostics);
}

}  // namespace

Model with_saver_of(const Model& model, tensorflow::SaverDef::CheckpointFormatVersion version) {
  const NodeNames& names = model.graph.index().names();
  FreshNames fresh_names(names);
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) builder.add(node);
  builder.add_functions_of(model.graph);
  const auto reads = reads_of(model.graph);
  std::vector<SavedVariable> saved;
  for (const Variable& variable : variables_of(model)) {
    if (model.checkpoint != nullptr && model.checkpoint->find(variable.key) == nullptr) continue;
    SavedVariable each{variable.name,
                       variable.name,
                       variable.resource,
                       variable.dtype,
                       variable.key,
                       variable.slice,
                       is_fully_defined(variable.shape),
                       !variable.copy_of.empty()};
    const auto read = reads.find(variable.name);
    if (variable.resource && read != reads.end()) each.read = read->second;
    if (variable.resource && read == reads.end()) {
      each.read = fresh_names.take(cat(variable.name, "/Read/ReadVariableOp"));
      NodeEditor editor(each.read, "ReadVariableOp");
      editor.add_input(variable.name);
      builder.add(editor.set_attr("dtype", type_value(variable.dtype)).finish());
    }
    saved.push_back(std::move(each));
  }
  if (saved.empty()) return model;  // TensorFlow refuses a saver of nothing
  Model whole = model;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  *meta.mutable_saver_def() = add_saver(std::move(saved), version, names, builder);
  whole.graph = builder.finish();
  set_meta(whole, std::move(meta));
  return whole;
}

bool has_saver_of(const Model& model, tensorflow::SaverDef::CheckpointFormatVersion version) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  const bool v1 = meta.saver_def().version() != tensorflow::SaverDef::V2 &&
                  std::any_of(nodes.begin(), nodes.end(), is_v1_op);
  const bool wanted = v1 == (version == tensorflow::SaverDef::V1);
  return wanted && (meta.has_saver_def() || version == tensorflow::SaverDef::V2);
}

// Several graph_def fields of one message merge, as protobuf merges them. One alone, as all writers
// leave it, keeps its place in memory: a graph may be all there is room for.
Status split_meta_graph(std::string skeleton, Model& model, Diagnostics& diagnostics) {
  std::string meta;
  std::vector<std::string_view> graphs;
  for (WireCursor cursor(skeleton); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::MetaGraphDef::kGraphDef || field.type != WireType::kBytes) {
      meta += field.record;
      continue;
    }
    if (graphs.empty()) put_bytes_field(meta, fields::MetaGraphDef::kGraphDef, "");
    graphs.push_back(field.bytes);
  }
  std::string graph_def;
  if (graphs.size() == 1) {
    graph_def = part_of(std::move(skeleton), graphs[0]);
  } else {
    for (const std::string_view graph : graphs) graph_def += graph;
  }
  model.meta = std::move(meta);
  if (!model.meta.is_whole()) {
    diagnostics.warn(
        "meta-unreadable",
        "protobuf cannot read all fields next to the graph (often a text is not UTF-8): "
        "TensorFlow refuses the file, and a changed model loses what follows",
        {.file = model.name}, "get the file again from its source");
  }
  TRY(graph, Graph::parse(std::move(graph_def)));
  model.graph = std::move(graph);
  model.has_graph = true;
  return Unit{};
}

// Returns the skeleton to write. A MetaGraphDef that was not changed is written as it was read.
std::string meta_graph_skeleton(const Model& model, Diagnostics& diagnostics) {
  const bool was_one = model.kind == Kind::kMetaGraph || model.kind == Kind::kSavedModel;
  const bool made = !was_one || model.meta.empty() || !model.graph.is_as_read();
  if (!made) return joined(model);
  // A loader would look for the checkpoint of any saver.
  const bool restores = model.kind != Kind::kSavedModel || model.checkpoint != nullptr;
  const Model saved =
      restores && lacks_saver(model) ? with_saver_of(model, tensorflow::SaverDef::V2) : model;
  return joined(with_control_contexts(saved, diagnostics));
}

Result<Model> read_meta_graph(const OpenContext& context, const SourcePtr& file) {
  Model model{Kind::kMetaGraph, file->name(), {file}};
  TRY(skeleton, read_structure(context, file, message_schema("tensorflow.MetaGraphDef"), model));
  CHECK_OK(split_meta_graph(std::move(skeleton), model, context.diagnostics));
  CHECK_OK(pair_checkpoint(model, context, file));
  return model;
}

Result<Files> write_meta_graph_text(const Model& model, const WriteOptions& options,
                                    Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  TRY(content, write_text(skeleton_to_write(model, options, diagnostics),
                          message_schema("tensorflow.MetaGraphDef"), *model.payloads, diagnostics));
  return Files{{options.out, std::move(content)}};
}

Result<Files> write_meta_graph(const Model& model, const WriteOptions& options,
                               Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  TRY(content, expand(skeleton_to_write(model, options, diagnostics),
                      message_schema("tensorflow.MetaGraphDef"), *model.payloads));
  return Files{{options.out, std::move(content)}};
}

}  // namespace cryo
