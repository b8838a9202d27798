#include "tensor/views/transposed_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace cryo {
namespace {

// A run of so many bytes is worth a read of its own; shorter ones are read together with the gaps
// between them.
constexpr uint64_t kLongRun = 4096;
constexpr uint64_t kReadAtOnce = uint64_t{1024} * 1024;

// Walks the places of a row's elements in C's order while their indices go on in Fortran's.
class Places {
 public:
  explicit Places(const std::vector<uint64_t>& dims) : dims_(dims), index_(dims.size(), 0) {
    strides_.assign(dims.size(), 1);
    for (size_t i = dims.size() - 1; i-- > 0;) strides_[i] = strides_[i + 1] * dims_[i + 1];
  }

  uint64_t place() const { return place_; }

  void advance() {
    for (size_t i = 1; i < dims_.size(); ++i) {
      place_ += strides_[i];
      if (++index_[i] < dims_[i]) return;
      place_ -= strides_[i] * dims_[i];
      index_[i] = 0;
    }
  }

 private:
  const std::vector<uint64_t>& dims_;
  std::vector<uint64_t> index_;
  std::vector<uint64_t> strides_;
  uint64_t place_ = 0;
};

}  // namespace

TransposedSource::TransposedSource(Slice slice, std::vector<uint64_t> dims, uint32_t width,
                                   uint64_t most_memory)
    : slice_(std::move(slice)), dims_(std::move(dims)), width_(width) {
  assert(dims_.size() >= 2 && slice_.size > 0 && slice_.size % (dims_[0] * width_) == 0);
  columns_ = slice_.size / (dims_[0] * width_);
  assert(columns_ * width_ <= kMaxRow);
  most_rows_ = std::clamp(most_memory / (columns_ * width_), uint64_t{1}, dims_[0]);
}

Status TransposedSource::read(uint64_t offset, std::span<char> out) const {
  const uint64_t row_size = columns_ * width_;
  while (!out.empty()) {
    const uint64_t row = offset / row_size;
    if (row < first_row_ || row >= first_row_ + rows_) CHECK_OK(load(row));
    const uint64_t within = offset - first_row_ * row_size;
    const size_t taken = tile_.copy(out.data(), out.size(), static_cast<size_t>(within));
    out = out.subspan(taken);
    offset += taken;
  }
  if (offset == slice_.size) {
    rows_ = 0;
    tile_ = std::string();
  }
  return Unit{};
}

// Puts the rows from first_row on into tile_. In the slice they are a run of each column.
Status TransposedSource::load(uint64_t first_row) const {
  rows_ = 0;  // nothing, should a read fail
  const uint64_t rows = std::min(most_rows_, dims_[0] - first_row);
  tile_.resize(static_cast<size_t>(rows * columns_ * width_));
  const bool apart = rows < dims_[0] && rows * width_ >= kLongRun;
  const uint64_t column_size = dims_[0] * width_;
  const uint64_t together = apart ? 1 : std::max(kReadAtOnce / column_size, uint64_t{1});
  std::string runs;
  Places places(dims_);
  for (uint64_t column = 0; column < columns_; column += together) {
    const uint64_t count = std::min(together, columns_ - column);
    runs.resize(static_cast<size_t>((count - 1) * column_size + rows * width_));
    const uint64_t start = column * column_size + first_row * width_;
    CHECK_OK(read_exactly(*slice_.source, slice_.offset + start, {runs.data(), runs.size()}));
    for (uint64_t i = 0; i < count; ++i, places.advance()) {
      scatter(runs.data() + i * column_size, places.place());
    }
  }
  first_row_ = first_row;
  rows_ = rows;
  return Unit{};
}

// One column's elements, each to its row.
void TransposedSource::scatter(const char* column, uint64_t place) const {
  const auto row_size = static_cast<size_t>(columns_ * width_);
  for (size_t to = static_cast<size_t>(place * width_); to < tile_.size(); to += row_size) {
    std::memcpy(tile_.data() + to, column, width_);
    column += width_;
  }
}

}  // namespace cryo
