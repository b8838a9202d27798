#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/damaged_part.h"
#include "bytes/source.h"
#include "proto/checkpoint.pb.h"

namespace cryo {

// The version of the format that is read and written: TensorFlow's kTensorBundleVersion.
constexpr int kCheckpointVersion = 1;

// A record of a checkpoint's index, not interpreted.
struct IndexRecord {
  std::string key;
  tensorflow::BundleEntryProto entry;
};

struct CheckpointIndex {
  tensorflow::BundleHeaderProto header;
  std::vector<IndexRecord> records;  // by ascending key, slices' own among them

  // nullptr if there is none of this key.
  const IndexRecord* find(std::string_view key) const;
};

// A key as messages show it: slices' own keys are bytes.
std::string printable_key(std::string_view key);

// Reads the index. Fails if the table is damaged or holds something else, and if TensorFlow's own
// reader would refuse its header. With `losses` reads the whole blocks of a damaged table; if the
// header is lost, it has no shards, and all else of it is what TensorFlow writes.
Result<CheckpointIndex> read_checkpoint_index(const SourcePtr& source,
                                              DamagedParts* losses = nullptr);

}  // namespace cryo
