#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cryo {

constexpr size_t kTarBlock = 512;

// The block that precedes a member (POSIX ustar; the extensions of GNU and pax are members of their
// own):
//
//     offset  0     124   136  148       156   157   257      345
//     field   name  size  ...  checksum  type  link  "ustar"  prefix
//     bytes   100   12         8         1     100   6        155
struct TarHeader {
  std::string name = {};
  std::string link = {};  // the name of the member that a hard link is
  uint64_t size = 0;      // of the bytes after the header; 0 for folders and links
  bool has_bytes = false;
  char type = '0';
};

constexpr char kTarFile = '0';
constexpr char kTarHardLink = '1';
constexpr char kTarSparse = 'S';    // GNU: with holes
constexpr char kTarLongName = 'L';  // GNU: the name of the next member
constexpr char kTarLongLink = 'K';  // GNU: the link target of the next member
constexpr char kTarPax = 'x';       // records about the next member

// Does a file that begins with these bytes (a block at least) begin with a tar header?
bool looks_like_tar(std::string_view head);

// Parses a header. Returns false if the block is not one: the checksum is wrong or the size is not
// a number.
bool read_tar_header(std::string_view block, TarHeader& header);

// The pax records ("25 path=some/long/name\n") that matter here.
struct PaxRecords {
  std::string path = {};  // empty: as in the header
  std::string link = {};
  uint64_t size = 0;
  bool has_size = false;
  bool sparse = false;
};
bool read_pax(std::string_view text, PaxRecords& records);

}  // namespace cryo
