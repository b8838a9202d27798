#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "bytes/splice.h"

namespace cryo {

// The elements of a slice, each made of the stored one while it is read, in bounded memory.
// `Make`: void(uint64_t index, const char* stored, char* made).
template <typename Make>
class ElementSource final : public ByteSource {
 public:
  ElementSource(Slice stored, size_t from, size_t to, Make make)
      : stored_(std::move(stored)), from_(from), to_(to), make_(std::move(make)) {}
  const std::string& name() const override { return stored_.source->name(); }
  uint64_t size() const override { return stored_.size / from_ * to_; }

  Status read(uint64_t offset, std::span<char> out) const override {
    constexpr size_t kElements = 1024;
    char buffer[kElements * 8];
    uint64_t index = offset / to_;
    auto within = static_cast<size_t>(offset % to_);
    while (!out.empty()) {
      const size_t wanted = (within + out.size() + to_ - 1) / to_;
      const size_t count = std::min(wanted, kElements);
      CHECK_OK(read_exactly(*stored_.source, stored_.offset + index * from_,
                            std::span<char>(buffer, count * from_)));
      for (size_t i = 0; i < count; ++i) {
        char element[8];
        make_(index + i, buffer + i * from_, element);
        const size_t step = std::min(to_ - within, out.size());
        std::memcpy(out.data(), element + within, step);
        out = out.subspan(step);
        within = 0;
      }
      index += count;
    }
    return Unit{};
  }

 private:
  Slice stored_;
  size_t from_;  // bytes of an element, at most 8
  size_t to_;
  Make make_;
};

// REQUIRES: the slice is a whole number of elements of `from` bytes.
template <typename Make>
Slice elementwise(Slice stored, size_t from, size_t to, Make make) {
  return whole(
      std::make_shared<const ElementSource<Make>>(std::move(stored), from, to, std::move(make)));
}

}  // namespace cryo
