#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace cryo {

struct Slice;

// A run of bytes that the host supplies: a file (pread), a browser's File in a worker, memory. Core
// does no other I/O. The host owns progress and cancellation: a read that it refuses ends the whole
// operation with that read's error.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Returns the host's path, with '/'; used to find a model's parts and in messages.
  virtual const std::string& name() const = 0;

  // Bytes in all. May cost a system call the first time.
  virtual uint64_t size() const = 0;

  // Fills `out` with the bytes at [offset, offset + out.size()). REQUIRES: the range is inside the
  // source (read_exactly checks; core calls nothing else).
  virtual Status read(uint64_t offset, std::span<char> out) const = 0;

  // Returns the slice of another source that has all of these bytes unchanged; null if they are
  // computed here. Splices name that other source instead, so that a host recognizes its own files
  // in them.
  virtual const Slice* underlying() const { return nullptr; }
};

using SourcePtr = std::shared_ptr<const ByteSource>;

// Reads [offset, offset + out.size()), or fails with "truncated", the file and the offset.
Status read_exactly(const ByteSource& source, uint64_t offset, std::span<char> out);

// Reads the bytes at [offset, offset + most), fewer at the end of the source. REQUIRES: offset is
// not after the end; `most` is small.
Result<std::string> read_up_to(const ByteSource& source, uint64_t offset, uint64_t most);

// Bytes that we made ourselves, as a source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::string name = "");
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override;
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::string name_;
};

}  // namespace cryo
