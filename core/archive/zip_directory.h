#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes/source.h"

namespace cryo {

// A member's record in the directory at a zip file's end (PKWARE's APPNOTE.TXT, 6.3). Only the
// directory is authoritative for the contents:
//
//     member | member | ... | directory | ZIP64 end, its locator | end, comment
//                             ^ its offset and size are in the end, or in the ZIP64 end
struct ZipRecord {
  std::string name = {};  // bytes, verbatim
  uint16_t flags = 0;
  uint16_t method = 0;
  uint32_t crc = 0;
  uint64_t size = 0;
  uint64_t packed_size = 0;
  uint64_t header_offset = 0;  // of the member, which is a header and the packed bytes
  uint64_t end = 0;            // where the next member or the directory begins

  // The member is damaged, or the file ends within it: the sizes are those of what is there.
  bool cut = false;
};

constexpr uint16_t kZipStored = 0;
constexpr uint16_t kZipDeflated = 8;
constexpr uint16_t kZipEncryptedFlag = 0x0001;
constexpr uint16_t kZipStreamedFlag = 0x0008;  // sizes and checksum follow the packed bytes
constexpr uint16_t kZipUtf8Flag = 0x0800;

constexpr uint32_t kZipLocalHeader = 0x04034B50;      // "PK\3\4"
constexpr uint32_t kZipDescriptor = 0x08074B50;       // "PK\7\8"
constexpr uint32_t kZipDirectoryRecord = 0x02014B50;  // "PK\1\2"
constexpr uint32_t kZipEnd = 0x06054B50;              // "PK\5\6"
constexpr uint32_t kZip64End = 0x06064B50;            // "PK\6\6"
constexpr uint32_t kZip64Locator = 0x07064B50;        // "PK\6\7"
constexpr size_t kZipLocalSize = 30;                  // size of the fixed part
constexpr size_t kZipRecordSize = 46;
constexpr size_t kZipEndSize = 22;
constexpr size_t kZip64EndSize = 56;
constexpr size_t kZip64LocatorSize = 20;
constexpr uint16_t kZip64Extra = 0x0001;
constexpr uint16_t kZipMany16 = 0xFFFF;      // "see the ZIP64 field"
constexpr uint32_t kZipMany32 = 0xFFFFFFFF;  // the same

inline uint16_t get_fixed16(const char* bytes) {
  return static_cast<uint16_t>(static_cast<unsigned char>(bytes[0]) |
                               static_cast<unsigned char>(bytes[1]) << 8);
}

// Takes the 64-bit values of an extra field, of those sizes and offsets in the record that
// overflowed. Returns false if it is invalid.
bool take_zip64(std::string_view extra, ZipRecord& record);

// A directory of more bytes is refused: there would be a million files.
constexpr uint64_t kMaxZipDirectory = uint64_t{256} << 20;

// Returns the records, in the directory's order. Reads only the directory, no members.
//
// Fails with "bad-zip" if the directory is damaged or inconsistent, e.g. if members overlap (a bomb
// counts the same bytes many times); with "too-large".
Result<std::vector<ZipRecord>> read_zip_directory(const SourcePtr& zip);

}  // namespace cryo
