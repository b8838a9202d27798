#include "model/formats/arrays.h"

#include "base/text.h"
#include "model/formats/npz.h"
#include "model/formats/safetensors.h"

namespace cryo {
namespace {

Model weights_alone(Kind kind, const SourcePtr& file, Checkpoint checkpoint) {
  Model model{kind, file->name(), {file}};
  checkpoint.prefix = file->name();
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return model;
}

Status require_weights(const Model& model) {
  if (!model.has_graph && model.checkpoint != nullptr) return Unit{};
  return failure("has-graph", "a file of arrays holds weights and no graph", {},
                 "take the weights alone: cryograph weights PATH -o OUT");
}

}  // namespace

Result<Model> read_npz_model(const Opening& opening, const SourcePtr& file) {
  TRY(checkpoint, read_npz(file, opening.diagnostics));
  return weights_alone(Kind::kNpz, file, std::move(checkpoint));
}

Result<Model> read_npy_model(const Opening& opening, const SourcePtr& file) {
  TRY(checkpoint, read_npy(file, opening.diagnostics));
  return weights_alone(Kind::kNpz, file, std::move(checkpoint));
}

Result<Model> read_safetensors_model(const Opening& opening, const SourcePtr& file) {
  TRY(checkpoint, read_safetensors(file, opening.diagnostics));
  return weights_alone(Kind::kSafetensors, file, std::move(checkpoint));
}

Result<Files> write_npz_model(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics) {
  CHECK_OK(require_weights(model));
  TRY(content, write_npz(model.checkpoint->entries, diagnostics));
  return Files{{options.out, std::move(content)}};
}

Result<Files> write_safetensors_model(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics) {
  CHECK_OK(require_weights(model));
  TRY(content, write_safetensors(model.checkpoint->entries, diagnostics));
  return Files{{options.out, std::move(content)}};
}

}  // namespace cryo
