#include "checkpoint/strided_runs.h"

#include <utility>

namespace cryo {

Strips::Strips(std::span<const uint64_t> dims, uint64_t element_size, Box box)
    : box_(std::move(box)), strides_(box_.size()) {
  uint64_t stride = element_size;
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) strides_[d] = stride;
  // The last dimension that the box covers only partly: the dimensions after it are whole, so a
  // strip spans them.
  inner_ = box_.size() - 1;
  while (inner_ > 0 && box_[inner_].size == dims[inner_]) --inner_;
  run_ = box_[inner_].size * strides_[inner_];
  for (size_t d = 0; d < inner_; ++d) count_ *= box_[d].size;
}

uint64_t Strips::begin(uint64_t i) const {
  uint64_t offset = box_[inner_].start * strides_[inner_];
  for (size_t d = inner_; d-- > 0; i /= box_[d].size) {
    offset += (box_[d].start + i % box_[d].size) * strides_[d];
  }
  return offset;
}

}  // namespace cryo
