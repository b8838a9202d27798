#pragma once

#include <vector>

#include "bytes/splice.h"

namespace cryo {

// A splice as one source, for readers that need a slice.
class JoinedSource final : public ByteSource {
 public:
  explicit JoinedSource(Splice splice);
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return splice_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Splice splice_;
  std::vector<uint64_t> starts_;  // of each piece
  std::string name_;              // of the first piece
};

// A splice as one slice: its only piece, or a JoinedSource.
Slice as_slice(const Splice& splice);

}  // namespace cryo
