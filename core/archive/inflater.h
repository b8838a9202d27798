#pragma once

#include <memory>
#include <span>
#include <string>

#include "bytes/splice.h"

// zlib's z_stream; its header stays out of ours.
struct z_stream_s;  // NOLINT(readability-identifier-naming)

namespace cryo {

// Decodes a deflate stream (RFC 1951, without zlib's or gzip's frame) front to back.
class Inflater {
 public:
  explicit Inflater(Slice packed);
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `out` and returns its size; less only at the end of the stream. Fails with "bad-deflate"
  // if the stream is damaged or truncated within them. After an error nothing more can be read, and
  // position() is the number of bytes before the damage.
  Result<size_t> read(std::span<char> out);

  // Returns a copy with the same position; null if memory is short. A copy takes 42 KB: the window
  // of 32 KB and zlib's tables.
  std::unique_ptr<Inflater> clone() const;

  uint64_t position() const { return position_; }  // bytes decoded
  uint64_t consumed() const { return taken_; }     // bytes of the packed stream decoded
  bool ended() const { return ended_; }

  // deflate encodes at most 258 bytes in two bits.
  static constexpr uint64_t kMaxExpansion = 1032;

 private:
  struct Unopened {};
  Inflater(Slice packed, Unopened);
  Status refill();
  Failure damaged(std::string_view message) const;

  Slice packed_;
  std::unique_ptr<z_stream_s> stream_;
  std::string input_;      // bytes read of packed_, not yet decoded
  uint64_t taken_ = 0;     // of packed_
  uint64_t position_ = 0;  // in the decoded bytes
  bool open_ = false;      // zlib has a state for stream_
  bool ended_ = false;
};

}  // namespace cryo
