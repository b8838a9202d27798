#include "formats/tensorflow/saved_model.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "formats/pairing.h"
#include "formats/serving.h"
#include "formats/tensorflow/checkpoint_files.h"
#include "formats/tensorflow/meta_graph.h"
#include "model/asset_paths.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/written_prefix.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/text/text_writer.h"

namespace cryo {
namespace {

constexpr std::string_view kVariables = "variables/";
constexpr std::string_view kFingerprint = "fingerprint.pb";
constexpr std::array<std::string_view, 8> kParts = {
    "variables/",      "assets/",           "assets.extra/",  "debug/",
    "tfhub_module.pb", "keras_metadata.pb", "fingerprint.pb", "saved_model.pbtxt"};

using Tags = std::vector<std::string>;

Tags tags_of(std::string_view meta_graph) {
  Tags tags;
  for (WireCursor info(last_bytes(meta_graph, fields::MetaGraphDef::kMetaInfoDef)); info.next();) {
    if (info.field().number == fields::MetaGraphDef::MetaInfoDef::kTags)
      tags.emplace_back(info.field().bytes);
  }
  return tags;
}

// "{ serve, gpu }", as TensorFlow prints them.
std::string to_text(const Tags& tags) {
  return tags.empty() ? "{ }" : cat("{ ", join(tags, ", "), " }");
}

std::string to_text(const std::vector<Tags>& sets) {
  std::vector<std::string> texts;
  for (const Tags& tags : sets) texts.push_back(to_text(tags));
  return join(texts, ", ", 10);
}

bool same_set(const Tags& a, const Tags& b) {
  return std::set<std::string_view>(a.begin(), a.end()) ==
         std::set<std::string_view>(b.begin(), b.end());
}

// Returns the position of the selected MetaGraphDef.
Result<size_t> choose(const std::vector<Tags>& sets, const OpenContext& context,
                      const SourcePtr& file) {
  if (sets.empty()) {
    return failure("no-meta-graph", "the SavedModel holds no MetaGraphDef", {.file = file->name()},
                   "save the model again: there is nothing in it");
  }
  const std::optional<Tags>& asked = context.options.tags;
  if (!asked && sets.size() == 1) return size_t{0};
  const Tags wanted = asked.value_or(Tags{"serve"});
  for (size_t i = 0; i < sets.size(); ++i) {
    if (same_set(sets[i], wanted)) return i;
  }
  const std::string fix = cat(ADVICE("choose-tags") "; there is ", to_text(sets));
  if (!asked) {
    return failure("several-tag-sets",
                   cat("the SavedModel holds ", plural(sets.size(), "MetaGraphDef"),
                       ", and none of the tag serve alone"),
                   {.file = file->name()}, fix);
  }
  return failure("no-such-tags",
                 cat("Could not find meta graph def matching supplied tags: ", to_text(wanted)),
                 {.file = file->name()}, fix);
}

// The folder's files: which belong to the checkpoint, and the rest.
void collect_parts(const OpenContext& context, const SourcePtr& file, SavedModelParts& parts) {
  const std::string folder(folder_of(file->name()));
  for (const SourcePtr& other : context.files) {
    if (other == file || !is_saved_model_part(file->name(), other->name())) continue;
    const std::string path = other->name().substr(folder.size());
    if (path.ends_with(".pbtxt")) continue;
    (path.starts_with(kVariables) ? parts.variables : parts.others).push_back({path, other});
  }
}

Status split(std::string skeleton, const OpenContext& context, const SourcePtr& file,
             SavedModelParts& parts, Model& model) {
  std::vector<std::string_view> meta_graphs;
  for (WireCursor cursor(skeleton); cursor.next();) {
    if (cursor.field().number == fields::SavedModel::kMetaGraphs)
      meta_graphs.push_back(cursor.field().bytes);
  }
  std::vector<Tags> sets;
  for (const std::string_view each : meta_graphs) sets.push_back(tags_of(each));
  TRY(chosen, choose(sets, context, file));
  size_t place = 0;
  for (WireCursor cursor(skeleton); cursor.next();) {
    const bool meta_graph = cursor.field().number == fields::SavedModel::kMetaGraphs;
    const bool it = meta_graph && place == chosen;
    if (!it) (place > chosen ? parts.after : parts.before) += cursor.field().record;
    if (meta_graph) ++place;
  }
  return split_meta_graph(part_of(std::move(skeleton), meta_graphs[chosen]), model,
                          context.diagnostics);
}

// Without its slash at the end.
std::string folder_name(std::string_view name) {
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  return std::string(name);
}

// Returns the MetaGraphDef to write.
std::string meta_graph_of(const Model& model, const std::string& folder, Diagnostics& diagnostics) {
  if (model.kind == Kind::kSavedModel && model.graph.is_as_read()) {
    return meta_graph_skeleton(model, diagnostics);
  }
  const Model written = with_written_prefix(model, cat(folder, kVariables, "variables"));
  const Model served = with_asset_variables(with_asset_paths(with_serving_signature(written)));
  const std::string message = meta_graph_skeleton(served, diagnostics);
  std::string kept;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number != fields::MetaGraphDef::kObjectGraphDef)
      kept += cursor.field().record;
  }
  return kept;
}

