#include "cli/file_source.h"

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
  if (!tried_) descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  tried_ = true;
  return descriptor_;
}

uint64_t FileSource::size() const {
  struct stat status {};
  if (descriptor() < 0 || fstat(descriptor_, &status) != 0) return 0;
  return static_cast<uint64_t>(status.st_size);
}

Status FileSource::read(uint64_t offset, std::span<char> out) const {
  for (size_t done = 0; done < out.size();) {
    if (stop_) return failure("cancelled", "cancelled", {.file = path_});
    const ssize_t got = pread(descriptor(), out.data() + done, out.size() - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      return failure("read-failed",
                     got < 0 ? cat("cannot read: ", std::strerror(errno))
                             : "the file became shorter while it was read",
                     {.file = path_, .offset = offset + done});
    }
    done += static_cast<size_t>(got);
  }
  return Unit{};
}

}  // namespace cryo
