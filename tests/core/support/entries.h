#pragma once

#include <string>
#include <vector>

#include "base/text.h"
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

// "float [2,3]", or the code of what is wrong with it.
inline std::string described(const CheckpointEntry& entry) {
  if (entry.fault) return entry.fault->code;
  return cat(dtype_name(entry.dtype), " ", to_text(entry.shape));
}

}  // namespace cryo