Result<Files> variables_of_saved_model(const Model& model, const std::string& folder,
                                       uint64_t shard_size) {
  if (model.checkpoint == nullptr) return Files{};
  const SavedModelParts* parts = model.saved_model.get();
  if (parts == nullptr || !model.graph.is_as_read() || model.checkpoint != parts->checkpoint ||
      shard_size > 0) {
    return checkpoint_files(model, cat(folder, kVariables, "variables"), shard_size);
  }
  Files files;
  for (const auto& part : parts->variables) {
    files.push_back({cat(folder, part.path), checked_file(*parts->checkpoint, part.source)});
  }
  return files;
}

// "dir", "dir/" -> "dir/"
std::string folder_of_out(const std::string& out) {
  return out.empty() ? std::string() : cat(folder_name(out), "/");
}

const MessageSchema& saved_model_schema() { return message_schema("tensorflow.SavedModel"); }

// The message, bulk elided.
std::string message_of(const Model& model, const std::string& folder, Diagnostics& diagnostics) {
  const SavedModelParts* parts = model.saved_model.get();
  std::string message;
  if (parts != nullptr) message = parts->before;
  if (parts == nullptr) put_varint_field(message, fields::SavedModel::kSavedModelSchemaVersion, 1);
  put_bytes_field(message, fields::SavedModel::kMetaGraphs,
                  meta_graph_of(model, folder, diagnostics));
  if (parts != nullptr) message += parts->after;
  return message;
}

// Returns the files in the folder: the message's file, variables, assets.
Result<Files> folder_of_files(const Model& model, const WriteOptions& options,
                              const std::string& folder, OutputFile message) {
  const SavedModelParts* parts = model.saved_model.get();
  Files files = {std::move(message)};
  TRY(variables, variables_of_saved_model(model, folder, options.shard_size));
  files.insert(files.end(), variables.begin(), variables.end());
  if (parts == nullptr) return files;
  for (const auto& other : parts->others) {
    const bool as_opened = model.graph.is_as_read() && model.lost.empty();
    if (other.path == kFingerprint && !as_opened) continue;
    files.push_back({cat(folder, other.path), Splice(whole(other.source))});
  }
  return files;
}

}  // namespace

bool is_saved_model_part(std::string_view file, std::string_view other) {
  const std::string_view folder = folder_of(file);
  if (!other.starts_with(folder)) return false;
  const std::string_view path = other.substr(folder.size());
  return std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) {
    return part.ends_with('/') ? path.starts_with(part) : path == part;
  });
}

Result<Model> read_saved_model(const OpenContext& context, const SourcePtr& file) {
  const std::string folder(folder_of(file->name()));
  Model model{Kind::kSavedModel, folder.empty() ? file->name() : folder_name(folder), {file}};
  TRY(skeleton, read_structure(context, file, message_schema("tensorflow.SavedModel"), model));
  auto parts = std::make_shared<SavedModelParts>();
  CHECK_OK(split(std::move(skeleton), context, file, *parts, model));
  collect_parts(context, file, *parts);
  const std::string prefix = cat(folder, kVariables, "variables");
  const std::string asked = asked_checkpoint(context.options);
  if (!asked.empty() || has_checkpoint(context, prefix)) {
    CHECK_OK(add_checkpoint(model, context, asked.empty() ? prefix : asked));
  }
  if (auto fault = restore_fault(model)) {
    fault->severity = Severity::kWarning;  // verbs that need no variable can go on
    context.diagnostics.add(std::move(*fault));
  }
  for (const auto& other : parts->others) model.files.push_back(other.source);
  parts->checkpoint = model.checkpoint;
  model.saved_model = std::move(parts);
  return model;
}

Result<Files> write_saved_model(const Model& model, const WriteOptions& options,
                                Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  const std::string folder = folder_of_out(options.out);
  TRY(content,
      expand(message_of(model, folder, diagnostics), saved_model_schema(), *model.payloads));
  return folder_of_files(model, options, folder,
                         {cat(folder, "saved_model.pb"), std::move(content)});
}

// OUT is the file or its folder.
Result<Files> write_saved_model_text(const Model& model, const WriteOptions& options,
                                     Diagnostics& diagnostics) {
  CHECK_OK(require_graph(model));
  const bool is_file = options.out.ends_with(".pbtxt");
  const std::string folder =
      is_file ? std::string(folder_of(options.out)) : folder_of_out(options.out);
  TRY(content, write_text(message_of(model, folder, diagnostics), saved_model_schema(),
                          *model.payloads, diagnostics));
  return folder_of_files(
      model, options, folder,
      {is_file ? options.out : cat(folder, "saved_model.pbtxt"), std::move(content)});
}

}  // namespace cryo
