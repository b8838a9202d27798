#pragma once

#include <set>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"
#include "passes/unfreeze/unfreeze_plan.h"

namespace cryo {

// The keys that were recorded, where they make up a checkpoint: each a whole tensor, or slices that
// are all there. The other variables go by their own names.
//
//     w/part_0   "w", slice "4 3 0,2:0,3"       "w", slice "4 3 0,2:0,3"
//     w/part_1   "w", slice "4 3 2,2:0,3"       "w", slice "4 3 2,2:0,3"
//     v/part_1   "v", slice "4 3 2,2:0,3"       "v/part_1"                 v/part_0 is not there
//
// Variables of one `shared` name stay one where all have it by a record and the same value; else
// each is one of its own.
//
// `taken`: keys that others have. A name that is one of those gets a number.
void settle_keys(std::vector<PlannedVariable>& planned, const std::set<std::string>& taken);

// The values under the keys, the slices of one joined, sorted. Nothing is read; checksums are made
// when they are written. REQUIRES: the keys are settled.
std::vector<CheckpointEntry> entries_of(const std::vector<PlannedVariable>& planned);

}  // namespace cryo
