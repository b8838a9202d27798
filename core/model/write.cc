#include "model/write.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/checkpoint_writer.h"
#include "model/meta.h"
#include "model/saver.h"
#include "model/variables.h"
#include "wire/elide.h"

namespace cryo {
namespace {

constexpr uint32_t kGraphDef = 2;  // meta_graph.proto: MetaGraphDef.graph_def

using Files = std::vector<OutputFile>;

// A form that a model can be written in.
struct Form {
  std::string_view name;
  std::string_view ending;  // of the path that asks for it
  Result<Files> (*write)(const Model&, const std::string& out, Diagnostics&);
};

Result<Files> write_graph_def(const Model& model, const std::string& out, Diagnostics& diagnostics);
Result<Files> write_meta_graph(const Model& model, const std::string& out,
                               Diagnostics& diagnostics);
Result<Files> write_checkpoint(const Model& model, const std::string& out,
                               Diagnostics& diagnostics);

constexpr std::array kForms = {
    Form{"pb", ".pb", write_graph_def},
    Form{"meta", ".meta", write_meta_graph},
    Form{"checkpoint", ".ckpt", write_checkpoint},
};

Result<const Form*> form_of(const WriteOptions& options) {
  std::vector<std::string> names;
  for (const Form& form : kForms) {
    names.emplace_back(form.name);
    if (!options.as.empty() ? options.as == form.name
                            : base_name(options.out).ends_with(form.ending)) {
      return &form;
    }
  }
  // "model.ckpt-1000": checkpoints are numbered behind their ending.
  if (options.as.empty() && base_name(options.out).find(".ckpt-") != std::string_view::npos) {
    return &kForms[2];
  }
  if (!options.as.empty()) {
    return failure("unknown-form", cat("'", options.as, "' is not a form that can be written"), {},
                   cat("--as takes one of ", join(names, ", ")));
  }
  return failure("unknown-form",
                 cat("the ending of '", options.out, "' does not say what to write"), {},
                 cat("name the form: --as ", join(names, " | ")));
}

Failure no_graph(const Model& model) {
  return failure("no-graph", cat("'", model.name, "' holds weights and no graph"), {},
                 "give the .meta that was saved with it as well");
}

Result<Files> write_graph_def(const Model& model, const std::string& out,
                              Diagnostics& diagnostics) {
  if (!model.has_graph) return no_graph(model);
  if (model.checkpoint != nullptr && !variables_of(model).empty()) {
    diagnostics.warn("weights-left-out",
                     "a GraphDef holds no values of variables: they are left out", {},
                     "freeze the model first, or write a checkpoint: -o NAME.ckpt");
  }
  TRY(content,
      expand(model.graph.skeleton(), message_schema("tensorflow.GraphDef"), *model.payloads));
  return Files{{out, std::move(content)}};
}

// Whether restoring needs a saver that the graph does not have.
bool wants_saver(const Model& model) {
  return !parse_meta(model).has_saver_def() &&
         std::any_of(model.graph.nodes().begin(), model.graph.nodes().end(),
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

// The model with a saver for all of its variables.
Model with_saver(const Model& model) {
  const NodeNames names(model.graph.nodes());
  FreshNames fresh_names(names);
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) builder.add(node);
  builder.add_functions_of(model.graph);
  const auto reads = reads_of(model.graph);
  std::vector<SavedVariable> saved;
  for (const Variable& variable : variables_of(model)) {
    SavedVariable each{variable.name,  variable.name, variable.resource,
                       variable.dtype, variable.key,  variable.slice};
    const auto read = reads.find(variable.name);
    if (variable.resource && read != reads.end()) each.read = read->second;
    if (variable.resource && read == reads.end()) {
      each.read = fresh_names.take(cat(variable.name, "/Read/ReadVariableOp"));
      NodeEditor editor(each.read, "ReadVariableOp");
      editor.add_input(variable.name);
      builder.add(editor.set_attr("dtype", type_value(static_cast<int>(variable.dtype))).finish());
    }
    saved.push_back(std::move(each));
  }
  Model whole = model;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  *meta.mutable_saver_def() = add_saver(std::move(saved), names, builder);
  whole.graph = builder.finish();
  set_meta(whole, meta);
  return whole;
}

// The MetaGraphDef with the graph at its place among the other fields.
std::string meta_skeleton(const Model& model) {
  std::string before;
  std::string after;
  for (WireCursor cursor(model.meta); cursor.next();) {
    (cursor.field().number < kGraphDef ? before : after) += cursor.field().record;
  }
  put_bytes_field(before, kGraphDef, model.graph.skeleton());
  return before + after;
}

Result<Splice> meta_graph(const Model& model) {
  if (!model.has_graph) return no_graph(model);
  const MessageSchema& schema = message_schema("tensorflow.MetaGraphDef");
  return expand(meta_skeleton(wants_saver(model) ? with_saver(model) : model), schema,
                *model.payloads);
}

Result<Files> write_meta_graph(const Model& model, const std::string& out, Diagnostics&) {
  TRY(content, meta_graph(model));
  return Files{{out, std::move(content)}};
}

// The values that the graph's variables take; all of them where there is no graph.
Result<CheckpointFiles> checkpoint_files(const Model& model) {
  std::set<std::string> keys;
  for (const Variable& variable : variables_of(model)) keys.insert(variable.key);
  CheckpointWriter writer;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (model.has_graph && !keys.contains(entry.key)) continue;
    CHECK_OK(writer.add(entry));
  }
  return writer.finish();
}

Result<Files> write_checkpoint(const Model& model, const std::string& out, Diagnostics&) {
  if (model.checkpoint == nullptr) {
    return failure("no-checkpoint", "the model has no values of variables to write", {},
                   "un-freeze it first, or write it as a graph: -o NAME.pb");
  }
  TRY(files, checkpoint_files(model));
  Files written;
  if (model.has_graph) {
    TRY(content, meta_graph(model));
    written.push_back({cat(out, ".meta"), std::move(content)});
  }
  written.push_back({checkpoint_shard_name(out, 0, 1), std::move(files.data)});
  written.push_back({cat(out, ".index"), Splice(fresh(std::move(files.index)))});
  return written;
}

}  // namespace

Result<Files> write(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  TRY(form, form_of(options));
  return form->write(model, options.out, diagnostics);
}

}  // namespace cryo
