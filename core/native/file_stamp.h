#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace cryo {

// The identity and time of a file, to detect that it was replaced or written to.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t size = 0;
  int64_t seconds = 0;  // of the last modification
  int64_t nanoseconds = 0;

  bool operator==(const FileStamp&) const = default;
};

inline FileStamp stamp_of(const struct stat& status) {
#ifdef __APPLE__
  const struct timespec& time = status.st_mtimespec;
#else
  const struct timespec& time = status.st_mtim;
#endif
  return {static_cast<uint64_t>(status.st_dev), static_cast<uint64_t>(status.st_ino),
          static_cast<int64_t>(status.st_size), static_cast<int64_t>(time.tv_sec),
          static_cast<int64_t>(time.tv_nsec)};
}

}  // namespace cryo
