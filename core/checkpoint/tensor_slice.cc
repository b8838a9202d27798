#include "checkpoint/tensor_slice.h"

#include <cassert>
#include <charconv>
#include <system_error>

#include "base/sort.h"
#include "base/text.h"

namespace cryo {
namespace {

// A length byte, then that many big-endian bytes without leading zeros.
void put_ordered(std::string& out, uint64_t value) {
  std::string bytes;
  for (; value != 0; value >>= 8) bytes += static_cast<char>(value);
  out += static_cast<char>(bytes.size());
  out.append(bytes.rbegin(), bytes.rend());
}

// 00 and FF are escaped, so that 00 01 can end it.
void put_ordered(std::string& out, std::string_view text) {
  for (const char byte : text) {
    out += byte;
    if (byte == '\0') out += '\xFF';
    if (byte == '\xFF') out += '\0';
  }
  out += '\0';
  out += '\1';
}

// Appends an integer so that encodings sort as the numbers do. It takes the fewest bytes of 7 bits
// each. As in UTF-8, the number of leading ones is the number of bytes. The sign is the first bit,
// inverted: 0 -> 80, 64 -> C0 40, -1 -> 7F.
void put_ordered_signed(std::string& out, int64_t value) {
  const bool negative = value < 0;
  const uint64_t magnitude = static_cast<uint64_t>(negative ? ~value : value);
  size_t length = 1;
  while (length < 10 && magnitude >> (7 * length - 1) != 0) ++length;
  std::string bytes(length, negative ? '\xFF' : '\0');
  for (size_t i = 0; i < std::min<size_t>(length, 8); ++i) {
    bytes[length - 1 - i] = static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
  }
  for (size_t bit = 0; bit < length; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (0x80 >> (bit % 8)));
  }
  out += bytes;
}

bool overlap(const Box& a, const Box& b) {
  for (size_t d = 0; d < a.size(); ++d) {
    if (a[d].start >= b[d].start + b[d].size || b[d].start >= a[d].start + a[d].size) return false;
  }
  return true;
}

std::optional<int64_t> parse_number(std::string_view text) {
  int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// "-" or "start,length".
std::optional<Extent> parse_extent(std::string_view text) {
  if (text == "-") return Extent{};
  const auto parts = split(text, ',');
  if (parts.size() != 2) return std::nullopt;
  const auto start = parse_number(parts[0]);
  const auto length = parse_number(parts[1]);
  if (!start || !length) return std::nullopt;
  return Extent{*start, *length};
}

uint64_t volume(const Box& box) {
  uint64_t elements = 1;
  for (const Range& range : box) elements *= range.size;
  return elements;
}

}  // namespace

std::string slice_key(std::string_view tensor, std::span<const Extent> slice) {
  std::string key;
  put_ordered(key, uint64_t{0});
  put_ordered(key, tensor);
  put_ordered(key, uint64_t{slice.size()});
  for (const Extent& extent : slice) {
    put_ordered_signed(key, extent.start);
    put_ordered_signed(key, extent.length.value_or(-1));
  }
  return key;
}

std::optional<Box> resolve(std::span<const Extent> slice, std::span<const uint64_t> dims) {
  if (slice.size() != dims.size()) return std::nullopt;
  Box box;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (slice[d].start < 0 || slice[d].length.value_or(0) < 0) return std::nullopt;
    const auto start = static_cast<uint64_t>(slice[d].start);
    if (!slice[d].length && start != 0) return std::nullopt;
    const uint64_t size = slice[d].length ? static_cast<uint64_t>(*slice[d].length) : dims[d];
    if (start > dims[d] || size > dims[d] - start) return std::nullopt;
    box.push_back({start, size});
  }
  return box;
}

std::optional<SliceSpec> parse_slice_spec(std::string_view text) {
  SliceSpec spec;
  std::vector<std::string_view> words = split(text, ' ');
  if (words.empty()) return std::nullopt;
  const std::string_view slice = words.back();
  words.pop_back();
  for (const std::string_view word : words) {
    const auto dim = parse_number(word);
    if (!dim || *dim < 0) return std::nullopt;
    spec.dims.push_back(static_cast<uint64_t>(*dim));
  }
  std::vector<Extent> extents;
  for (const std::string_view part : split(slice, ':')) {
    const auto extent = parse_extent(part);
    if (!extent) return std::nullopt;
    extents.push_back(*extent);
  }
  std::optional<Box> box = resolve(extents, spec.dims);
  if (!box) return std::nullopt;
  spec.box = std::move(*box);
  return spec;
}

bool tile(std::vector<Box> boxes, std::span<const uint64_t> dims) {
  assert(boxes.size() <= kMaxSlices && !dims.empty());
  uint64_t whole = 1;
  for (const uint64_t dim : dims) whole *= dim;
  // Boxes that are inside, apart, and as large as the whole together, tile it. A sum that wraps
  // would need boxes that overlap.
  uint64_t sum = 0;
  for (const Box& box : boxes) sum += volume(box);
  if (sum != whole) return false;
  // Boxes are sorted by their start, so each need be compared only with those that start before it
  // ends.
  sort(boxes, [](const Box& a, const Box& b) { return a[0].start < b[0].start; });
  for (size_t i = 0; i < boxes.size(); ++i) {
    const uint64_t end = boxes[i][0].start + boxes[i][0].size;
    for (size_t j = i + 1; j < boxes.size() && boxes[j][0].start < end; ++j) {
      if (overlap(boxes[i], boxes[j])) return false;
    }
  }
  return true;
}

}  // namespace cryo
