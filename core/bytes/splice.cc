#include "bytes/splice.h"

#include <algorithm>
#include <cassert>

namespace cryo {

Slice whole(SourcePtr source) {
  const uint64_t size = source->size();
  return {std::move(source), 0, size};
}

Slice fresh(std::string bytes) { return whole(std::make_shared<MemorySource>(std::move(bytes))); }

void Splice::append(Slice slice) {
  if (slice.size == 0) return;
  while (const Slice* under = slice.source->underlying()) {
    slice = {under->source, under->offset + slice.offset, slice.size};
  }
  size_ += slice.size;
  if (!pieces_.empty()) {
    Slice& last = pieces_.back();
    if (last.source == slice.source && last.offset + last.size == slice.offset) {
      last.size += slice.size;
      return;
    }
  }
  pieces_.push_back(std::move(slice));
}

void Splice::append(const Splice& other) {
  for (const Slice& piece : other.pieces_) append(piece);
}

Splice Splice::sub(uint64_t offset, uint64_t size) const {
  assert(offset <= size_ && size <= size_ - offset);
  Splice out;
  for (const Slice& piece : pieces_) {
    if (size == 0) break;
    if (offset >= piece.size) {
      offset -= piece.size;
      continue;
    }
    const uint64_t taken = std::min(piece.size - offset, size);
    out.append(Slice{piece.source, piece.offset + offset, taken});
    size -= taken;
    offset = 0;
  }
  return out;
}

Status Splice::for_each_chunk(FunctionRef<Status(std::string_view)> sink) const {
  std::string buffer(static_cast<size_t>(std::min(kStep, size_)), '\0');
  for (const Slice& piece : pieces_) {
    for (uint64_t done = 0; done < piece.size;) {
      const auto step = static_cast<size_t>(std::min(kStep, piece.size - done));
      CHECK_OK(read_exactly(*piece.source, piece.offset + done, {buffer.data(), step}));
      CHECK_OK(sink({buffer.data(), step}));
      done += step;
    }
  }
  return Unit{};
}

Result<std::string> Splice::read_all() const {
  std::string out;
  CHECK_OK(for_each_chunk([&](std::string_view chunk) -> Status {
    out += chunk;
    return Unit{};
  }));
  return out;
}

}  // namespace cryo
