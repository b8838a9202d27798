#pragma once

#include "bytes/splice.h"

namespace cryo {

// Bytes that cannot be had (their file is missing, say), in the place of those that belong there:
// whoever reads them is told why, and who does not need them need not know.
class FaultSource final : public ByteSource {
 public:
  FaultSource(Diagnostic why, uint64_t size) : why_(std::move(why)), size_(size) {}
  const std::string& name() const override { return why_.where.file; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t, std::span<char>) const override { return why_; }

 private:
  Diagnostic why_;
  uint64_t size_;
};

Slice fault_slice(const Diagnostic& why, uint64_t size);

}  // namespace cryo
