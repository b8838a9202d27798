#include "archive/zip_directory.h"

#include <algorithm>

#include "base/reference.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxComment = 0xFFFF;

struct DirectoryExtent {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t count = 0;  // of members
  uint64_t end = 0;    // offset of the first byte after the directory
};

Failure bad_zip(const ByteSource& zip, uint64_t offset, std::string_view message) {
  return failure(
      "bad-zip", message, {.file = zip.name(), .offset = offset},
      "the zip file is damaged or incomplete: copy or download it again" ADVICE("or-salvage"));
}

// Returns the offset of the end record in the file's last bytes: the last one whose comment fills
// the file.
size_t find_end(std::string_view tail) {
  for (size_t at = tail.size() - kZipEndSize + 1; at-- > 0;) {
    if (get_fixed32(tail.data() + at) != kZipEnd) continue;
    const size_t comment = get_fixed16(tail.data() + at + 20);
    if (at + kZipEndSize + comment == tail.size()) return at;
  }
  return std::string_view::npos;
}

// Reads the ZIP64 end, by the locator before the plain end at `end_offset`. Without a locator the
// plain end is used.
Status read_zip64_end(const ByteSource& zip, uint64_t end_offset, DirectoryExtent& place) {
  char locator[kZip64LocatorSize];
  char end[kZip64EndSize];
  if (end_offset < sizeof locator + sizeof end) return Unit{};
  const uint64_t locator_offset = end_offset - sizeof locator;
  CHECK_OK(read_exactly(zip, locator_offset, locator));
  if (get_fixed32(locator) != kZip64Locator) return Unit{};
  const uint64_t offset = get_fixed64(locator + 8);
  if (offset <= locator_offset - sizeof end) CHECK_OK(read_exactly(zip, offset, end));
  if (offset > locator_offset - sizeof end || get_fixed32(end) != kZip64End) {
    return bad_zip(zip, locator_offset,
                   cat("expected a ZIP64 end at offset ", offset, "; found none"));
  }
  place = {get_fixed64(end + 48), get_fixed64(end + 40), get_fixed64(end + 32), offset};
  return Unit{};
}

Result<DirectoryExtent> find_directory(const ByteSource& zip) {
  const uint64_t tail_size = std::min<uint64_t>(zip.size(), kZipEndSize + kMaxComment);
  std::string tail(static_cast<size_t>(tail_size), '\0');
  const uint64_t tail_offset = zip.size() - tail_size;
  if (tail_size < kZipEndSize) return bad_zip(zip, 0, "expected a zip file; found too few bytes");
  CHECK_OK(read_exactly(zip, tail_offset, {tail.data(), tail.size()}));
  const size_t at = find_end(tail);
  if (at == std::string_view::npos) {
    return bad_zip(zip, zip.size(), "expected the end of a zip file; found none");
  }
  const char* end = tail.data() + at;
  DirectoryExtent place = {get_fixed32(end + 16), get_fixed32(end + 12), get_fixed16(end + 10),
                           tail_offset + at};
  if (get_fixed16(end + 4) != 0 && get_fixed16(end + 4) != kZipMany16) {
    return bad_zip(zip, place.end, "expected a zip in one file; found the last of several parts");
  }
  if (place.count == kZipMany16 || place.size == kZipMany32 || place.offset == kZipMany32) {
    CHECK_OK(read_zip64_end(zip, place.end, place));
  }
  if (place.offset > place.end || place.size > place.end - place.offset) {
    return bad_zip(zip, place.end,
                   cat("expected a directory inside of the file; found one of ", place.size,
                       " bytes at ", place.offset));
  }
  if (place.size > kMaxZipDirectory) {
    return failure("too-large",
                   cat("expected a directory of at most ", human_bytes(kMaxZipDirectory),
                       "; found ", human_bytes(place.size)),
                   {.file = zip.name(), .offset = place.offset}, "unpack the file first");
  }
  return place;
}

bool take_record(std::string_view& in, ZipRecord& record) {
  if (in.size() < kZipRecordSize || get_fixed32(in.data()) != kZipDirectoryRecord) return false;
  const char* fixed = in.data();
  record.flags = get_fixed16(fixed + 8);
  record.method = get_fixed16(fixed + 10);
  record.crc = get_fixed32(fixed + 16);
  record.packed_size = get_fixed32(fixed + 20);
  record.size = get_fixed32(fixed + 24);
  record.header_offset = get_fixed32(fixed + 42);
  in.remove_prefix(kZipRecordSize);
  std::string_view name;
  std::string_view extra;
  std::string_view comment;
  if (!take_bytes(in, get_fixed16(fixed + 28), name)) return false;
  if (!take_bytes(in, get_fixed16(fixed + 30), extra)) return false;
  if (!take_bytes(in, get_fixed16(fixed + 32), comment)) return false;
  record.name = name;
  return take_zip64(extra, record);
}

// Sets each record's end. A member is at least its header, its name and its packed bytes.
Status check_places(const ByteSource& zip, uint64_t directory, std::vector<ZipRecord>& records) {
  std::vector<ZipRecord*> in_order;
  for (ZipRecord& record : records) in_order.push_back(&record);
  sort(in_order,
       [](const ZipRecord* a, const ZipRecord* b) { return a->header_offset < b->header_offset; });
  for (size_t i = 0; i < in_order.size(); ++i) {
    ZipRecord& record = *in_order[i];
    record.end = i + 1 < in_order.size() ? in_order[i + 1]->header_offset : directory;
    const uint64_t least = kZipLocalSize + record.name.size();
    const uint64_t room = record.end - std::min(record.end, record.header_offset);
    if (room < least || record.packed_size > room - least) {
      return bad_zip(zip, record.header_offset,
                     cat("expected ", record.packed_size, " bytes of ", quoted(record.name),
                         " before the next member; found that they lie over it"));
    }
  }
  return Unit{};
}

}  // namespace

bool take_zip64(std::string_view extra, ZipRecord& record) {
  // In this order; fields that did not overflow have none.
  while (extra.size() >= 4) {
    const uint16_t id = get_fixed16(extra.data());
    const size_t size = get_fixed16(extra.data() + 2);
    extra.remove_prefix(4);
    if (size > extra.size()) return false;
    std::string_view values = extra.substr(0, size);
    extra.remove_prefix(size);
    if (id != kZip64Extra) continue;
    for (uint64_t* field : {&record.size, &record.packed_size, &record.header_offset}) {
      if (*field != kZipMany32) continue;
      if (values.size() < 8) return false;
      *field = get_fixed64(values.data());
      values.remove_prefix(8);
    }
    return true;
  }
  return true;
}

Result<std::vector<ZipRecord>> read_zip_directory(const SourcePtr& zip) {
  TRY(place, find_directory(*zip));
  std::string bytes(static_cast<size_t>(place.size), '\0');
  CHECK_OK(read_exactly(*zip, place.offset, {bytes.data(), bytes.size()}));
  std::vector<ZipRecord> records;
  for (std::string_view rest = bytes; !rest.empty();) {
    const uint64_t offset = place.offset + place.size - rest.size();
    ZipRecord record;
    if (!take_record(rest, record)) {
      return bad_zip(*zip, offset, "expected a record of the zip's directory; found other bytes");
    }
    records.push_back(std::move(record));
  }
  if (records.size() != place.count) {
    return bad_zip(*zip, place.offset,
                   cat("expected ", plural(place.count, "member"),
                       " in the zip's directory; found ", records.size()));
  }
  CHECK_OK(check_places(*zip, place.offset, records));
  return records;
}

}  // namespace cryo
