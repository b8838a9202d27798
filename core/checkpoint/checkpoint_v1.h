#pragma once

#include <string>
#include <vector>

#include "bytes/damaged_part.h"
#include "checkpoint/checkpoint.h"

namespace cryo {

// A V1 checkpoint (tensorflow/core/util/tensor_slice_writer.h; the default until TensorFlow 0.11):
// one table, PREFIX, or several, PREFIX-00000-of-00002.
//
//     ""         -> SavedTensorSlices {meta}: every tensor's name, shape, type and slices
//     slice key  -> SavedTensorSlices {data}: the values of one slice, as a TensorProto's list
//
// `files`: all of its tables. Only keys, lengths and the first table entry are read. A tensor whose
// values are unavailable has a fault, which is also reported in `diagnostics`. Checksums cover the
// table's blocks: `checks` receives them, and each entry has those of its blocks.
//
// With `losses` reads what is whole of damaged tables. A tensor with values in a lost block has a
// fault. Fails if no table's description is left.
Result<Checkpoint> read_checkpoint_v1(const std::vector<SourcePtr>& files,
                                      const std::string& prefix, Diagnostics& diagnostics,
                                      Checks* checks = nullptr, DamagedParts* losses = nullptr);

// "model.ckpt-10-00001-of-00002" -> "model.ckpt-10", and so "model.ckpt-10-?????-of-00002", as
// state files have it; any other name is the prefix itself.
std::string prefix_of_v1(std::string_view file);

// The name of one of several tables.
std::string v1_shard_name(std::string_view prefix, int shard, int num_shards);

}  // namespace cryo
