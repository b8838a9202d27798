#include "bytes/source.h"

#include <algorithm>
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

Result<std::string> read_up_to(const ByteSource& source, uint64_t offset, uint64_t most) {
  std::string bytes(static_cast<size_t>(std::min(most, source.size() - offset)), '\0');
  CHECK_OK(read_exactly(source, offset, bytes));
  return bytes;
}

MemorySource::MemorySource(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {}

Status MemorySource::read(uint64_t offset, std::span<char> out) const {
  if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  return Unit{};
}

}  // namespace cryo
