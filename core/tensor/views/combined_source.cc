#include "tensor/views/combined_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

#include "bytes/joined_source.h"
#include "tensor/number.h"

namespace cryo {
namespace {

constexpr uint64_t kElements = 4096;  // that are read of each tensor at a time

bool is_less(const Number& a, const Number& b) {
  if (a.negative != b.negative) return a.negative;
  return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

// Elements of several tensors, from the same place of each.
using Columns = std::vector<std::string>;

void put_mean(const Columns& columns, DType dtype, size_t at, char* made) {
  double sum = as_double(dtype, columns.front().data() + at);
  for (size_t i = 1; i < columns.size(); ++i) sum += as_double(dtype, columns[i].data() + at);
  put_number(sum / static_cast<double>(columns.size()), dtype, made);
}

void put_largest(const Columns& columns, DType dtype, size_t at, char* made) {
  size_t largest = 0;
  for (size_t i = 1; i < columns.size(); ++i) {
    const Number before = number_at(dtype, columns[largest].data() + at);
    if (is_less(before, number_at(dtype, columns[i].data() + at))) largest = i;
  }
  std::memcpy(made, columns[largest].data() + at, find_dtype(dtype)->size);
}

class CombinedSource final : public ByteSource {
 public:
  CombinedSource(std::vector<Slice> tensors, DType dtype, Combination combination)
      : tensors_(std::move(tensors)),
        dtype_(dtype),
        width_(find_dtype(dtype)->size),
        put_(combination == Combination::kMean ? put_mean : put_largest) {}
  const std::string& name() const override { return tensors_.front().source->name(); }
  uint64_t size() const override { return tensors_.front().size; }

  Status read(uint64_t offset, std::span<char> out) const override {
    while (!out.empty()) {
      const auto within = static_cast<size_t>(offset % width_);
      const uint64_t needed = (within + out.size() + width_ - 1) / width_;
      const auto count = static_cast<size_t>(std::min(needed, kElements));
      TRY(made, elements(offset - within, count));
      const size_t step = std::min(made.size() - within, out.size());
      std::memcpy(out.data(), made.data() + within, step);
      offset += step;
      out = out.subspan(step);
    }
    return Unit{};
  }

 private:
  Result<std::string> elements(uint64_t offset, size_t count) const {
    Columns columns(tensors_.size());
    for (size_t i = 0; i < tensors_.size(); ++i) {
      columns[i].resize(count * width_);
      CHECK_OK(read_exactly(*tensors_[i].source, tensors_[i].offset + offset, columns[i]));
    }
    std::string made(count * width_, '\0');
    for (size_t at = 0; at < made.size(); at += width_) {
      put_(columns, dtype_, at, made.data() + at);
    }
    return made;
  }

  std::vector<Slice> tensors_;
  DType dtype_;
  size_t width_;
  void (*put_)(const Columns&, DType, size_t, char*);
};

}  // namespace

Combination combination_of(DType dtype) {
  const std::string name = dtype_name(dtype);
  if (name.starts_with("int") || name.starts_with("uint")) return Combination::kLargest;
  return is_number(part_dtype(dtype)) ? Combination::kMean : Combination::kNone;
}

Slice combined(const std::vector<Splice>& tensors, DType dtype) {
  assert(combination_of(dtype) != Combination::kNone);
  if (tensors.front().size() == 0) return {};
  std::vector<Slice> slices;
  for (const Splice& each : tensors) slices.push_back(as_slice(each));
  return whole(std::make_shared<const CombinedSource>(std::move(slices), part_dtype(dtype),
                                                      combination_of(dtype)));
}

}  // namespace cryo
