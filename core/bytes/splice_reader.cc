#include "bytes/splice_reader.h"

#include <algorithm>
#include <cassert>

namespace cryo {
namespace {

// Bytes per step of each side, small enough that both stay in the processor's cache.
constexpr uint64_t kComparedBytes = uint64_t{256} * 1024;

// Pieces of the same sources, from the same places.
bool same_pieces(const Splice& a, const Splice& b) {
  const auto same = [](const Slice& x, const Slice& y) {
    return x.source == y.source && x.offset == y.offset && x.size == y.size;
  };
  return std::equal(a.pieces().begin(), a.pieces().end(), b.pieces().begin(), b.pieces().end(),
                    same);
}

}  // namespace

Status SpliceReader::read(std::span<char> out) {
  while (!out.empty()) {
    const Slice& piece = splice_.pieces()[piece_];
    const auto size = static_cast<size_t>(std::min<uint64_t>(out.size(), piece.size - within_));
    CHECK_OK(read_exactly(*piece.source, piece.offset + within_, out.first(size)));
    out = out.subspan(size);
    left_ -= size;
    within_ += size;
    if (within_ < piece.size) continue;
    ++piece_;
    within_ = 0;
  }
  return Unit{};
}

PairedSteps::PairedSteps(const Splice& a, const Splice& b)
    : from_a_(a),
      from_b_(b),
      step_a_(static_cast<size_t>(std::min(kComparedBytes, a.size())), '\0'),
      step_b_(step_a_) {
  assert(a.size() == b.size());
}

Status PairedSteps::next() {
  size_ = static_cast<size_t>(std::min<uint64_t>(step_a_.size(), from_a_.left()));
  CHECK_OK(from_a_.read({step_a_.data(), size_}));
  return from_b_.read({step_b_.data(), size_});
}

Result<bool> same_bytes(const Splice& a, const Splice& b) {
  if (a.size() != b.size()) return false;
  if (same_pieces(a, b)) return true;
  PairedSteps steps(a, b);
  while (!steps.done()) {
    CHECK_OK(steps.next());
    if (steps.a() != steps.b()) return false;
  }
  return true;
}

}  // namespace cryo
