#include "checkpoint/join_slices.h"

#include <algorithm>
#include <cstring>

#include "base/sort.h"
#include "checkpoint/strided_runs.h"

namespace cryo {
namespace {

// A slice, and its location in the whole tensor.
class PlacedSlice {
 public:
  PlacedSlice(std::span<const uint64_t> dims, uint64_t element_size, StoredSlice slice)
      : bytes_(std::move(slice.bytes)), strips_(dims, element_size, std::move(slice.box)) {
    run_ = strips_.run();
    count_ = bytes_.size == 0 ? 0 : strips_.count();
  }

  uint64_t count() const { return count_; }
  uint64_t begin(uint64_t i) const { return strips_.begin(i); }

  Slice strip(uint64_t i) const { return {bytes_.source, bytes_.offset + i * run_, run_}; }

  // Fills in this slice's part of the whole's bytes [offset, offset + out.size()): one read, then
  // scattered.
  Status read(uint64_t offset, std::span<char> out) const {
    const uint64_t end = offset + out.size();
    const uint64_t first = first_ending_after(offset);
    if (first == count_ || begin(first) >= end) return Unit{};
    const uint64_t past = first_beginning_from(end);
    const uint64_t from = first * run_ + (std::max(offset, begin(first)) - begin(first));
    const uint64_t to = (past - 1) * run_ + (std::min(end - begin(past - 1), run_));
    std::string bytes(static_cast<size_t>(to - from), '\0');
    CHECK_OK(read_exactly(*bytes_.source, bytes_.offset + from, bytes));
    const char* next = bytes.data();
    for (uint64_t i = first; i < past; ++i) {
      const uint64_t at = std::max(offset, begin(i));
      const auto size = static_cast<size_t>(std::min(end, begin(i) + run_) - at);
      std::memcpy(out.data() + (at - offset), next, size);
      next += size;
    }
    return Unit{};
  }

 private:
  uint64_t first_ending_after(uint64_t offset) const {
    return first_where([&](uint64_t i) { return begin(i) + run_ > offset; });
  }
  uint64_t first_beginning_from(uint64_t offset) const {
    return first_where([&](uint64_t i) { return begin(i) >= offset; });
  }

  // The first strip for which it holds, count() if none. REQUIRES: it then holds for all after it.
  template <typename Predicate>
  uint64_t first_where(Predicate holds) const {
    uint64_t low = 0;
    uint64_t high = count_;
    while (low < high) {
      const uint64_t middle = low + (high - low) / 2;
      (holds(middle) ? high : low) = holds(middle) ? middle : middle + 1;
    }
    return low;
  }

  Slice bytes_;
  Strips strips_;
  uint64_t run_ = 0;
  uint64_t count_ = 0;
};

// The whole tensor, assembled while it is read.
class TiledSource final : public ByteSource {
 public:
  TiledSource(std::vector<PlacedSlice> slices, uint64_t size)
      : slices_(std::move(slices)), size_(size) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override {
    for (const PlacedSlice& slice : slices_) CHECK_OK(slice.read(offset, out));
    return Unit{};
  }

 private:
  std::vector<PlacedSlice> slices_;
  uint64_t size_;
  std::string name_ = "joined slices";
};

struct SlicePosition {
  uint64_t begin = 0;
  Slice bytes = {};
};

}  // namespace

Splice join_slices(std::span<const uint64_t> dims, uint64_t element_size,
                   const std::vector<StoredSlice>& slices) {
  std::vector<PlacedSlice> all;
  uint64_t strips = 0;
  uint64_t size = 0;
  for (const StoredSlice& slice : slices) {
    all.emplace_back(dims, element_size, slice);
    strips += all.back().count();
    size += slice.bytes.size;
  }
  if (strips > kMaxStrips)
    return Splice(whole(std::make_shared<TiledSource>(std::move(all), size)));
  std::vector<SlicePosition> places;
  for (const PlacedSlice& slice : all) {
    for (uint64_t i = 0; i < slice.count(); ++i) places.push_back({slice.begin(i), slice.strip(i)});
  }
  sort(places, [](const SlicePosition& a, const SlicePosition& b) { return a.begin < b.begin; });
  Splice joined;
  for (const SlicePosition& place : places) joined.append(place.bytes);
  return joined;
}

}  // namespace cryo
