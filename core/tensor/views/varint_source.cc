#include "tensor/views/varint_source.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "bytes/coding.h"

namespace cryo {

VarintSource::VarintSource(Slice list, uint64_t count, uint32_t width, Element element)
    : list_(std::move(list)), count_(count), width_(width), element_(element) {
  assert(count_ <= uint64_t{std::numeric_limits<int64_t>::max()} / width_);
}

Status VarintSource::read(uint64_t offset, std::span<char> out) const {
  uint64_t index = offset / width_;
  auto byte = static_cast<uint32_t>(offset % width_);
  for (size_t done = 0; done < out.size(); ++index) {
    if (Status found = seek(index); !found) {
      window_.reset();
      return found;
    }
    for (; byte < width_ && done < out.size(); ++byte) {
      out[done++] = static_cast<char>(value_ >> (8 * byte));
    }
    byte = 0;
  }
  return Unit{};
}

// Makes value_ that of the element `index`.
Status VarintSource::seek(uint64_t index) const {
  if (!window_ || index + 1 < decoded_) {
    window_.emplace(list_);
    decoded_ = 0;
    value_ = 0;
  }
  while (decoded_ <= index && window_->left() > 0) CHECK_OK(decode_next());
  return Unit{};
}

Status VarintSource::decode_next() const {
  std::string_view ahead = window_->peek(kMaxVarint64);
  const size_t available = ahead.size();
  uint64_t value = 0;
  if (!take_varint(ahead, value)) {
    if (!window_->ok()) return window_->error();
    return failure("malformed-message", "expected a varint in a packed list of numbers",
                   {.file = list_.source->name(), .offset = list_.offset + window_->position()},
                   "the file is damaged: get it again from its source");
  }
  window_->skip(available - ahead.size());
  value_ = element_ == Element::kBool ? uint64_t{value != 0} : value;
  ++decoded_;
  return Unit{};
}

}  // namespace cryo
