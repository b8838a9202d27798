#pragma once

#include <optional>
#include <string>

#include "archive/zip_directory.h"
#include "bytes/splice.h"

namespace cryo {

// The packed bytes of a member, a slice of the zip file. Only the member's own header determines
// their offset:
//
//     30 bytes | name | extra field | packed bytes
//                ^ lengths are in the 30    ^ here
//
// The header is read on first use, so opening an archive of many files reads none of their headers.
class ZipMemberSource final : public ByteSource {
 public:
  ZipMemberSource(SourcePtr zip, ZipRecord record, std::string name);
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return record_.packed_size; }
  Status read(uint64_t offset, std::span<char> out) const override;

  // Null also if the member's header is damaged; reading then fails.
  const Slice* underlying() const override;

 private:
  Status find_bytes() const;

  SourcePtr zip_;
  ZipRecord record_;
  std::string name_;
  mutable std::optional<Slice> bytes_;
};

}  // namespace cryo
