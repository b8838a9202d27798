#include "checkpoint/big_endian.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "tensor/views/swapped_source.h"

namespace cryo {
namespace {

constexpr uint64_t kCheckSize = 4;

// The number that is stored in the widths of a tensor's elements.
uint32_t width_of(const DTypeInfo& info) {
  const bool complex = info.dtype == DType::kComplex64 || info.dtype == DType::kComplex128;
  return complex ? info.size / 2 : info.size;
}

// String content with its checksum of lengths recomputed. Only the lengths determine the offset of
// the checksum: they are walked once, at the first read.
class BigEndianStrings final : public ByteSource {
 public:
  BigEndianStrings(Slice stored, uint64_t count) : stored_(std::move(stored)), count_(count) {}
  const std::string& name() const override { return stored_.source->name(); }
  uint64_t size() const override { return stored_.size; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  struct Check {
    uint64_t offset = 0;
    std::string bytes = {};
  };
  Result<Check> find_check() const;

  Slice stored_;
  uint64_t count_;
  mutable std::optional<Check> check_ = {};
};

Status BigEndianStrings::read(uint64_t offset, std::span<char> out) const {
  if (!check_) {
    TRY(found, find_check());
    check_ = std::move(found);
  }
  CHECK_OK(read_exactly(*stored_.source, stored_.offset + offset, out));
  for (uint64_t i = 0; i < kCheckSize; ++i) {
    const uint64_t at = check_->offset + i;
    if (at >= offset && at - offset < out.size()) {
      out[static_cast<size_t>(at - offset)] = check_->bytes[static_cast<size_t>(i)];
    }
  }
  return Unit{};
}

Result<BigEndianStrings::Check> BigEndianStrings::find_check() const {
  uint32_t crc = 0;
  uint64_t left = count_;
  Check check;
  uint64_t length = 0;
  uint32_t bits = 0;
  const auto take = [&](char byte) {
    if (bits < 64) length |= uint64_t{static_cast<unsigned char>(byte) & 0x7FU} << bits;
    bits += 7;
    ++check.offset;
    if ((byte & 0x80) != 0) return;
    std::string plain;
    length <= std::numeric_limits<uint32_t>::max()
        ? put_fixed32(plain, static_cast<uint32_t>(length))
        : put_fixed64(plain, length);
    crc = crc32c_extend(crc, plain);
    --left;
    length = 0;
    bits = 0;
  };
  std::string chunk;
  while (left > 0 && check.offset < stored_.size) {
    chunk.resize(static_cast<size_t>(std::min(stored_.size - check.offset, Splice::kStep)));
    CHECK_OK(
        read_exactly(*stored_.source, stored_.offset + check.offset, {chunk.data(), chunk.size()}));
    for (size_t i = 0; i < chunk.size() && left > 0; ++i) take(chunk[i]);
  }
  if (left > 0 || stored_.size - check.offset < kCheckSize) {
    return failure("bad-content", "String lengths longer than expected: the content ends early",
                   {.file = name(), .offset = stored_.offset},
                   "the data file is damaged, or is not the index's: copy both again");
  }
  put_fixed32(check.bytes, mask_crc(crc));
  return check;
}

}  // namespace

Result<Slice> content_of_big_endian(const CheckpointPart& stored, DType dtype,
                                    const std::string& key) {
  if (dtype == DType::kVariant) {
    return failure("big-endian-variant",
                   "a variant that a big-endian machine wrote can only be read on one",
                   {.file = stored.bytes.source->name(), .tensor = key},
                   "load and save the checkpoint with TensorFlow on such a machine, without it");
  }
  const Slice bytes = stored.checked_bytes();
  if (bytes.size == 0) return bytes;
  if (dtype == DType::kString) {
    return whole(std::make_shared<BigEndianStrings>(bytes, stored.elements));
  }
  const DTypeInfo* info = find_dtype(dtype);
  const uint32_t width = info == nullptr ? 1 : width_of(*info);
  if (width <= 1) return bytes;
  return whole(std::make_shared<SwappedSource>(bytes, width));
}

}  // namespace cryo
