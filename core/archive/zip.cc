#include "archive/zip.h"

#include <set>
#include <utility>

#include "archive/member_names.h"
#include "archive/zip_member.h"
#include "archive/zip_salvage.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/slice_source.h"

namespace cryo {
namespace {

constexpr std::string_view kDamaged =
    "the file is damaged: copy or download it again" ADVICE("or-unchecked");

SourcePtr fault(const SourcePtr& zip, const ZipRecord& record, std::string_view code,
                std::string_view message) {
  const Failure why = failure(code, cat(quoted(record.name), " ", message),
                              {.file = zip->name(), .offset = record.header_offset},
                              "unpack the zip file first, or pack it again");
  return std::make_shared<FaultSource>(*why, record.packed_size,
                                       member_source_name(*zip, record.name));
}

}  // namespace

bool looks_like_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04") || head.starts_with("PK\x05\x06");
}

bool is_zip_file(std::string_view name, std::string_view path) {
  const bool folder = name.ends_with('/') || name.ends_with('\\') || path.empty();
  return !folder && !path.starts_with("__MACOSX/");
}

SourcePtr zip_member(const SourcePtr& zip, const ZipRecord& record, std::string name,
                     const std::shared_ptr<InflaterCache>& cache, Checks* checks,
                     const std::vector<std::string>& tensors) {
  if ((record.flags & kZipEncryptedFlag) != 0) {
    return fault(zip, record, "encrypted-member", "is encrypted");
  }
  if (record.size / Inflater::kMaxExpansion > record.packed_size) {
    return fault(zip, record, "bad-zip",
                 cat("is said to be ", record.size, " bytes, which ", record.packed_size,
                     " compressed ones cannot hold"));
  }
  auto packed = std::make_shared<ZipMemberSource>(zip, record, name);
  const bool is_on = checks == nullptr || checks->is_on();
  if (record.method == kZipStored && record.size == record.packed_size) {
    if (record.cut) return packed;
    const auto check =
        make_check(checks, whole(packed), record.crc,
                   std::make_unique<CrcSum>(CrcSum::kCrc32, record.size), kDamaged, tensors);
    return check == nullptr ? SourcePtr(packed) : SourcePtr(check);
  }
  if (record.method == kZipDeflated) {
    const bool is_stated = is_on && !record.cut;
    const auto crc = is_stated ? std::optional<uint32_t>(record.crc) : std::nullopt;
    const InflateSource::Claim claim{record.size, crc, record.cut};
    auto plain = std::make_shared<const InflateSource>(whole(std::move(packed)), claim,
                                                       std::move(name), cache, tensors);
    if (is_stated && checks != nullptr) checks->add(plain);
    return plain;
  }
  if (record.method != kZipStored) {
    return fault(
        zip, record, "unsupported-compression",
        cat("is packed by method ", int{record.method}, "; expected 0 (stored) or 8 (deflated)"));
  }
  return fault(zip, record, "bad-zip",
               cat("is stored in ", record.packed_size, " bytes; expected ", record.size));
}

Result<std::vector<SourcePtr>> zip_members(const SourcePtr& zip, Checks* checks,
                                           DamagedParts* losses) {
  if (losses != nullptr) return salvaged_zip_members(zip, *losses);
  TRY(records, read_zip_directory(zip));
  const auto cache = std::make_shared<InflaterCache>();
  std::set<std::string> paths;
  std::vector<SourcePtr> members;
  for (const ZipRecord& record : records) {
    TRY(path, member_path(*zip, record.name));
    if (!is_zip_file(record.name, path)) continue;
    if (!paths.insert(path).second) {
      return failure("bad-zip",
                     cat("expected one member of a name; found two named ", quoted(path)),
                     {.file = zip->name(), .offset = record.header_offset},
                     "unpack the zip file first, or pack it again");
    }
    members.push_back(zip_member(zip, record, member_source_name(*zip, path), cache, checks));
  }
  return members;
}

}  // namespace cryo
