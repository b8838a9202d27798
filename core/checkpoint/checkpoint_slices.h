#pragma once

#include "checkpoint/checkpoint_data.h"
#include "checkpoint/tensor_slice.h"

namespace cryo {

// A partitioned tensor, put together from its slices' records.
struct JoinedTensor {
  Splice content = {};
  std::vector<CheckpointPart> parts = {};  // by the offset of the slices
};

// Joins a partitioned tensor. `record` is the tensor's own, which lists its slices. Fails if a
// slice is missing, exceeds the tensor, or has another type or shape; if the slices do not cover
// the tensor.
Result<JoinedTensor> join_tensor(const CheckpointIndex& records, const CheckpointData& data,
                                 const IndexRecord& whole, const TensorSpec& wanted);

// A slice as both kinds of checkpoint store it.
std::vector<Extent> read_slice(const tensorflow::TensorSliceProto& proto);

// Returns true if a slice is the whole tensor, which is written as no lengths.
bool covers_all(const std::vector<Extent>& slice);

}  // namespace cryo
