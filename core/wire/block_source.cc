#include "wire/block_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace cryo {

BlockSource::BlockSource(Splice origin, std::vector<Block> blocks, uint64_t size)
    : origin_(std::move(origin)), blocks_(std::move(blocks)), size_(size) {
  assert(!blocks_.empty() && !origin_.pieces().empty());
}

const std::string& BlockSource::name() const { return origin_.pieces().front().source->name(); }

uint64_t BlockSource::end_of(size_t block) const {
  return block + 1 < blocks_.size() ? blocks_[block + 1].start : size_;
}

Status BlockSource::read(uint64_t offset, std::span<char> out) const {
  auto after =
      std::upper_bound(blocks_.begin(), blocks_.end(), offset,
                       [](uint64_t wanted, const Block& block) { return wanted < block.start; });
  auto block = static_cast<size_t>(after - blocks_.begin()) - 1;
  for (size_t done = 0; done < out.size(); ++block) {
    CHECK_OK(load(block));
    const auto begin = static_cast<size_t>(offset + done - blocks_[block].start);
    const size_t step = std::min(bytes_.size() - begin, out.size() - done);
    std::memcpy(out.data() + done, bytes_.data() + begin, step);
    done += step;
    if (begin + step < bytes_.size()) return Unit{};
  }
  loaded_ = kNone;
  bytes_ = std::string();
  return Unit{};
}

Status BlockSource::load(size_t block) const {
  if (loaded_ == block) return Unit{};
  loaded_ = kNone;
  bytes_.clear();
  const Block& wanted = blocks_[block];
  const uint64_t end = block + 1 < blocks_.size() ? blocks_[block + 1].from : origin_.size();
  TRY(in, origin_.sub(wanted.from, end - wanted.from).read_all());
  const bool same = compute(in, wanted.state, bytes_);
  if (!same || bytes_.size() != end_of(block) - wanted.start) {
    return failure("changed-file", "the file is not what it was when it was opened",
                   {.file = name()}, "open it again");
  }
  loaded_ = block;
  return Unit{};
}

}  // namespace cryo
