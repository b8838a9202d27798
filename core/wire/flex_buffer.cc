#include "wire/flex_buffer.h"

#include "base/same_bits.h"

namespace cryo {
namespace {

// Types, by their numbers in a type byte.
enum FlexType : uint8_t {
  kFlexInt = 1,
  kFlexUint = 2,
  kFlexFloat = 3,
  kFlexKey = 4,
  kFlexText = 5,
  kFlexIndirectInt = 6,
  kFlexIndirectUint = 7,
  kFlexIndirectFloat = 8,
  kFlexMap = 9,
  kFlexVector = 10,
  kFlexBlob = 25,
  kFlexBool = 26,
};

int64_t signed_of(uint64_t value, uint32_t width) {
  const uint32_t shift = 64 - 8 * width;
  return static_cast<int64_t>(value << shift) >> shift;
}

}  // namespace

FlexValue FlexValue::root(std::string_view buffer) {
  if (buffer.size() < 3) return {};
  const auto width = static_cast<uint8_t>(buffer.back());
  const auto packed = static_cast<uint8_t>(buffer[buffer.size() - 2]);
  const bool fits =
      (width == 1 || width == 2 || width == 4 || width == 8) && buffer.size() >= width + size_t{2};
  return fits ? FlexValue(buffer, buffer.size() - 2 - width, width, packed) : FlexValue();
}

std::optional<uint64_t> FlexValue::number(uint64_t at, uint32_t width) const {
  if (at > buffer_.size() || width > buffer_.size() - at) return {};
  uint64_t value = 0;
  for (uint32_t i = 0; i < width; ++i) {
    value |= uint64_t{static_cast<uint8_t>(buffer_[static_cast<size_t>(at + i)])} << (8 * i);
  }
  return value;
}

std::optional<uint64_t> FlexValue::target() const {
  const auto offset = number(at_, width_);
  if (!offset || *offset > at_) return {};
  return at_ - *offset;
}

double FlexValue::float_at(uint64_t at, uint32_t width) const {
  const auto bits = number(at, width);
  if (!bits) return 0;
  if (width == 8) return same_bits<double>(*bits);
  return width == 4 ? double{same_bits<float>(static_cast<uint32_t>(*bits))} : 0;
}

bool FlexValue::is_truth() const { return type_ == kFlexBool; }
bool FlexValue::is_real() const { return type_ == kFlexFloat || type_ == kFlexIndirectFloat; }

std::optional<int64_t> FlexValue::integer() const {
  const bool is_indirect = type_ == kFlexIndirectInt || type_ == kFlexIndirectUint;
  if (type_ != kFlexInt && type_ != kFlexUint && type_ != kFlexBool && !is_indirect) return {};
  const auto at = is_indirect ? target() : std::optional(at_);
  const uint32_t width = is_indirect ? child_ : width_;
  const auto value = at ? number(*at, width) : std::nullopt;
  if (!value) return {};
  const bool is_signed = type_ == kFlexInt || type_ == kFlexIndirectInt;
  return is_signed ? signed_of(*value, width) : static_cast<int64_t>(*value);
}

std::optional<double> FlexValue::real() const {
  if (type_ == kFlexFloat) return float_at(at_, width_);
  if (type_ == kFlexIndirectFloat) {
    const auto at = target();
    return at ? std::optional(float_at(*at, child_)) : std::nullopt;
  }
  const auto whole = integer();
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

std::string_view FlexValue::text() const {
  const auto at = target();
  if (!at) return {};
  if (type_ == kFlexKey) {
    const std::string_view rest = buffer_.substr(static_cast<size_t>(*at));
    return rest.substr(0, rest.find('\0'));
  }
  if ((type_ != kFlexText && type_ != kFlexBlob) || *at < child_) return {};
  const auto size = number(*at - child_, child_);
  if (!size || *size > buffer_.size() - *at) return {};
  return buffer_.substr(static_cast<size_t>(*at), static_cast<size_t>(*size));
}

uint64_t FlexValue::size() const {
  const auto at = target();
  if ((type_ != kFlexVector && type_ != kFlexMap) || !at || *at < child_) return 0;
  const uint64_t size = number(*at - child_, child_).value_or(0);
  return size <= (buffer_.size() - *at) / child_ ? size : 0;
}

FlexValue FlexValue::element(uint64_t index) const {
  const uint64_t count = size();
  if (index >= count) return {};
  const uint64_t at = *target();
  const auto packed = number(at + count * child_ + index, 1);
  if (!packed) return {};
  return FlexValue(buffer_, at + index * child_, child_, static_cast<uint8_t>(*packed));
}

FlexValue FlexValue::member(std::string_view key) const {
  const uint64_t count = type_ == kFlexMap ? size() : 0;
  if (count == 0) return {};
  const uint64_t at = *target();
  if (at < uint64_t{3} * child_) return {};
  // Before the size of the values: the offset of the keys, and the width of theirs.
  const uint64_t keys_at = at - uint64_t{3} * child_;
  const uint64_t offset = number(keys_at, child_).value_or(0);
  const auto width = static_cast<uint32_t>(number(keys_at + child_, child_).value_or(0));
  if (offset > keys_at || (width != 1 && width != 2 && width != 4 && width != 8)) return {};
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t place = keys_at - offset + i * width;
    if (FlexValue(buffer_, place, width, kFlexKey << 2).text() == key) return element(i);
  }
  return {};
}

}  // namespace cryo
