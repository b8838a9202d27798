#pragma once

#include <string>

#include "model/model.h"

namespace cryo {

// A part that a model lacks, in the terms of its format, and how to give it: texts for diagnostics,
// with references (base/reference.h).
struct MissingPart {
  std::string message = {};
  std::string fix = {};
};

// Describes the checkpoint of a model with variables that has none.
MissingPart missing_checkpoint(const Model& model);

// Describes the graph of weights alone.
MissingPart missing_graph(const Model& model);

// Returns true if the weights are a checkpoint of objects, as tf.train.Checkpoint and Keras'
// save_weights write it. No .meta belongs to it.
bool is_checkpoint_of_objects(const Model& model);

}  // namespace cryo
