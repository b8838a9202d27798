#pragma once

#include <optional>
#include <vector>

#include "archive/inflate_source.h"
#include "archive/zip_directory.h"
#include "bytes/damaged_part.h"
#include "bytes/random_reader.h"

namespace cryo {

// The walk over a zip file's members by their own headers (archive/zip_salvage.h).
class ZipWalk {
 public:
  // REQUIRES: both outlive the walk.
  ZipWalk(const SourcePtr& zip, DamagedParts& losses)
      : zip_(zip), losses_(losses), bytes_(whole(zip)) {}

  // Fails only if the file cannot be read.
  Result<std::vector<ZipRecord>> run();

 private:
  // A member's header, and where its packed bytes begin.
  struct Header {
    ZipRecord record = {};
    uint64_t start = 0;
  };

  uint64_t size() const { return bytes_.size(); }
  uint32_t signature(uint64_t at);
  bool is_directory(uint64_t at);
  bool is_followed(uint64_t end);
  bool may_waste(uint64_t bytes);

  std::optional<Header> header_at(uint64_t at);
  bool is_header(uint64_t at);
  uint64_t find(std::string_view begin, uint64_t from);
  uint64_t next_header(uint64_t from);

  Status measure(Header& header);
  Status measure_deflated(Header& header);
  void measure_stored(Header& header);
  bool take_descriptor(ZipRecord& record, uint64_t at);
  Result<bool> has_checksum(const Header& header) const;
  void cut(Header& header, uint64_t end);

  const SourcePtr& zip_;
  DamagedParts& losses_;
  RandomReader bytes_;
  std::shared_ptr<InflaterCache> cache_ = std::make_shared<InflaterCache>();
  uint64_t wasted_ = 0;  // bytes that were read to find the end of a damaged member
};

}  // namespace cryo
