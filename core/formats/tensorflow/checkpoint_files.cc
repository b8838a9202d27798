#include "formats/tensorflow/checkpoint_files.h"

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/checkpoint_v1.h"
#include "checkpoint/checkpoint_v1_writer.h"
#include "checkpoint/checkpoint_writer.h"
#include "formats/pairing.h"
#include "formats/tensorflow/meta_graph.h"
#include "model/missing_parts.h"
#include "model/variables.h"

namespace cryo {
namespace {

Status require_values(const Model& model) {
  if (model.checkpoint != nullptr) return Unit{};
  return failure("no-checkpoint", "the model has no values of variables to write", {},
                 variables_of(model).empty()
                     ? "un-freeze it first, or write it as a graph: " OPTION("-o", "NAME.pb")
                     : cat(missing_checkpoint(model).fix,
                           "; or write it as a graph: " OPTION("-o", "NAME.meta")));
}

// Returns a checkpoint's files, and its .meta if there is a graph.
Result<Files> with_meta(const Model& model, tensorflow::SaverDef::CheckpointFormatVersion version,
                        const WriteOptions& options, Files files, Diagnostics& diagnostics) {
  if (!model.has_graph) return files;
  WriteOptions meta = options;
  meta.out = cat(options.out, ".meta");
  TRY(written, has_saver_of(model, version)
                   ? write_meta_graph(model, meta, diagnostics)
                   : write_meta_graph(with_saver_of(model, version), meta, diagnostics));
  written.insert(written.end(), files.begin(), files.end());
  return written;
}

}  // namespace

Result<Model> read_checkpoint_prefix(const OpenContext& context, const std::string& prefix) {
  for (const std::string_view ending : {".meta", ".meta.pbtxt"}) {
    if (const SourcePtr meta = context.find(cat(prefix, ending))) {
      return read_meta_graph(context, meta);
    }
  }
  Model model{Kind::kCheckpoint, prefix};
  CHECK_OK(add_checkpoint(model, context, prefix));
  return model;
}

Result<Model> read_checkpoint_model(const OpenContext& context, const SourcePtr& index) {
  if (!index->name().ends_with(".index")) {
    return failure("not-a-model",
                   cat("'", base_name(index->name()), "' is the index of a V2 checkpoint"),
                   {.file = index->name()},
                   "name it PREFIX.index, as its data files are named PREFIX.data-...");
  }
  return read_checkpoint_prefix(context, prefix_of(index->name()));
}

bool is_checkpoint_part(std::string_view index, std::string_view other) {
  return !prefix_of(index).empty() && prefix_of(index) == prefix_of(other);
}

Result<Model> read_checkpoint_v1_model(const OpenContext& context, const SourcePtr& table) {
  return read_checkpoint_prefix(context, prefix_of_v1(table->name()));
}

bool is_checkpoint_v1_part(std::string_view table, std::string_view other) {
  return prefix_of_v1(table) == prefix_of_v1(other);
}

bool is_meta_graph_part(std::string_view meta, std::string_view other) {
  return is_checkpoint_part(meta, other) || prefix_of(meta) == prefix_of_v1(other);
}

Result<Files> checkpoint_files(const Model& model, const std::string& prefix, uint64_t shard_size) {
  CheckpointWriter writer(shard_size);
  for (const CheckpointEntry* entry : values_to_write(model)) CHECK_OK(writer.add(*entry));
  CheckpointFiles made = writer.finish();
  Files files;
  const auto count = static_cast<int>(made.shards.size());
  for (int i = 0; i < count; ++i) {
    files.push_back({checkpoint_shard_name(prefix, i, count), made.shards[static_cast<size_t>(i)]});
  }
  files.push_back({cat(prefix, ".index"), std::move(made.index)});
  return files;
}

Result<Files> write_checkpoint_model(const Model& model, const WriteOptions& options,
                                     Diagnostics& diagnostics) {
  CHECK_OK(require_values(model));
  TRY(files, checkpoint_files(model, options.out, options.shard_size));
  return with_meta(model, tensorflow::SaverDef::V2, options, std::move(files), diagnostics);
}

Result<Files> write_checkpoint_v1_model(const Model& model, const WriteOptions& options,
                                        Diagnostics& diagnostics) {
  CHECK_OK(require_values(model));
  TRY(tables, write_checkpoint_v1(values_to_write(model), options.shard_size));
  Files files;
  const auto count = static_cast<int>(tables.size());
  for (int i = 0; i < count; ++i) {
    const std::string name = count == 1 ? options.out : v1_shard_name(options.out, i, count);
    files.push_back({name, std::move(tables[static_cast<size_t>(i)])});
  }
  return with_meta(model, tensorflow::SaverDef::V1, options, std::move(files), diagnostics);
}

}  // namespace cryo
