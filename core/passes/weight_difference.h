#pragma once

#include "model/checkpoint.h"
#include "tensor/difference.h"

namespace cryo {

// How the values of two weights of one type and shape differ. Reads each once where its checksum
// covers it whole, in bounded steps side by side, and compares the checksums on the way; where it
// does not (slices that interleave, strings) checksums are compared first, which reads them again.
//
// Fails with "checksum" where one is damaged, with a fault of either, and as reading does.
Result<Difference> difference_of(const CheckpointEntry& a, const CheckpointEntry& b);

}  // namespace cryo
