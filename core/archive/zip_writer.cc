#include "archive/zip_writer.h"

#include <algorithm>
#include <set>

#include "archive/zip_directory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "bytes/crc32.h"

namespace cryo {
namespace {

constexpr uint16_t kPlainVersion = 20;
constexpr uint16_t kZip64Version = 45;
constexpr uint16_t kMadeByUnix = 3 << 8;  // so that the next has a meaning
constexpr uint32_t kOrdinaryFile = 0100644u << 16;
constexpr uint32_t kDosDate = 0x00210000;  // 1980-01-01, 00:00: the first there is

void put_fixed16(std::string& out, uint64_t value) {
  out += static_cast<char>(value);
  out += static_cast<char>(value >> 8);
}

uint32_t short_of(uint64_t value) {
  return static_cast<uint32_t>(std::min<uint64_t>(value, kZipMany32));
}

// Appends the fields that a member's header and its directory record share: from the version to the
// length of the name.
void put_facts(std::string& out, const ZipRecord& record, bool zip64) {
  put_fixed16(out, zip64 ? kZip64Version : kPlainVersion);
  put_fixed16(out, record.flags);
  put_fixed16(out, kZipStored);
  put_fixed32(out, kDosDate);
  put_fixed32(out, record.crc);
  put_fixed32(out, short_of(record.size));
  put_fixed32(out, short_of(record.size));
  put_fixed16(out, record.name.size());
}

// Returns the extra field of the values that overflowed, after an id and their length.
std::string zip64_extra(const std::vector<uint64_t>& values) {
  std::string extra;
  if (values.empty()) return extra;
  put_fixed16(extra, kZip64Extra);
  put_fixed16(extra, 8 * values.size());
  for (const uint64_t value : values) put_fixed64(extra, value);
  return extra;
}

std::string local_header(const ZipRecord& record) {
  const bool large = record.size >= kZipMany32;
  const std::string extra = zip64_extra(large ? std::vector<uint64_t>{record.size, record.size}
                                              : std::vector<uint64_t>());
  std::string out;
  put_fixed32(out, kZipLocalHeader);
  put_facts(out, record, large);
  put_fixed16(out, extra.size());
  return cat(out, record.name, extra);
}

std::string directory_record(const ZipRecord& record) {
  std::vector<uint64_t> values;
  if (record.size >= kZipMany32) values = {record.size, record.size};
  if (record.header_offset >= kZipMany32) values.push_back(record.header_offset);
  const std::string extra = zip64_extra(values);
  std::string out;
  put_fixed32(out, kZipDirectoryRecord);
  put_fixed16(out, kMadeByUnix | kZip64Version);
  put_facts(out, record, !values.empty());
  put_fixed16(out, extra.size());
  out.append(6, '\0');  // no comment, the first disk, no internal attributes
  put_fixed32(out, kOrdinaryFile);
  put_fixed32(out, short_of(record.header_offset));
  return cat(out, record.name, extra);
}

std::string end_of_zip(uint64_t count, uint64_t size, uint64_t offset) {
  std::string out;
  if (count >= kZipMany16 || size >= kZipMany32 || offset >= kZipMany32) {
    put_fixed32(out, kZip64End);
    put_fixed64(out, kZip64EndSize - 12);  // the bytes after this field
    put_fixed16(out, kMadeByUnix | kZip64Version);
    put_fixed16(out, kZip64Version);
    put_fixed64(out, 0);  // this disk, that of the directory
    for (const uint64_t value : {count, count, size, offset}) put_fixed64(out, value);
    put_fixed32(out, kZip64Locator);
    put_fixed32(out, 0);
    put_fixed64(out, offset + size);
    put_fixed32(out, 1);  // disks
  }
  const uint64_t short_count = std::min<uint64_t>(count, kZipMany16);
  put_fixed32(out, kZipEnd);
  put_fixed32(out, 0);
  put_fixed16(out, short_count);
  put_fixed16(out, short_count);
  put_fixed32(out, short_of(size));
  put_fixed32(out, short_of(offset));
  put_fixed16(out, 0);  // no comment
  return out;
}

Result<ZipRecord> make_record(const ZipFile& file, uint64_t offset) {
  ZipRecord record;
  record.name = file.name;
  // Without this flag a name is in the code page of an old PC.
  const auto beyond_ascii = [](char byte) { return (byte & 0x80) != 0; };
  const bool ascii = std::none_of(file.name.begin(), file.name.end(), beyond_ascii);
  record.flags = ascii ? 0 : kZipUtf8Flag;
  record.size = file.content.size();
  record.header_offset = offset;
  CHECK_OK(file.content.for_each_chunk([&](std::string_view chunk) -> Status {
    record.crc = crc32_extend(record.crc, chunk);
    return Unit{};
  }));
  return record;
}

}  // namespace

Result<Splice> write_zip(const std::vector<ZipFile>& files) {
  Splice out;
  std::string directory;
  std::set<std::string_view> names;
  for (const ZipFile& file : files) {
    if (file.name.empty() || file.name.size() > 0xFFFF || !names.insert(file.name).second) {
      return failure("bad-member-name", cat("expected names of 1 to 65535 bytes, each once; found ",
                                            quoted(file.name)));
    }
    TRY(record, make_record(file, out.size()));
    out.append(fresh(local_header(record)));
    out.append(file.content);
    directory += directory_record(record);
  }
  const uint64_t offset = out.size();
  const uint64_t size = directory.size();
  out.append(fresh(directory + end_of_zip(files.size(), size, offset)));
  return out;
}

}  // namespace cryo
