#pragma once

#include <vector>

#include "checkpoint/checkpoint.h"

namespace cryo {

// Returns tensors as the tables of a V1 checkpoint (layout: checkpoint_v1.h), byte for byte as
// TensorFlow's TensorSliceWriter writes them unsliced: in their order, each table with at most
// `shard_size` bytes of tensors, unless one tensor has more; 0: all in one table. Each tensor is
// read once, in bounded steps, for the tables' checksums. Numbers that protobuf stores as varints
// are computed whenever the table is read.
//
// Fails, before anything is written, with an entry's fault, "checksum", "unsupported-dtype" if
// TensorFlow cannot read the type from such a checkpoint, and "too-large" for a tensor that
// protobuf could not read: over 2 GiB.
Result<std::vector<Splice>> write_checkpoint_v1(const std::vector<const CheckpointEntry*>& entries,
                                                uint64_t shard_size = 0);

}  // namespace cryo
