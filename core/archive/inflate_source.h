#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/inflater.h"
#include "bytes/checks.h"

namespace cryo {

// The decoders that the sources of one archive have under way: the few used last. An archive may
// have more members than there is memory for decoders.
class InflaterCache {
 public:
  // Names a new owner.
  uint64_t join() { return next_owner_++; }

  // Takes the owner's decoder; null if it has none (any more).
  std::unique_ptr<Inflater> take(uint64_t owner);
  void put(uint64_t owner, std::unique_ptr<Inflater> inflater);

  static constexpr size_t kMax = 4;

 private:
  struct Entry {
    uint64_t owner = 0;
    std::unique_ptr<Inflater> inflater = {};
  };
  std::vector<Entry> entries_;  // the one used last is last
  uint64_t next_owner_ = 0;
};

// The plain bytes of a deflate stream, decoded while they are read. Sequential reads decode nothing
// twice. For random access, copies of the decoder's state are kept at intervals:
//
//     decoded   |-------*-------*-------*-------*---->        * every 4 MB, 8 MB, 16 MB, ...
//                               ^ to read here, ^ or here, decoding begins at the * before
//
// A source has at most 64 copies (2.7 MB), and at most one for 4 MB of its bytes: the interval
// doubles when there are too many.
class InflateSource final : public ByteSource, public Checked {
 public:
  // The size and checksum that a directory gives for a stream. They are not used to allocate
  // memory; they are compared with the actual ones when decoding first reaches the end.
  struct Claim {
    uint64_t size = 0;
    std::optional<uint32_t> crc = {};
    bool cut = false;  // the stream is damaged or truncated after these bytes
  };

  // `cache` is shared by the sources of an archive.
  InflateSource(Slice packed, Claim claim, std::string name, std::shared_ptr<InflaterCache> cache,
                std::vector<std::string> tensors = {});

  // A stream of unknown size. Decodes all of it once, saving positions. `prefix`: of a damaged
  // stream the bytes before the damage.
  struct Learnt {
    std::shared_ptr<const InflateSource> source = {};
    uint64_t consumed = 0;  // bytes of `packed` that are the stream
    uint32_t crc = 0;
    std::optional<Diagnostic> fault = {};  // the damage after the prefix
  };
  static Result<Learnt> learn(Slice packed, std::string name, std::shared_ptr<InflaterCache> cache,
                              bool prefix = false);

  const std::string& name() const override { return name_; }
  uint64_t size() const override { return claim_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

  // Decodes the bytes that were not decoded yet.
  Status finish() const override;
  uint64_t covered() const override { return claim_.size; }

 private:
  using InflaterPtr = std::unique_ptr<Inflater>;

  InflaterPtr decoder_before(uint64_t offset) const;
  Status read_with(Inflater& inflater, uint64_t offset, std::span<char> out) const;
  Result<size_t> step(Inflater& inflater, std::span<char> out) const;
  Status check_end(Inflater& inflater) const;
  void keep_place(const Inflater& inflater) const;

  Slice packed_;
  Claim claim_;
  std::string name_;
  std::shared_ptr<InflaterCache> cache_;
  uint64_t id_;

  // How far decoding ever came, and the CRC-32 of all up to there.
  mutable uint64_t frontier_ = 0;
  mutable uint32_t crc_ = 0;
  mutable std::vector<InflaterPtr> places_;
  mutable uint64_t distance_ = kFirstDistance;
  mutable std::optional<Diagnostic> fault_;  // found at the end

  static constexpr size_t kMaxPlaces = 64;
  static constexpr uint64_t kFirstDistance = uint64_t{4} << 20;
};

}  // namespace cryo
