#pragma once

#include "checkpoint/checkpoint.h"
#include "tensor/difference.h"

namespace cryo {

// How the values of two weights of one type and shape differ. Reads each once, in bounded
// steps side by side; strings twice. Checksums are compared on the way.
//
// Fails with "checksum" where one is damaged, with a fault of either, and as reading does.
Result<Difference> difference_of(const CheckpointEntry& a, const CheckpointEntry& b);

}  // namespace cryo
