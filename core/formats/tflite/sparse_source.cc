#include "formats/tflite/sparse_source.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "formats/tflite/tflite_schema.h"

namespace cryo {
namespace {

constexpr uint64_t kMostExpanded = uint64_t{1} << 30;

// Numbers of 1, 2 or 4 bytes.
struct SparseIndices {
  Slice bytes = {};
  uint32_t width = 4;

  uint64_t count() const { return bytes.size / width; }
};

struct SparseLevel {
  bool is_dense = true;
  uint64_t size = 0;    // of a dense one
  uint64_t stride = 0;  // elements between two of its children
  uint64_t limit = 0;   // of indices
  SparseIndices segments = {};
  SparseIndices indices = {};
};

Failure bad_sparse(std::string_view name, std::string_view file, std::string_view message) {
  return failure("bad-tflite", cat("expected ", message, " of the sparse tensor ", quoted(name)),
                 {.file = file, .tensor = name}, "get the model again from its source");
}

class SparseSource final : public ByteSource {
 public:
  SparseSource(Slice values, std::vector<SparseLevel> levels, uint64_t size, uint32_t width,
               std::string tensor)
      : values_(std::move(values)),
        levels_(std::move(levels)),
        size_(size),
        width_(width),
        tensor_(std::move(tensor)) {}
  const std::string& name() const override { return values_.source->name(); }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

 private:
  struct Numbers {
    std::vector<uint32_t> segments;
    std::vector<uint32_t> indices;
  };
  Status expand() const;
  Status fill(size_t level, uint64_t parent, uint64_t place, std::string_view values,
              const std::vector<Numbers>& numbers) const;
  Failure bad() const { return bad_sparse(tensor_, name(), "indices inside"); }

  Slice values_;
  std::vector<SparseLevel> levels_;
  uint64_t size_;
  uint32_t width_;
  std::string tensor_;
  mutable std::string expanded_;
};

Result<std::vector<uint32_t>> numbers_of(const SparseIndices& from) {
  std::vector<uint32_t> numbers;
  if (from.bytes.size == 0) return numbers;
  TRY(bytes, Splice(from.bytes).read_all());
  for (size_t at = 0; at + from.width <= bytes.size(); at += from.width) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < from.width; ++i) {
      number |= uint32_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
    }
    numbers.push_back(number);
  }
  return numbers;
}

Status SparseSource::fill(size_t level, uint64_t parent, uint64_t place, std::string_view values,
                          const std::vector<Numbers>& numbers) const {
  if (level == levels_.size()) {
    if ((parent + 1) * width_ > values.size() || (place + 1) * width_ > expanded_.size()) {
      return bad();
    }
    values.copy(expanded_.data() + place * width_, width_, static_cast<size_t>(parent * width_));
    return Unit{};
  }
  const SparseLevel& at = levels_[level];
  if (at.is_dense) {
    for (uint64_t i = 0; i < at.size; ++i) {
      CHECK_OK(fill(level + 1, parent * at.size + i, place + i * at.stride, values, numbers));
    }
    return Unit{};
  }
  const auto& [segments, indices] = numbers[level];
  if (parent + 1 >= segments.size()) return bad();
  const uint64_t begin = segments[static_cast<size_t>(parent)];
  const uint64_t end = segments[static_cast<size_t>(parent) + 1];
  if (begin > end || end > indices.size()) return bad();
  for (auto child = static_cast<size_t>(begin); child < end; ++child) {
    if (indices[child] >= at.limit) return bad();
    CHECK_OK(fill(level + 1, child, place + indices[child] * at.stride, values, numbers));
  }
  return Unit{};
}

Status SparseSource::expand() const {
  TRY(values, Splice(values_).read_all());
  std::vector<Numbers> numbers;
  for (const SparseLevel& level : levels_) {
    TRY(segments, numbers_of(level.segments));
    TRY(indices, numbers_of(level.indices));
    numbers.push_back({std::move(segments), std::move(indices)});
  }
  expanded_.assign(static_cast<size_t>(size_), '\0');
  return fill(0, 0, 0, values, numbers);
}

