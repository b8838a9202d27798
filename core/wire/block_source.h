#pragma once

#include <vector>

#include "bytes/splice.h"

namespace cryo {

// Bytes that are computed from other bytes block by block while they are read, in the memory of one
// block: the escapes of a text decoded, the bytes of a tensor printed.
//
//     origin   | block 0      | block 1 | block 2          |     of about kBlock bytes each
//     bytes    | block 0 | block 1 | block 2         |
//
// The maker walks the origin once to find the offsets of the blocks on both sides. Each block is
// computed when it is read, forwards or backwards.
class BlockSource : public ByteSource {
 public:
  struct Block {
    uint64_t from = 0;   // where it begins in the origin
    uint64_t start = 0;  // where its bytes begin in this source
    char state = 0;      // compute()'s state at the block's start
  };

  const std::string& name() const override;
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

  static constexpr uint64_t kBlock = uint64_t{64} * 1024;

 protected:
  BlockSource(Splice origin, std::vector<Block> blocks, uint64_t size);

  // Appends the computed bytes of the block `in` of the origin. Returns false if the origin has
  // changed since it was walked.
  virtual bool compute(std::string_view in, char state, std::string& out) const = 0;

 private:
  uint64_t end_of(size_t block) const;
  Status load(size_t block) const;

  Splice origin_;
  std::vector<Block> blocks_;
  uint64_t size_;

  static constexpr size_t kNone = ~size_t{0};
  mutable size_t loaded_ = kNone;
  mutable std::string bytes_;  // of the loaded block; freed when it has been read to its end
};

}  // namespace cryo
