#include "archive/zip_salvage.h"

#include <map>
#include <utility>

#include "archive/member_names.h"
#include "archive/zip.h"
#include "archive/zip_member.h"
#include "archive/zip_walk.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/joined_source.h"

namespace cryo {
namespace {

using CachePtr = std::shared_ptr<InflaterCache>;

// Returns the reason why a member is not whole; nullopt if it is.
Result<std::optional<Diagnostic>> fault_of(const SourcePtr& zip, const ZipRecord& record,
                                           const ByteSource& member, const Checks& checks) {
  if (record.cut) {
    return std::optional(
        *failure("bad-zip",
                 cat("expected all bytes of ", quoted(record.name), "; found that they end early"),
                 {.file = zip->name(), .offset = record.header_offset}));
  }
  Status read = ZipMemberSource(zip, record, member.name()).read(0, {});
  char first = 0;
  if (read && member.size() > 0) read = read_exactly(member, 0, {&first, 1});
  for (const auto& check : checks.all()) {
    if (read) read = check->finish();
  }
  if (read) return std::optional<Diagnostic>();
  if (!is_of_file(read.error().code)) return read.error();
  return std::optional(read.error());
}

// Returns what can be read of a damaged member, without a check; null if nothing can.
Result<SourcePtr> readable_of(const SourcePtr& zip, const ZipRecord& record, std::string name,
                              const CachePtr& cache) {
  auto packed = std::make_shared<const ZipMemberSource>(zip, record, name);
  const bool encrypted = (record.flags & kZipEncryptedFlag) != 0;
  if (encrypted || record.packed_size == 0 || packed->underlying() == nullptr) return SourcePtr();
  if (record.method == kZipStored) return SourcePtr(std::move(packed));
  if (record.method != kZipDeflated) return SourcePtr();
  TRY(learnt, InflateSource::learn(whole(std::move(packed)), std::move(name), cache, true));
  return learnt.source->size() == 0 ? SourcePtr() : learnt.source;
}

// Returns the member; null if nothing of it can be read.
Result<SourcePtr> salvaged_member(const SourcePtr& zip, const ZipRecord& record,
                                  const std::string& name, const CachePtr& cache,
                                  DamagedParts& losses) {
  Checks checks;
  const SourcePtr member = zip_member(zip, record, name, cache, &checks);
  TRY(fault, fault_of(zip, record, *member, checks));
  if (!fault) return member;
  TRY(readable, readable_of(zip, record, name, cache));
  losses.push_back({kLostMember, name, record.packed_size, std::move(*fault)});
  return readable;
}

// Returns true if the bytes are decoded while they are read: reading back decodes much again.
bool is_inflated(const ByteSource& source) {
  const ByteSource* at = &source;
  while (const Slice* slice = at->underlying()) at = slice->source.get();
  return dynamic_cast<const InflateSource*>(at) != nullptr ||
         dynamic_cast<const JoinedSource*>(at) != nullptr;
}

}  // namespace

Result<std::vector<ZipRecord>> salvaged_zip_records(const SourcePtr& zip, DamagedParts& losses) {
  auto stated = read_zip_directory(zip);
  if (stated || !is_of_file(stated.error().code) || is_inflated(*zip)) return stated;
  DamagedParts found = {{kLostDirectory, "", 0, stated.error()}};
  TRY(records, ZipWalk(zip, found).run());
  if (records.empty()) return stated;
  losses.insert(losses.end(), found.begin(), found.end());
  return std::move(records);
}

Result<std::vector<SourcePtr>> salvaged_zip_members(const SourcePtr& zip, DamagedParts& losses) {
  TRY(records, salvaged_zip_records(zip, losses));
  const auto cache = std::make_shared<InflaterCache>();
  std::map<std::string, SourcePtr> by_path;
  for (const ZipRecord& record : records) {
    TRY(path, member_path(*zip, record.name));
    if (!is_zip_file(record.name, path)) continue;
    TRY(member, salvaged_member(zip, record, member_source_name(*zip, path), cache, losses));
    by_path[path] = std::move(member);
  }
  std::vector<SourcePtr> members;
  for (auto& each : by_path) {
    if (each.second != nullptr) members.push_back(std::move(each.second));
  }
  return members;
}

}  // namespace cryo
