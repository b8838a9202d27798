#pragma once

#include <string>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

// A tensor stored by columns (Fortran order), read by rows (C order):
//
//     slice   a00 a10 a01 a11 a02 a12         of shape [2,3]
//     this    a00 a01 a02 a10 a11 a12
//
// Blocks of rows are transposed in memory: 16 MB of them, at least one row. The memory is freed
// when the end has been read. A sequential read reads each byte of the slice once if its runs are
// long, and a few times if they are short.
class TransposedSource final : public ByteSource {
 public:
  // A caller refuses tensors with longer rows, for one is held in memory.
  static constexpr uint64_t kMaxRow = uint64_t{256} << 20;

  // REQUIRES: at least two dimensions, none of them 0; slice.size is their product times width, and
  // a row's part of it at most kMaxRow.
  TransposedSource(Slice slice, std::vector<uint64_t> dims, uint32_t width,
                   uint64_t most_memory = uint64_t{16} << 20);
  const std::string& name() const override { return slice_.source->name(); }
  uint64_t size() const override { return slice_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Status load(uint64_t first_row) const;
  void scatter(const char* column, uint64_t place) const;

  Slice slice_;
  std::vector<uint64_t> dims_;
  uint32_t width_;
  uint64_t columns_;  // elements of a row: the product of all dimensions but the first
  uint64_t most_rows_;

  // rows_ rows from first_row_ on.
  mutable std::string tile_;
  mutable uint64_t first_row_ = 0;
  mutable uint64_t rows_ = 0;
};

}  // namespace cryo
