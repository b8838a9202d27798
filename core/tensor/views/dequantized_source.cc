#include "tensor/views/dequantized_source.h"

#include <algorithm>

#include "tensor/number.h"
#include "tensor/views/element_source.h"

namespace cryo {
namespace {

class UnpackedSource final : public ByteSource {
 public:
  UnpackedSource(Slice stored, uint64_t count, uint32_t bits, bool is_signed)
      : stored_(std::move(stored)), count_(count), bits_(bits), is_signed_(is_signed) {}
  const std::string& name() const override { return stored_.source->name(); }
  uint64_t size() const override { return count_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice stored_;
  uint64_t count_;
  uint32_t bits_;
  bool is_signed_;
};

Status UnpackedSource::read(uint64_t offset, std::span<char> out) const {
  const uint32_t in_byte = 8 / bits_;
  char buffer[1024];
  while (!out.empty()) {
    const uint64_t first = offset / in_byte;
    const uint64_t end = (offset + out.size() + in_byte - 1) / in_byte;
    const auto bytes = static_cast<size_t>(std::min<uint64_t>(end - first, sizeof buffer));
    CHECK_OK(read_exactly(*stored_.source, stored_.offset + first, {buffer, bytes}));
    const uint64_t there = (first + bytes) * in_byte - offset;
    const auto count = static_cast<size_t>(std::min<uint64_t>(there, out.size()));
    for (size_t i = 0; i < count; ++i) {
      const uint64_t at = offset + i;
      const auto shift = static_cast<uint32_t>(at % in_byte) * bits_;
      auto value =
          (static_cast<uint8_t>(buffer[at / in_byte - first]) >> shift) & ((1 << bits_) - 1);
      if (is_signed_ && value >= 1 << (bits_ - 1)) value -= 1 << bits_;
      out[i] = static_cast<char>(value);
    }
    offset += count;
    out = out.subspan(count);
  }
  return Unit{};
}

class BlockwiseSource final : public ByteSource {
 public:
  BlockwiseSource(Slice stored, DType dtype, BlockScales scales)
      : stored_(std::move(stored)), dtype_(dtype), scales_(std::move(scales)) {}
  const std::string& name() const override { return stored_.source->name(); }
  uint64_t size() const override { return stored_.size / find_dtype(dtype_)->size * sizeof(float); }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  Slice stored_;
  DType dtype_;
  BlockScales scales_;
};

// Reads some elements and the scales of their blocks at a time.
Status BlockwiseSource::read(uint64_t offset, std::span<char> out) const {
  constexpr uint64_t kAtOnce = 1024;
  const uint64_t width = find_dtype(dtype_)->size;
  const uint64_t scale_width = find_dtype(scales_.dtype)->size;
  while (!out.empty()) {
    const uint64_t first = offset / sizeof(float);
    const uint64_t end = (offset + out.size() + sizeof(float) - 1) / sizeof(float);
    const uint64_t count = std::min(end - first, kAtOnce);
    const uint64_t block = first / scales_.block;
    const uint64_t blocks = (first + count - 1) / scales_.block - block + 1;
    TRY(elements, Splice(stored_).sub(first * width, count * width).read_all());
    TRY(scales, Splice(scales_.stored).sub(block * scale_width, blocks * scale_width).read_all());
    std::string made(static_cast<size_t>(count * sizeof(float)), '\0');
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t of = (first + i) / scales_.block - block;
      const double scale = as_double(scales_.dtype, scales.data() + of * scale_width);
      put_number(scale * as_double(dtype_, elements.data() + i * width), DType::kFloat,
                 made.data() + i * sizeof(float));
    }
    const size_t taken = made.copy(out.data(), out.size(), offset % sizeof(float));
    out = out.subspan(taken);
    offset += taken;
  }
  return Unit{};
}

}  // namespace

Slice dequantized_blocks(Slice stored, DType dtype, BlockScales scales) {
  return whole(
      std::make_shared<const BlockwiseSource>(std::move(stored), dtype, std::move(scales)));
}

Slice dequantized(Slice stored, DType dtype, Dequantization by) {
  const size_t size = find_dtype(dtype)->size;
  const auto make = [dtype, by = std::move(by)](uint64_t index, const char* element, char* made) {
    const auto channel = static_cast<size_t>(index / by.inner % by.scales.size());
    const double steps = as_double(dtype, element) - static_cast<double>(by.zero_points[channel]);
    put_number(double{by.scales[channel]} * steps, DType::kFloat, made);
  };
  return elementwise(std::move(stored), size, sizeof(float), make);
}

Slice unpacked(Slice stored, uint64_t count, uint32_t bits, bool is_signed) {
  return whole(std::make_shared<const UnpackedSource>(std::move(stored), count, bits, is_signed));
}

}  // namespace cryo
