#include "bytes/source.h"

#include <cstring>

#include "base/text.h"

namespace cryo {

Status read_exactly(const ByteSource& source, uint64_t offset, std::span<char> out) {
  const uint64_t size = source.size();
  if (offset > size || out.size() > size - offset) {
    return failure("truncated",
                   cat("expected ", plural(out.size(), "byte"), " at offset ", offset,
                       ", but the file ends at ", size),
                   {.file = source.name(), .offset = offset},
                   "the file is incomplete: copy or download it again");
  }
  return source.read(offset, out);
}

MemorySource::MemorySource(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {}

Status MemorySource::read(uint64_t offset, std::span<char> out) const {
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return Unit{};
}

}  // namespace cryo
