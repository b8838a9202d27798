#include "native/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace cryo {

FileSource::~FileSource() {
  if (descriptor_ >= 0) close(descriptor_);
}

int FileSource::descriptor() const {
  if (descriptor_ >= 0 || open_error_ != 0) return descriptor_;
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) open_error_ = errno;
  struct stat status {};
  if (descriptor_ >= 0) {
    if (fstat(descriptor_, &status) == 0) {
      stamp_ = stamp_of(status);
    } else {
      stat_error_ = errno;
    }
  }
  return descriptor_;
}

// Returns the file's size. A file without read permission is not treated as empty: reading it fails
// with the reason.
uint64_t FileSource::size() const {
  struct stat status {};
  const bool known =
      descriptor() < 0 ? stat(path_.c_str(), &status) == 0 : fstat(descriptor_, &status) == 0;
  if (!known && errno != ENOENT) stat_error_ = errno;
  return known ? static_cast<uint64_t>(status.st_size) : 0;
}

Status FileSource::read(uint64_t offset, std::span<char> out) const {
  const auto cannot_read = [&](std::string_view why, uint64_t at) {
    return failure("read-failed", why, {.file = path_, .offset = at});
  };
  if (descriptor() < 0)
    return failure("read-failed", cat("cannot open: ", std::strerror(open_error_)), {.file = path_},
                   "give yourself the right to read it, or take a copy");
  for (size_t done = 0; done < out.size();) {
    const ssize_t got =
        pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(cat("cannot read: ", std::strerror(errno)), offset + done);
    if (got == 0) return cannot_read("the file became shorter while it was read", offset + done);
    done += static_cast<size_t>(got);
  }
  if (count_ != nullptr) (*count_)(out.size());
  return Unit{};
}

Status FileSource::check_unchanged() const {
  if (stat_error_ != 0)
    return failure("read-failed", cat("cannot read: ", std::strerror(stat_error_)),
                   {.file = path_});
  struct stat status {};
  if (!stamp_ || (fstat(descriptor_, &status) == 0 && stamp_of(status) == *stamp_)) return Unit{};
  return failure("source-changed", "the file was written to while it was read", {.file = path_},
                 "run this again when nothing writes to it");
}

}  // namespace cryo
