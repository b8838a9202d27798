#include "archive/tar_header.h"

#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kNameSize = 100;
constexpr size_t kSizeAt = 124;
constexpr size_t kSizeSize = 12;
constexpr size_t kChecksumAt = 148;
constexpr size_t kChecksumSize = 8;
constexpr size_t kTypeAt = 156;
constexpr size_t kLinkAt = 157;
constexpr size_t kMagicAt = 257;
constexpr size_t kPrefixAt = 345;
constexpr size_t kPrefixSize = 155;
constexpr std::string_view kPosixMagic("ustar\0", 6);  // GNU's, "ustar ", has no prefix

std::string_view text_at(std::string_view block, size_t offset, size_t size) {
  const std::string_view field = block.substr(offset, size);
  return field.substr(0, field.find('\0'));
}

// Parses digits of a base, with blanks around them. Returns false also if the number does not fit
// in 63 bits.
bool read_digits(std::string_view text, uint64_t base, uint64_t& value) {
  value = 0;
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  for (const char digit : text) {
    if (digit < '0' || static_cast<uint64_t>(digit - '0') >= base) return false;
    if (value >> 59 != 0) return false;
    value = value * base + static_cast<uint64_t>(digit - '0');
  }
  return !text.empty();
}

// Parses octal digits; or, if the first bit is set, a big-endian number (GNU, for sizes from 8 GB
// on).
bool read_number(std::string_view field, uint64_t& value) {
  if (field.front() != '\x80') return read_digits(field.substr(0, field.find('\0')), 8, value);
  value = 0;
  for (const char byte : field.substr(1)) {
    if (value >> 55 != 0) return false;
    value = value << 8 | static_cast<unsigned char>(byte);
  }
  return true;
}

// The sum of all bytes, the checksum's own taken as blanks.
bool has_checksum(std::string_view block) {
  uint64_t stored = 0;
  if (!read_number(block.substr(kChecksumAt, kChecksumSize), stored)) return false;
  uint64_t sum = 0;
  for (size_t i = 0; i < kTarBlock; ++i) {
    const bool own = i >= kChecksumAt && i < kChecksumAt + kChecksumSize;
    sum += own ? uint64_t{' '} : static_cast<unsigned char>(block[i]);
  }
  return sum == stored;
}

}  // namespace

bool looks_like_tar(std::string_view head) {
  TarHeader header;
  return head.size() >= kTarBlock && read_tar_header(head.substr(0, kTarBlock), header);
}

bool read_tar_header(std::string_view block, TarHeader& header) {
  if (!has_checksum(block)) return false;
  header.type = block[kTypeAt];
  if (header.type == '\0' || header.type == '7') header.type = kTarFile;
  header.name = text_at(block, 0, kNameSize);
  header.link = text_at(block, kLinkAt, kNameSize);
  const std::string_view prefix = text_at(block, kPrefixAt, kPrefixSize);
  if (block.substr(kMagicAt, kPosixMagic.size()) == kPosixMagic && !prefix.empty()) {
    header.name = cat(prefix, "/", header.name);
  }
  // Links, folders and devices have no bytes, whatever their size field contains.
  header.has_bytes = header.type < kTarHardLink || header.type > '6';
  header.size = 0;
  return !header.has_bytes || read_number(block.substr(kSizeAt, kSizeSize), header.size);
}

bool read_pax(std::string_view text, PaxRecords& records) {
  while (!text.empty()) {
    const size_t blank = text.find(' ');
    uint64_t size = 0;
    if (blank == std::string_view::npos || !read_digits(text.substr(0, blank), 10, size)) {
      return false;
    }
    if (size > text.size() || size <= blank + 1 || text[static_cast<size_t>(size) - 1] != '\n') {
      return false;
    }
    const std::string_view record = text.substr(blank + 1, static_cast<size_t>(size) - blank - 2);
    text.remove_prefix(static_cast<size_t>(size));
    const size_t equals = record.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = record.substr(0, equals);
    const std::string_view value = record.substr(equals + 1);
    if (key == "path") records.path = value;
    if (key == "linkpath") records.link = value;
    if (key == "size") {
      records.has_size = read_digits(value, 10, records.size);
      if (!records.has_size) return false;
    }
    records.sparse = records.sparse || key.starts_with("GNU.sparse.");
  }
  return true;
}

}  // namespace cryo
