#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

struct RemovedCounts {
  uint64_t names = 0;    // words of names
  uint64_t tensors = 0;  // whose values are gone
  uint64_t bytes = 0;    // that these took
};

struct Redacted {
  Model model;
  RemovedCounts removed = {};
};

// Makes a model that can be given away with the report of a bug: the same structure and faults,
// without weights and names.
//
//     conv1/weights: Const float32[3,3,64,64]     n1/n2: Const float32[3,3,64,64], zeros
//     conv1/Relu <- conv1/Conv2D                  n1/n3 <- n1/n4
//
// Stay: nodes and edges, ops and the names of their attributes, types, shapes, functions,
// signatures, collections, the objects of a SavedModel, and whole numbers of at most kMaxKept
// elements, which say shapes and axes (redacted_tensor.h). Names become neutral ones
// (neutral_names.h), all references follow. Debug information, documentation, metadata, unknown
// fields and files other than assets (redacted_files.h) are removed.
//
// Reads no weights. Fails with "ops-not-loaded": the definitions of ops distinguish their words
// from names.
Result<Redacted> redact(const Model& model, const OpRegistry* known, Diagnostics& diagnostics);

}  // namespace cryo
