#pragma once

#include <string>
#include <vector>

#include "base/function_ref.h"
#include "bytes/source.h"

namespace cryo {

// A piece of a source, by name: nothing is read.
struct Slice {
  SourcePtr source = {};
  uint64_t offset = 0;
  uint64_t size = 0;
};

// A whole source as one slice.
Slice whole(SourcePtr source);

// Fresh bytes as a slice of an in-memory source.
Slice fresh(std::string bytes);

// A list of pieces that read as one run of bytes: an output file, or a tensor's content.
class Splice {
 public:
  Splice() = default;
  explicit Splice(Slice slice) { append(std::move(slice)); }

  // Adjacent pieces of one source join. A view of another source is that source's slice.
  void append(Slice slice);
  void append(const Splice& other);

  // The piece [offset, offset + size) of this splice. REQUIRES: inside.
  Splice sub(uint64_t offset, uint64_t size) const;

  uint64_t size() const { return size_; }
  const std::vector<Slice>& pieces() const { return pieces_; }

  // Calls `sink` with every byte, in order, in chunks of at most kStep bytes. Stops at the first
  // error of a read or of the sink.
  Status for_each_chunk(FunctionRef<Status(std::string_view)> sink) const;

  // Reads all bytes at once. REQUIRES: the size is small.
  Result<std::string> read_all() const;

  static constexpr uint64_t kStep = uint64_t{1} << 20;

 private:
  std::vector<Slice> pieces_;
  uint64_t size_ = 0;
};

}  // namespace cryo
