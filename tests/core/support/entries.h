#pragma once

#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace cryo {

// A tensor of these bytes, as a reader of weights makes it.
inline CheckpointEntry entry(std::string key, DType dtype, std::vector<int64_t> dims,
                             std::string bytes) {
  CheckpointEntry out;
  out.key = std::move(key);
  out.dtype = dtype;
  out.shape.dims = std::move(dims);
  out.bytes = bytes.size();
  out.content = Splice(fresh(std::move(bytes)));
  return out;
}

}  // namespace cryo
