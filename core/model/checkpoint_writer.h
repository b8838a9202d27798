#pragma once

#include <map>
#include <string>

#include "model/checkpoint.h"
#include "proto/checkpoint.pb.h"

namespace cryo {

// The two files of a checkpoint of one shard.
struct CheckpointFiles {
  std::string index = {};  // PREFIX.index
  Splice data = {};        // PREFIX.data-00000-of-00001
};

// Writes a checkpoint, its index byte for byte as TensorFlow's BundleWriter does. The data file is
// a list of the contents given: nothing is copied.
class CheckpointWriter {
 public:
  // Adds a tensor behind those added before. `content` is laid out as content_checksum.h draws it
  // and is read once, in bounded steps, for its checksum. Fails where it does not fit dtype and
  // shape, and on a key that is empty or was added before.
  Status add(std::string key, DType dtype, const Shape& shape, const Splice& content);

  // An entry of another checkpoint, as it is: where its checksum is known it goes along, and
  // nothing is read. Fails with the entry's fault.
  Status add(const CheckpointEntry& entry);

  // The writer is used up.
  CheckpointFiles finish();

 private:
  Status put(std::string key, DType dtype, const Shape& shape, const Splice& content,
             uint32_t masked_crc);

  std::map<std::string, tensorflow::BundleEntryProto> entries_;
  Splice data_;
};

}  // namespace cryo
