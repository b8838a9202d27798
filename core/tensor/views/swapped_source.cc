#include "tensor/views/swapped_source.h"

#include <algorithm>

namespace cryo {
namespace {

constexpr uint64_t kStep = uint64_t{64} * 1024;  // a multiple of every width

}  // namespace

Status SwappedSource::read(uint64_t offset, std::span<char> out) const {
  std::string whole_numbers;
  while (!out.empty()) {
    const uint64_t skipped = offset % width_;
    const uint64_t start = offset - skipped;
    const uint64_t wanted = (skipped + out.size() + width_ - 1) / width_ * width_;
    whole_numbers.resize(static_cast<size_t>(std::min(wanted, kStep)));
    CHECK_OK(read_exactly(*slice_.source, slice_.offset + start,
                          {whole_numbers.data(), whole_numbers.size()}));
    char* const end = whole_numbers.data() + whole_numbers.size();
    for (char* at = whole_numbers.data(); at != end; at += width_) std::reverse(at, at + width_);
    const size_t taken = whole_numbers.copy(out.data(), out.size(), static_cast<size_t>(skipped));
    out = out.subspan(taken);
    offset += taken;
  }
  return Unit{};
}

}  // namespace cryo
