#include "bytes/sum.h"

#include <algorithm>
#include <iterator>

#include "bytes/crc32.h"
#include "bytes/crc32c.h"

namespace cryo {

Status CrcSum::take(uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto next = taken_.upper_bound(at);
    const uint64_t known = next == taken_.begin() ? 0 : std::prev(next)->second.end;
    const uint64_t room = known > at             ? known - at
                          : next == taken_.end() ? bytes.size()
                                                 : next->first - at;
    const std::string_view step =
        bytes.substr(0, static_cast<size_t>(std::min<uint64_t>(room, bytes.size())));
    if (known <= at) add(next, at, step);
    at += step.size();
    bytes.remove_prefix(step.size());
  }
  if (taken_.size() > kMaxStretches) taken_.clear();
  return Unit{};
}

void CrcSum::add(Stretches::iterator next, uint64_t at, std::string_view bytes) {
  const bool adjoins = next != taken_.begin() && std::prev(next)->second.end == at;
  const auto place = adjoins ? std::prev(next) : taken_.emplace_hint(next, at, Taken{at, 0});
  Taken& taken = place->second;
  taken.crc = extend(taken.crc, bytes);
  taken.end += bytes.size();
  if (next == taken_.end() || next->first != taken.end) return;
  taken.crc = combine(taken.crc, next->second.crc, next->second.end - next->first);
  taken.end = next->second.end;
  taken_.erase(next);
}

Sum::ByteRange CrcSum::missing() const {
  const auto first = taken_.begin();
  if (first == taken_.end()) return {0, size()};
  if (first->first > 0) return {0, first->first};
  const auto second = std::next(first);
  return {first->second.end, second == taken_.end() ? size() : second->first};
}

Result<uint32_t> CrcSum::finish() const { return taken_.empty() ? 0 : taken_.begin()->second.crc; }

uint32_t CrcSum::extend(uint32_t crc, std::string_view bytes) const {
  return kind_ == kCrc32c ? crc32c_extend(crc, bytes) : crc32_extend(crc, bytes);
}

uint32_t CrcSum::combine(uint32_t a, uint32_t b, uint64_t length_b) const {
  return kind_ == kCrc32c ? crc32c_combine(a, b, length_b) : crc32_combine(a, b, length_b);
}

}  // namespace cryo
