#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cryo {

// A value of a FlexBuffer, the options of custom operators of TensorFlow Lite: read from the end,
// where the root is. All of the buffer is in memory: options are small. What is outside of it, or
// of another type than is requested, is absent.
//
//     ... | value | type | width      the root: its type byte is (type << 2 | width of children)
//     vector   size | elements | a type byte each
//     map      keys, their width | size | values | a type byte each
class FlexValue {
 public:
  FlexValue() = default;
  static FlexValue root(std::string_view buffer);

  bool is_truth() const;
  bool is_real() const;
  std::optional<int64_t> integer() const;  // of an integer or a bool
  std::optional<double> real() const;      // of any number
  std::string_view text() const;           // of a text, a key or a blob
  uint64_t size() const;                   // of a vector or a map
  FlexValue element(uint64_t index) const;
  FlexValue member(std::string_view key) const;

 private:
  FlexValue(std::string_view buffer, uint64_t at, uint32_t width, uint8_t packed)
      : buffer_(buffer), at_(at), width_(width), type_(packed >> 2), child_(1U << (packed & 3)) {}

  std::optional<uint64_t> number(uint64_t at, uint32_t width) const;
  std::optional<uint64_t> target() const;  // of the offset that is the value
  double float_at(uint64_t at, uint32_t width) const;

  std::string_view buffer_ = {};
  uint64_t at_ = 0;
  uint32_t width_ = 1;  // bytes of the value
  uint8_t type_ = 0;
  uint32_t child_ = 1;  // bytes of what it refers to
};

}  // namespace cryo
