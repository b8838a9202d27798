#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "formats/write.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// A written model, which the lines of a program load.
struct WrittenModel {
  const Model& model;
  const WriteOptions& options;
  const std::vector<std::string>& outputs;  // that the model was made for; empty: the likely ones
  const OpRegistry* ops;  // may be null: types are then known as far as the graph declares them
};

// Adds "snippet": {"language": "python" | "javascript", "lines": [...]}, the few lines of a program
// that loads what was written, by its real names, and runs it on inputs that are zero: TensorFlow
// for graphs, SavedModels and checkpoints, NumPy or safetensors for arrays, TensorFlow.js for its
// models. Adds nothing if no format is requested.
void add_snippet(JsonWriter& members, const WrittenModel& written);

}  // namespace cryo
