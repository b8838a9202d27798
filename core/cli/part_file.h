#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

// A file being written beside its place, as PATH.part-PID, and renamed into it; removed again where
// it was not.
//
//     PartFile file("frozen.pb");
//     file.open(size), file.put(slice, done)..., file.finish(done), file.rename()
//
// Large slices of files go through one buffer, which is faster than the kernel's copy, unless they
// lie on the same place in a block as in the output: then disks that can share blocks do.
class PartFile {
 public:
  // Hears how many bytes more were written; its error ends the writing.
  using Done = std::function<Status(uint64_t)>;

  explicit PartFile(std::string path);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Fails, too, where the disk has no room for `size` bytes and can tell.
  Status open(uint64_t size);
  Status put(Slice slice, const Done& done);
  Status finish(const Done& done);
  Status rename();

 private:
  bool may_share(const Slice& slice) const;
  Status share(Slice& slice, const Done& done);
  Status flush(const Done& done);

  std::string path_;
  std::string beside_;
  std::vector<char> buffer_;
  size_t filled_ = 0;     // of the buffer
  uint64_t flushed_ = 0;  // bytes in the file
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace cryo
