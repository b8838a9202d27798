#include "archive/zip_member.h"

#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"

namespace cryo {

ZipMemberSource::ZipMemberSource(SourcePtr zip, ZipRecord record, std::string name)
    : zip_(std::move(zip)), record_(std::move(record)), name_(std::move(name)) {}

Status ZipMemberSource::find_bytes() const {
  if (bytes_) return Unit{};
  std::string header(kZipLocalSize + record_.name.size(), '\0');
  CHECK_OK(read_exactly(*zip_, record_.header_offset, {header.data(), header.size()}));
  const uint64_t name_size = get_fixed16(header.data() + 26);
  const uint64_t start =
      record_.header_offset + kZipLocalSize + name_size + get_fixed16(header.data() + 28);
  const bool same = get_fixed32(header.data()) == kZipLocalHeader &&
                    get_fixed16(header.data() + 8) == record_.method &&
                    name_size == record_.name.size() && header.ends_with(record_.name);
  if (!same || start > record_.end || record_.packed_size > record_.end - start) {
    return failure("bad-zip",
                   cat("expected the header of ", quoted(record_.name),
                       " as the zip's directory tells it; found another"),
                   {.file = zip_->name(), .offset = record_.header_offset},
                   "the zip file is damaged: copy or download it again");
  }
  bytes_ = Slice{zip_, start, record_.packed_size};
  return Unit{};
}

Status ZipMemberSource::read(uint64_t offset, std::span<char> out) const {
  CHECK_OK(find_bytes());
  return read_exactly(*zip_, bytes_->offset + offset, out);
}

const Slice* ZipMemberSource::underlying() const { return find_bytes().ok() ? &*bytes_ : nullptr; }

}  // namespace cryo
