#pragma once

#include "formats/tflite/tflite_file.h"

namespace cryo {

// Returns all elements of a sparse constant, those that are not stored as zeros of its type. They
// are expanded when they are read, in memory that is freed when the end has been read.
//
//     levels   the axes in traversal order, then those of blocks
//     DENSE        size children of each parent: child = parent * size + j
//     SPARSE_CSR   the children segments[parent] .. segments[parent + 1], at indices[child]
//
// A position on the last level is the place of a stored value. Fails with "bad-tflite" if the
// levels do not fit the shape, with "too-large" for a tensor over 1 GB; reading it, if indices do
// not. `width`: bytes of an element.
Result<Slice> expanded_sparse(const TfliteTensor& tensor, uint32_t width);

}  // namespace cryo
