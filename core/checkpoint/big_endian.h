#pragma once

#include "checkpoint/checkpoint.h"

namespace cryo {

// The content of a checkpoint's tensor that a big-endian machine wrote (s390x, older POWER), as
// little-endian ones write it: `stored` is its part of the data file, as it lies. Nothing is read
// here; what comes is a view that swaps bytes as it is read, so that the rule of slices holds and
// the checksums, which cover the bytes as they lie, stay good.
//
//     fixed size   each number's bytes in reverse order; a complex number is two
//     STRING       varint lengths | fixed32 checksum | bytes: the same but for the checksum, which
//                  was taken over big-endian lengths and is taken anew
//     VARIANT      refused, as TensorFlow refuses it
Result<Slice> content_of_big_endian(const CheckpointPart& stored, DType dtype,
                                    const std::string& key);

}  // namespace cryo
