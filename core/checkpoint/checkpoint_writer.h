#pragma once

#include <map>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "proto/checkpoint.pb.h"

namespace cryo {

// The files of a checkpoint.
struct CheckpointFiles {
  Splice index = {};                // PREFIX.index
  std::vector<Splice> shards = {};  // PREFIX.data-00000-of-0000N, ...: one at least
};

// Writes a checkpoint with the same index, byte for byte, as TensorFlow's BundleWriter. The data
// files are lists of the contents given: nothing is copied.
//
//     shard_size 10      a: 6 bytes   b: 4   c: 3   d: 20   e: 1
//                        data-00000   ....   data-1 data-2  data-3      a tensor is in one file
class CheckpointWriter {
 public:
  // `shard_size`: the most bytes of a data file, unless a tensor alone has more; 0: all in one.
  explicit CheckpointWriter(uint64_t shard_size = 0) : shard_size_(shard_size) {}

  // Adds a tensor after those added before. `content` has the layout of content_checksum.h and is
  // read once, in bounded steps, for its checksum. Fails if it does not fit dtype and shape, and on
  // a key that is empty or was added before.
  Status add(std::string key, DType dtype, const Shape& shape, const Splice& content);

  // Adds an entry of another checkpoint, unchanged. If its checksum is known it is reused, and
  // nothing is read. Fails with the entry's fault.
  Status add(const CheckpointEntry& entry);

  // The writer is used up.
  CheckpointFiles finish();

 private:
  Status put(std::string key, DType dtype, const Shape& shape, const Splice& content,
             uint32_t masked_crc);

  uint64_t shard_size_;
  std::map<std::string, tensorflow::BundleEntryProto> entries_;
  std::vector<Splice> shards_ = std::vector<Splice>(1);
};

}  // namespace cryo
