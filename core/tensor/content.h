#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "bytes/splice.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"
#include "wire/payloads.h"

namespace cryo {

// A tensor and its plain content, as a checkpoint stores it:
//
//     fixed-size   the elements, row-major, little-endian: a bool is 0 or 1; (u)int4 and (u)int2
//                  take a byte each
//     string       02 00   | 78 27 0B 34    | 61 62           ["ab", ""]
//                  lengths | their checksum | bytes
//
// Lengths are varints. Their checksum is the masked CRC-32C of the lengths as fixed32 (fixed64 if
// they need it). Content that is already stored in this layout is a slice of its file. Other
// encodings are converted while they are read, in bounded memory.
struct Tensor {
  DType dtype = DType::kInvalid;
  Shape shape = {};
  uint64_t count = 0;  // of elements
  Splice content = {};
};

// Returns the tensor that TensorFlow makes of an elided TensorProto: tensor_content if there is
// any, else the list of the type. A short list repeats its last value; an empty one means zeros.
// Bulk is not read, except for the lengths of strings in tensor_content and the last byte of long
// lists of varints. So bulk bools are not checked, and a malformed list of varints is found when
// the content is read.
//
// A small file can describe a huge tensor (a shape and one value): look at content.size() before
// reading all of it.
//
// Fails if TensorFlow refuses the tensor: "bad-shape", "bad-dtype" (unknown, a ref type),
// "bad-tensor" (tensor_content of another size, bools other than 0 and 1), "malformed-message".
// Fails with "unsupported-dtype" for resources and variants, which have no plain content.
Result<Tensor> read_tensor(std::string_view skeleton, const Payloads& payloads);

// Returns the elements of a tensor of int32 or int64; nullopt for another dtype, and if its content
// cannot be read or is cut short. Reads all of it: for small tensors.
std::optional<std::vector<int64_t>> integers_of(const Tensor& tensor);

// Returns a TensorProto with only this, a tensor of zeros; its elements may be appended.
std::string tensor_of_zeros(DType dtype, const Shape& shape);

// Returns the elided TensorProto of a Const with this plain content: dtype, shape and
// tensor_content, a handle to the content's own slices, which are not read. Strings become
// string_val, as after elision; their lengths and short strings are read.
//
// Fails with "bad-tensor" if the content's size does not match dtype and shape, with "too-large"
// for strings over 2 GiB; with "bad-dtype", "unsupported-dtype", "bad-shape" as above.
Result<std::string> const_tensor(DType dtype, const Shape& shape, const Splice& plain_content,
                                 Payloads& payloads);

}  // namespace cryo
