#include "native/part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "native/disk.h"
#include "native/file_source.h"

namespace cryo {
namespace {

// Buffer size. Measured on ext4, 500 MB from the page cache, to an offset that is not a multiple of
// a page: with a buffer of 1 MB 0.13 s, of 64 kB 0.20 s, with copy_file_range 0.20 s; after
// allocation (fallocate) 0.10, 0.16 and 0.16 s.
constexpr size_t kBuffer = size_t{1} << 20;

// Disks that can share bytes between files (reflink) share whole blocks alone.
constexpr uint64_t kBlock = 4096;
// The kernel copies so many bytes at a time, so that progress is reported and a stop is noticed.
constexpr uint64_t kShareStep = uint64_t{64} << 20;

constexpr int kMaxTries = 16;

}  // namespace

PartFile::PartFile(Place place) : place_(std::move(place)) {}

PartFile::~PartFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status PartFile::open(uint64_t size) {
  if (place_.stream) {
    descriptor_ = ::open(place_.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) return cannot_write(place_.asked, "open");
  } else {
    CHECK_OK(open_new());
    if (size > kBuffer && lacks_room(descriptor_, size))
      return cannot_write(place_.asked, cat("write ", size, " bytes"));
  }
  buffer_.resize(static_cast<size_t>(std::min<uint64_t>(size, kBuffer)));
  return Unit{};
}

// An output that replaces a private file is private before it has any bytes.
Status PartFile::open_new() {
  const HeldSignals held;
  const mode_t mode = place_.before ? 0600 : 0666;
  for (int tries = 0; descriptor_ < 0; ++tries) {
    beside_.emplace(random_name(place_.path));
    descriptor_ =
        ::open(beside_->path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor_ < 0 && (errno != EEXIST || tries == kMaxTries))
      return cannot_write(place_.asked, "create the file");
  }
  beside_->created();
  old_name_ = random_name(place_.path);
  if (place_.before) keep_attributes();
  return Unit{};
}

// Copies owner, group and mode of the replaced file. If the group cannot be kept, the new one gets
// no permissions: they were granted to the old one.
void PartFile::keep_attributes() {
  const struct stat& before = *place_.before;
  mode_t mode = before.st_mode & 0777;
  const bool kept = fchown(descriptor_, before.st_uid, before.st_gid) == 0 ||
                    fchown(descriptor_, static_cast<uid_t>(-1), before.st_gid) == 0;
  if (!kept) mode &= static_cast<mode_t>(~S_IRWXG);
  fchmod(descriptor_, mode);
}

Status PartFile::put(Slice slice, const Done& done) {
  if (may_share(slice)) {
    CHECK_OK(flush(done));
    CHECK_OK(share(slice, done));
  }
  while (slice.size > 0) {
    const auto step = static_cast<size_t>(std::min<uint64_t>(buffer_.size() - filled_, slice.size));
    CHECK_OK(read_exactly(*slice.source, slice.offset, {buffer_.data() + filled_, step}));
    filled_ += step;
    slice.offset += step;
    slice.size -= step;
    if (filled_ == buffer_.size()) CHECK_OK(flush(done));
  }
  return Unit{};
}

bool PartFile::may_share(const Slice& slice) const {
  const uint64_t position = flushed_ + filled_;
  return slice.size >= kBuffer && slice.offset % kBlock == position % kBlock &&
         dynamic_cast<const FileSource*>(slice.source.get()) != nullptr;
}

// Removes the bytes that the kernel copied or shared from the slice's front; none if it cannot for
// these two files.
Status PartFile::share(Slice& slice, const Done& done) {
  const int from = static_cast<const FileSource&>(*slice.source).descriptor();
  while (slice.size > 0) {
    auto offset = static_cast<off64_t>(slice.offset);
    const auto step = static_cast<size_t>(std::min(slice.size, kShareStep));
    const ssize_t copied = copy_file_range(from, &offset, descriptor_, nullptr, step, 0);
    if (copied <= 0) break;
    slice.offset += static_cast<uint64_t>(copied);
    slice.size -= static_cast<uint64_t>(copied);
    flushed_ += static_cast<uint64_t>(copied);
    CHECK_OK(done(static_cast<uint64_t>(copied)));
  }
  return Unit{};
}

Status PartFile::flush(const Done& done) {
  std::string_view bytes(buffer_.data(), filled_);
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return cannot_write(place_.asked, "write");
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  flushed_ += filled_;
  return done(std::exchange(filled_, 0));
}

Status PartFile::finish(const Done& done) {
  CHECK_OK(flush(done));
  buffer_ = {};
  if (!place_.stream && !sync_whole(descriptor_)) return cannot_write(place_.asked, "sync");
  if (close(std::exchange(descriptor_, -1)) != 0)
    return cannot_write(place_.asked, "finish writing");
  return Unit{};
}

Status PartFile::rename() {
  if (place_.stream) return Unit{};
  CHECK_OK(check_unchanged(place_));
  if (place_.before) CHECK_OK(set_aside());
  const std::string& from = beside_->path();
  const bool renamed = place_.before ? std::rename(from.c_str(), place_.path.c_str()) == 0
                                     : rename_to_new(from, place_.path);
  if (!renamed && errno == EEXIST) return changed_meanwhile(place_);
  if (!renamed) {
    Failure error = cannot_write(place_.asked, "rename the finished file into place");
    if (aside_) undo();
    return error;
  }
  beside_->keep();
  return Unit{};
}

// Makes a second name for the file if the file system supports it; otherwise moves it away.
Status PartFile::set_aside() {
  aside_ = link(place_.path.c_str(), old_name_.c_str()) == 0 ||
           std::rename(place_.path.c_str(), old_name_.c_str()) == 0;
  if (!aside_) return cannot_write(place_.asked, "keep the file that is there");
  return Unit{};
}

void PartFile::undo() {
  if (aside_) {
    std::rename(old_name_.c_str(), place_.path.c_str());
    settle();  // two names of one file are not renamed to each other
  } else if (!place_.stream && !place_.before) {
    unlink(place_.path.c_str());
  }
}

void PartFile::settle() {
  if (std::exchange(aside_, false)) unlink(old_name_.c_str());
}

}  // namespace cryo
