#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cryo {

constexpr size_t kTarBlock = 512;

// What the block before a member says (POSIX ustar; GNU's and pax's additions are members of their
// own):
//
//     0 name 100 | 124 size 12 | 148 checksum 8 | 156 type | 157 link 100 | 257 "ustar" | 345
//     prefix
struct TarHeader {
  std::string name = {};
  std::string link = {};  // the name of the member that a hard link is
  uint64_t size = 0;      // of what lies behind the header: folders and links have nothing there
  bool has_bytes = false;
  char type = '0';
};

constexpr char kTarFile = '0';
constexpr char kTarHardLink = '1';
constexpr char kTarSparse = 'S';    // GNU: with holes
constexpr char kTarLongName = 'L';  // GNU: the name of the next member
constexpr char kTarLongLink = 'K';  // GNU: what the next member links to
constexpr char kTarPax = 'x';       // records about the next member

// Does a file that begins with these bytes (a block at least) begin with a tar header?
bool looks_like_tar(std::string_view head);

// False where the block is no header: a wrong checksum, or a size that is none.
bool read_tar_header(std::string_view block, TarHeader& header);

// Of pax's records ("25 path=some/long/name\n") those that matter; false where they are malformed.
struct PaxRecords {
  std::string path = {};  // empty: as in the header
  std::string link = {};
  uint64_t size = 0;
  bool has_size = false;
  bool sparse = false;
};
bool read_pax(std::string_view text, PaxRecords& records);

}  // namespace cryo
