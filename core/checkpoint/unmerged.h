#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checkpoint/checkpoint_index.h"

namespace cryo {

// The name of a part of an interrupted save. A sharded save writes a bundle for each device, then
// merges them into one. If it was interrupted in between, only the parts exist:
//
//     model.ckpt_temp_4f1c/part-00000-of-00002.index       a part, with its data file
//     model.ckpt_temp_4f1c/part-00000-of-00002.data-00000-of-00001
//     model.ckpt_temp_4f1c/part-00001-of-00002.index
//     ...                                                  model.ckpt.index is not there
struct PartName {
  // The prefix of the checkpoint that the save would have made: "model.ckpt"; "part" if the files
  // were moved out of their folder.
  std::string prefix = {};
  int part = 0;
  int count = 0;
};

// Parses the name of a part's index or data file; nullopt for any other name.
std::optional<PartName> part_name(std::string_view file);

// Returns the index that merging would write (MergeV2Checkpoints): shard k of part p is shard k
// plus the number of shards of all parts before. Fails if the parts have different byte orders, and
// if two have one key that is not a tensor in slices. `file` is a part's name, for messages.
Result<CheckpointIndex> merge_indexes(std::vector<CheckpointIndex> parts, const std::string& file);

}  // namespace cryo
