#pragma once

#include "checkpoint/checkpoint.h"

namespace cryo {

// Returns the content of a tensor in a checkpoint that a big-endian machine wrote (s390x, older
// POWER), as little-endian machines write it. `stored` is its part of the data file, verbatim.
// Nothing is read here: the result is a view that swaps bytes while it is read. The rule of slices
// holds, and the checksums, which cover the stored bytes, stay valid.
//
//     fixed size   each number's bytes in reverse order; a complex number is two
//     STRING       varint lengths | fixed32 checksum | bytes: only the checksum differs, which
//                  covers big-endian lengths and is recomputed
//     VARIANT      refused, as TensorFlow refuses it
Result<Slice> content_of_big_endian(const CheckpointPart& stored, DType dtype,
                                    const std::string& key);

}  // namespace cryo
