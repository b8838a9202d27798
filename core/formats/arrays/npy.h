#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// The header that precedes the elements of a `.npy` file (numpy/lib/format.py): a Python literal,
// padded with blanks so that the elements begin at a multiple of 64.
//
//     93 "NUMPY" | 01 00 | 76 00 | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n
//     magic       version  length  (4 bytes from version 2 on)
struct NpyHeader {
  std::string descr = {};  // "<f4"; empty: of several fields
  bool fortran_order = false;
  Shape shape = {};
  uint64_t size = 0;  // offset of the elements
};

bool looks_like_npy(std::string_view head);

// The bytes of a header up to and with its length.
constexpr size_t kNpyPreamble = 12;

// NumPy refuses headers of more than 10000 bytes unless the caller trusts the file.
constexpr uint64_t kMaxNpyHeader = uint64_t{64} * 1024;

// Returns the size of a header that begins with these kNpyPreamble bytes (fewer if the file is
// shorter). Fails with "bad-npy".
Result<uint64_t> npy_header_size(std::string_view preamble);

// REQUIRES: npy_header_size(header) == header.size(). "bad-npy".
Result<NpyHeader> read_npy_header(std::string_view header);

// Returns the header that numpy.save writes, byte for byte.
std::string write_npy_header(std::string_view descr, const Shape& shape);

// NumPy's types for TensorFlow's. A type without a NumPy name is written as `raw`: the integers
// with the same bits.
struct NpyType {
  DType dtype;
  std::string_view descr;  // "<f4"; "|b1" for a type of one byte
  bool raw;
};
const NpyType* find_npy_type(DType dtype);

// Finds the type of a descr in any byte order; nullptr if TensorFlow does not have the type.
const NpyType* find_npy_type(std::string_view descr);

}  // namespace cryo
