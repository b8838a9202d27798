#include "native/disk.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/text.h"

namespace cryo {
namespace {

constexpr int kLockTries = 100;
constexpr useconds_t kLockPause = 20'000;  // microseconds

int open_folder(const std::string& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

bool sync_whole(int descriptor) {
#ifdef F_FULLFSYNC  // macOS: fsync() leaves bytes in the cache of the drive
  if (fcntl(descriptor, F_FULLFSYNC) == 0) return true;
#endif
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

bool sync_folder(const std::string& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return true;
  const bool synced = sync_whole(descriptor);
  const int error = errno;
  close(descriptor);
  errno = error;
  return synced;
}

bool rename_to_new(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  // Otherwise the file system does not support the call.
  if (errno != EINVAL && errno != ENOSYS) return false;
#endif
  if (link(from.c_str(), to.c_str()) == 0) return unlink(from.c_str()) == 0;
  if (errno == EEXIST || access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool lacks_room(int descriptor, uint64_t size) {
#ifdef __linux__
  return fallocate(descriptor, 0, 0, static_cast<off64_t>(size)) != 0 &&
         (errno == ENOSPC || errno == EFBIG || errno == EDQUOT);
#else
  (void)descriptor;
  (void)size;
  return false;
#endif
}

std::string random_name(const std::string& path) {
  constexpr int kDigits = 16;
  uint64_t random = 0;
  if (getentropy(&random, sizeof(random)) != 0) random = static_cast<uint64_t>(getpid());
  std::string name = cat(folder_of(path), ".cryograph-");
  for (int i = 0; i < kDigits; ++i, random >>= 4) name += "0123456789abcdef"[random & 15];
  return name;
}

FolderLock::FolderLock(const std::string& folder) : descriptor_(open_folder(folder)) {
  for (int tries = 0; descriptor_ >= 0 && tries < kLockTries; ++tries) {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    usleep(kLockPause);
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace cryo
