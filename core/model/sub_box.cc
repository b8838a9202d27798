#include "model/sub_box.h"

#include <charconv>
#include <optional>

#include "base/text.h"
#include "model/tensor_slice.h"

namespace cryo {
namespace {

std::optional<int64_t> parse_number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
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

// The box that "10 20 0,5:0,20" names of a tensor with these dimensions.
std::optional<Box> parse_box(const std::string& specification, const std::vector<uint64_t>& dims) {
  const auto words = split(specification, ' ');
  if (words.size() != dims.size() + 1) return std::nullopt;
  for (size_t i = 0; i < dims.size(); ++i) {
    const auto size = parse_number(words[i]);
    if (!size || static_cast<uint64_t>(*size) != dims[i]) return std::nullopt;
  }
  std::vector<Extent> extents;
  for (const std::string_view part : split(words.back(), ':')) {
    const auto extent = parse_extent(part);
    if (!extent) return std::nullopt;
    extents.push_back(*extent);
  }
  return resolve(extents, dims);
}

// Whether the box takes all of every dimension after `axis`, so that its steps along it lie one
// after the other.
bool is_whole_beyond(const Box& box, const std::vector<uint64_t>& strides, size_t axis) {
  for (size_t inner = axis + 1; inner < box.size(); ++inner) {
    if (box[inner].size * strides[inner + 1] != strides[inner]) return false;
  }
  return true;
}

// Appends the box's bytes of the part of the tensor that begins at `offset` and spans dimensions
// from `axis` on.
void append_box(const Splice& content, const std::vector<uint64_t>& strides, const Box& box,
                size_t axis, uint64_t offset, Splice& out) {
  if (axis == box.size()) {
    out.append(content.sub(offset, strides[axis]));
    return;
  }
  const Range& range = box[axis];
  if (is_whole_beyond(box, strides, axis)) {
    out.append(
        content.sub(offset + range.start * strides[axis + 1], range.size * strides[axis + 1]));
    return;
  }
  for (uint64_t i = 0; i < range.size; ++i) {
    append_box(content, strides, box, axis + 1, offset + (range.start + i) * strides[axis + 1],
               out);
  }
}

}  // namespace

Result<Tensor> sub_box(const Tensor& whole, const std::string& specification) {
  const DTypeInfo* type = find_dtype(whole.dtype);
  const std::vector<uint64_t> dims(whole.shape.dims.begin(), whole.shape.dims.end());
  const std::optional<Box> box = parse_box(specification, dims);
  if (!box || type == nullptr || type->size == 0) {
    return failure("bad-slice",
                   cat("the slice '", specification, "' does not fit a tensor of shape ",
                       to_text(whole.shape)),
                   {}, "give the checkpoint that was saved with this graph");
  }
  // strides[i]: bytes of one step along dimension i - 1; strides[0] is the whole tensor, the last
  // an element.
  std::vector<uint64_t> strides(dims.size() + 1, type->size);
  for (size_t i = dims.size(); i-- > 0;) strides[i] = strides[i + 1] * dims[i];
  Tensor part{whole.dtype, {}, 1, {}};
  for (const Range& range : *box) {
    part.shape.dims.push_back(static_cast<int64_t>(range.size));
    part.count *= range.size;
  }
  if (part.count > 0) append_box(whole.content, strides, *box, 0, 0, part.content);
  return part;
}

}  // namespace cryo
