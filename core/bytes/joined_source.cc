#include "bytes/joined_source.h"

#include <algorithm>
#include <utility>

namespace cryo {

JoinedSource::JoinedSource(Splice splice) : splice_(std::move(splice)) {
  uint64_t start = 0;
  for (const Slice& piece : splice_.pieces()) {
    starts_.push_back(start);
    start += piece.size;
  }
  if (!splice_.pieces().empty()) name_ = splice_.pieces().front().source->name();
}

Status JoinedSource::read(uint64_t offset, std::span<char> out) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  for (auto i = static_cast<size_t>(after - starts_.begin()) - 1; !out.empty(); ++i) {
    const Slice& piece = splice_.pieces()[i];
    const uint64_t within = offset - starts_[i];
    const auto step = static_cast<size_t>(std::min<uint64_t>(piece.size - within, out.size()));
    CHECK_OK(read_exactly(*piece.source, piece.offset + within, out.first(step)));
    out = out.subspan(step);
    offset += step;
  }
  return Unit{};
}

Slice as_slice(const Splice& splice) {
  if (splice.pieces().size() == 1) return splice.pieces().front();
  return whole(std::make_shared<JoinedSource>(splice));
}

}  // namespace cryo
