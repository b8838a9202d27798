#include "bytes/slice_source.h"

#include <algorithm>
#include <utility>

namespace cryo {

Status SliceSource::read(uint64_t offset, std::span<char> out) const {
  return read_exactly(*slice_.source, slice_.offset + offset, out);
}

FaultSource::FaultSource(Diagnostic fault, uint64_t size, std::string name)
    : fault_(std::move(fault)), size_(std::max(size, uint64_t{1})), name_(std::move(name)) {}

Status FaultSource::read(uint64_t, std::span<char>) const { return fault_; }

Slice fault_slice(const Diagnostic& why, uint64_t size) {
  return whole(std::make_shared<FaultSource>(why, size, why.where.file));
}

}  // namespace cryo