Status SparseSource::read(uint64_t offset, std::span<char> out) const {
  if (expanded_.empty()) CHECK_OK(expand());
  expanded_.copy(out.data(), out.size(), static_cast<size_t>(offset));
  if (offset + out.size() == size_) expanded_ = std::string();
  return Unit{};
}

SparseIndices indices_of(const FlatTable& table, uint16_t tag, uint16_t id) {
  const uint64_t type = table.number(tag, 1);
  const uint32_t width = type == 3 ? 1 : type == 2 ? 2 : 4;
  const FlatVector values = table.table(id).vector(tflite::Int32Vector::kValues, width);
  return values.count == 0 ? SparseIndices{} : SparseIndices{values.slice(), width};
}

SparseLevel level_of(const FlatTable& table) {
  using Fields = tflite::DimensionMetadata;
  SparseLevel level;
  level.is_dense = table.number(Fields::kFormat, 1) == tflite::DimensionType::kDENSE;
  level.size = static_cast<uint32_t>(table.int32(Fields::kDenseSize));
  level.segments = indices_of(table, Fields::kArraySegmentsType, Fields::kArraySegments);
  level.indices = indices_of(table, Fields::kArrayIndicesType, Fields::kArrayIndices);
  return level;
}

}  // namespace

Result<Slice> expanded_sparse(const TfliteTensor& tensor, uint32_t width) {
  using Fields = tflite::SparsityParameters;
  const std::vector<int64_t>& dims = tensor.shape.dims;
  const std::vector<int32_t> order = tensor.sparsity.ints(Fields::kTraversalOrder);
  const std::vector<int32_t> blocks = tensor.sparsity.ints(Fields::kBlockMap);
  const FlatVector metadata = tensor.sparsity.vector(Fields::kDimMetadata, 4);
  const std::string file = tensor.content.source == nullptr ? "" : tensor.content.source->name();
  if (order.size() != dims.size() + blocks.size() || metadata.count != order.size() ||
      tensor.content.source == nullptr || width == 0) {
    return bad_sparse(tensor.name, file, "levels for the axes");
  }
  TRY(count, element_count(tensor.shape));
  if (count > kMostExpanded / width) {
    return failure("too-large", cat("the sparse tensor ", quoted(tensor.name), " is over 1 GB"),
                   {.file = file, .tensor = tensor.name});
  }
  std::vector<uint64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * static_cast<uint64_t>(dims[i]);
  }
  std::vector<SparseLevel> levels;
  for (uint64_t i = 0; i < metadata.count; ++i) levels.push_back(level_of(metadata.table(i)));
  std::vector<uint64_t> outer(dims.begin(), dims.end());
  std::vector<uint64_t> block(dims.size(), 1);
  for (size_t i = levels.size(); i-- > 0;) {
    const auto at = static_cast<size_t>(order[i]);
    const bool is_block = at >= dims.size();
    if (at >= dims.size() + blocks.size()) return bad_sparse(tensor.name, file, "other axes");
    const auto axis = is_block ? static_cast<size_t>(blocks[at - dims.size()]) : at;
    if (axis >= dims.size()) return bad_sparse(tensor.name, file, "blocks of its axes");
    if (is_block) {
      if (levels[i].size == 0 || outer[axis] % levels[i].size != 0) {
        return bad_sparse(tensor.name, file, "blocks that divide the axes");
      }
      block[axis] *= levels[i].size;
      outer[axis] /= levels[i].size;
      levels[i].limit = levels[i].size;
      levels[i].stride = strides[axis];
    } else {
      levels[i].limit = outer[axis];
      levels[i].stride = strides[axis] * block[axis];
    }
    if (levels[i].is_dense && levels[i].size != levels[i].limit) {
      return bad_sparse(tensor.name, file, "as many elements as the shape");
    }
  }
  if (count == 0) return Slice{tensor.content.source, tensor.content.offset, 0};
  return whole(std::make_shared<const SparseSource>(tensor.content, std::move(levels),
                                                    count * width, width, tensor.name));
}

}  // namespace cryo
