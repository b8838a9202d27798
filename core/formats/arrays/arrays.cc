#include "formats/arrays/arrays.h"

#include "base/reference.h"
#include "base/text.h"
#include "formats/arrays/npz.h"
#include "formats/arrays/safetensors.h"

namespace cryo {
namespace {

Model weights_alone(Kind kind, const SourcePtr& file, Checkpoint checkpoint) {
  Model model{kind, file->name(), {file}};
  checkpoint.prefix = file->name();
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return model;
}

}  // namespace

Status require_weights(const Model& model) {
  if (!model.has_graph && model.checkpoint != nullptr) return Unit{};
  return failure("has-graph", "this format holds weights and no graph", {},
                 "take the weights alone: " RUN("weights", "OUT.npz"));
}

Result<Model> read_npz_model(const OpenContext& context, const SourcePtr& file) {
  TRY(checkpoint, read_npz(file, context.diagnostics, &context.checks, context.salvaged()));
  return weights_alone(Kind::kNpz, file, std::move(checkpoint));
}

Result<Model> read_npy_model(const OpenContext& context, const SourcePtr& file) {
  TRY(checkpoint, read_npy(file, context.diagnostics));
  return weights_alone(Kind::kNpz, file, std::move(checkpoint));
}

Result<Model> read_safetensors_model(const OpenContext& context, const SourcePtr& file) {
  TRY(checkpoint, read_safetensors(file, context.diagnostics));
  return weights_alone(Kind::kSafetensors, file, std::move(checkpoint));
}

Result<Files> write_npz_model(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics) {
  CHECK_OK(require_weights(model));
  TRY(content, write_npz(model.checkpoint->entries, diagnostics));
  return Files{{options.out, std::move(content)}};
}

Result<Files> write_npy_model(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics) {
  CHECK_OK(require_weights(model));
  TRY(arrays, write_npy_files(model.checkpoint->entries, diagnostics));
  const bool is_file = options.out.ends_with(".npy");
  if (is_file && arrays.size() != 1) {
    return failure("several-weights", cat("a .npy file holds one array; there are ", arrays.size()),
                   {},
                   "write them into a folder, " OPTION("-o", "DIR/") " " SETTING(
                       "--as", "npy") ", or choose one: " OPTION("--variables", "NAME"));
  }
  const bool open_end = !options.out.empty() && !options.out.ends_with('/');
  const std::string folder = cat(options.out, open_end ? "/" : "");
  Files files;
  for (ZipFile& array : arrays) {
    std::string path = is_file ? options.out : cat(folder, array.name);
    files.push_back({std::move(path), std::move(array.content)});
  }
  return files;
}

Result<Files> write_safetensors_model(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics) {
  CHECK_OK(require_weights(model));
  TRY(content, write_safetensors(model.checkpoint->entries, diagnostics));
  return Files{{options.out, std::move(content)}};
}

}  // namespace cryo
