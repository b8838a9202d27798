#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bytes/splice.h"
#include "native/place.h"
#include "native/unfinished.h"

namespace cryo {

// An output file while it is written: a new file with a random name next to its place, renamed into
// it at the end, or removed. A stream (a FIFO, /dev/null) is written to directly.
//
//     PartFile file(place);
//     file.open(size), file.put(slice, done)..., file.finish(done),
//     file.rename(false), file.settle()
//
// Large slices of files are copied through one buffer, which is faster than the kernel's copy,
// unless their offset within a disk block is that of the output: then disks that can share blocks
// do.
class PartFile {
 public:
  // Hears how many bytes more were written; its error ends the writing.
  using Done = std::function<Status(uint64_t)>;

  explicit PartFile(Place place);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Opens the file. Fails also if the disk reports that it has no room for `size` bytes.
  Status open(uint64_t size);
  Status put(Slice slice, const Done& done);
  // Writes the buffered bytes, and waits until the disk has all of them.
  Status finish(const Done& done);

  // Moves the finished file to its place. The file that was there is kept under another name until
  // settle() removes it or undo() puts it back. Takes no memory unless it fails.
  // REQUIRES: signals are held until then.
  Status rename();
  void undo();
  void settle();

  const Place& place() const { return place_; }

 private:
  bool may_share(const Slice& slice) const;
  Status share(Slice& slice, const Done& done);
  Status flush(const Done& done);
  Status open_new();
  void keep_attributes();
  Status set_aside();

  Place place_;
  std::optional<Unfinished> beside_;
  std::string old_name_;  // of the file that was there, while the set is being renamed
  bool aside_ = false;    // it has that name
  std::vector<char> buffer_;
  size_t filled_ = 0;     // of the buffer
  uint64_t flushed_ = 0;  // bytes in the file
  int descriptor_ = -1;
};

}  // namespace cryo
