#pragma once

#include "checkpoint/checkpoint_data.h"
#include "checkpoint/tensor_slice.h"

namespace cryo {

// A partitioned tensor, put together from its slices' records.
struct JoinedTensor {
  Splice content = {};
  std::vector<CheckpointPart> parts = {};  // in the order of where the slices begin
};

// `record` is the tensor's own, which lists its slices. Fails where one of them is missing, lies
// outside, or is of another type or shape, and where together they do not make the whole.
Result<JoinedTensor> join_tensor(const CheckpointIndex& index, const CheckpointData& data,
                                 const IndexRecord& record, const TensorSpec& spec);

// A slice as both kinds of checkpoint store it.
std::vector<Extent> read_slice(const tensorflow::TensorSliceProto& proto);

// Whether it is the whole tensor, said by naming no lengths.
bool covers_all(const std::vector<Extent>& slice);

}  // namespace cryo
