#include "tensor/views/repeated_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace cryo {

RepeatedSource::RepeatedSource(Slice pattern, uint64_t times)
    : pattern_(std::move(pattern)), times_(times) {
  assert(pattern_.size > 0);
  assert(times_ <= uint64_t{std::numeric_limits<int64_t>::max()} / pattern_.size);
}

Status RepeatedSource::read(uint64_t offset, std::span<char> out) const {
  // The first turn of the pattern, which may begin in its middle, is read; the rest of `out` is
  // copied from it in doubling steps.
  const size_t turn = static_cast<size_t>(std::min<uint64_t>(pattern_.size, out.size()));
  const uint64_t begin = offset % pattern_.size;
  const size_t head = static_cast<size_t>(std::min<uint64_t>(pattern_.size - begin, turn));
  CHECK_OK(read_exactly(*pattern_.source, pattern_.offset + begin, out.first(head)));
  CHECK_OK(read_exactly(*pattern_.source, pattern_.offset, out.subspan(head, turn - head)));
  for (size_t done = turn; done < out.size();) {
    const size_t step = std::min(done, out.size() - done);
    std::memcpy(out.data() + done, out.data(), step);
    done += step;
  }
  return Unit{};
}

Slice repeated(Slice pattern, uint64_t times) {
  if (times == 1) return pattern;
  if (times == 0 || pattern.size == 0) return {};
  return whole(std::make_shared<RepeatedSource>(std::move(pattern), times));
}

}  // namespace cryo
