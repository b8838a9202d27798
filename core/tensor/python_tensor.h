#pragma once

#include "tensor/content.h"

namespace cryo {

// Returns the elided TensorProto that TensorFlow's Python makes of a tensor
// (tensorflow/python/framework/tensor_util.py, make_tensor_proto):
//
//     float32[2]   08 01 12 04 .. 22 08 <8 bytes>     tensor_content
//     float32[]    08 01 12 00    2A 04 <4 bytes>     one element: the typed list
//     bool[2]      08 0A 12 04 .. 5A 02 00 01         a type that never goes in tensor_content
//
// The content's own slices are used if the list of the type holds the same bytes; otherwise
// (varints) the list is computed whenever it is read, and read once now.
//
// Fails as const_tensor does.
Result<std::string> python_tensor(DType dtype, const Shape& shape, const Splice& plain_content,
                                  Payloads& payloads);

}  // namespace cryo
