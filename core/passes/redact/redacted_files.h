#pragma once

#include "checkpoint/checkpoint.h"
#include "model/model.h"
#include "passes/redact/redaction.h"

namespace cryo {

// Returns a checkpoint with the same tensors under neutral keys, their values zero. The object
// graph of TensorFlow 2, which is structure, stays with neutral names. Values that cannot be read,
// and variants, stay away.
Result<Checkpoint> redacted_checkpoint(const Checkpoint& checkpoint, Redaction& redaction,
                                       NeutralNames& names);

// Returns the assets among the files of a SavedModel under neutral names; other files are removed.
// A text keeps the number of its lines and their columns, which tables need, and nothing else:
//
//     the     1024        1  1
//     of      512         2  2
//
// Any other asset becomes empty.
Result<std::vector<SavedModelParts::File>> redacted_assets(
    const std::vector<SavedModelParts::File>& files, NeutralNames& names);

}  // namespace cryo
