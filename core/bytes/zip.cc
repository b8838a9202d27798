#include "bytes/zip.h"

#include <set>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/member_names.h"
#include "bytes/slice_source.h"
#include "bytes/zip_member.h"

namespace cryo {
namespace {

SourcePtr fault(const SourcePtr& zip, const ZipRecord& record, std::string_view code,
                std::string_view message) {
  const Failure why = failure(code, cat(quoted(record.name), " ", message),
                              {.file = zip->name(), .offset = record.header_offset},
                              "unpack the zip file first, or pack it anew");
  return std::make_shared<FaultSource>(*why, record.packed_size,
                                       member_source_name(*zip, record.name));
}

}  // namespace

bool looks_like_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

SourcePtr zip_member(const SourcePtr& zip, const ZipRecord& record, std::string name,
                     const std::shared_ptr<InflaterCache>& cache) {
  if ((record.flags & kZipEncryptedFlag) != 0) {
    return fault(zip, record, "encrypted-member", "is encrypted");
  }
  if (record.size / Inflater::kMostExpansion > record.packed_size) {
    return fault(zip, record, "bad-zip",
                 cat("is said to be ", record.size, " bytes, which ", record.packed_size,
                     " compressed ones cannot hold"));
  }
  auto packed = std::make_shared<ZipMemberSource>(zip, record, name);
  if (record.method == kZipStored && record.size == record.packed_size) return packed;
  if (record.method == kZipDeflated) {
    return std::make_shared<InflateSource>(whole(std::move(packed)),
                                           InflateSource::Claim{record.size, record.crc},
                                           std::move(name), cache);
  }
  if (record.method != kZipStored) {
    return fault(
        zip, record, "unsupported-compression",
        cat("is packed by method ", int{record.method}, "; expected 0 (stored) or 8 (deflated)"));
  }
  return fault(zip, record, "bad-zip",
               cat("is stored in ", record.packed_size, " bytes; expected ", record.size));
}

Result<std::vector<SourcePtr>> zip_members(const SourcePtr& zip) {
  TRY(records, read_zip_directory(zip));
  const auto cache = std::make_shared<InflaterCache>();
  std::set<std::string> paths;
  std::vector<SourcePtr> members;
  for (const ZipRecord& record : records) {
    TRY(path, member_path(*zip, record.name));
    const bool folder = record.name.ends_with('/') || record.name.ends_with('\\') || path.empty();
    if (folder || path.starts_with("__MACOSX/")) continue;
    if (!paths.insert(path).second) {
      return failure("bad-zip",
                     cat("expected one member of a name; found two named ", quoted(path)),
                     {.file = zip->name(), .offset = record.header_offset},
                     "unpack the zip file first, or pack it anew");
    }
    members.push_back(zip_member(zip, record, member_source_name(*zip, path), cache));
  }
  return members;
}

}  // namespace cryo
