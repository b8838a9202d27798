#pragma once

#include "formats/format.h"

namespace cryo {

// Files of arrays by name, weights without a graph: NumPy's .npz and .npy, and .safetensors. A
// model is written as one once its weights are taken out of it (passes/weights/extract.h). As .npy
// they are files in the folder OUT, "conv/w" is OUT/conv/w.npy; a single one may be OUT itself,
// "w.npy".
Result<Model> read_npz_model(const OpenContext& context, const SourcePtr& file);
Result<Model> read_npy_model(const OpenContext& context, const SourcePtr& file);
Result<Model> read_safetensors_model(const OpenContext& context, const SourcePtr& file);
Result<Files> write_npz_model(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);
Result<Files> write_npy_model(const Model& model, const WriteOptions& options,
                              Diagnostics& diagnostics);
Result<Files> write_safetensors_model(const Model& model, const WriteOptions& options,
                                      Diagnostics& diagnostics);

// Fails with "has-graph" unless the model is weights alone.
Status require_weights(const Model& model);

}  // namespace cryo
