#include "checkpoint/checkpoint_slices.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "checkpoint/join_slices.h"
#include "checkpoint/tensor_slice.h"

namespace cryo {
namespace {

bool starts_before(const Box& a, const Box& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const Range& x, const Range& y) { return x.start < y.start; });
}

// One slice, while the tensor is put together.
struct FoundSlice {
  Box box = {};
  CheckpointPart part = {};
};

// The tensor's own record has all of it, as TensorFlow reads it.
Result<JoinedTensor> join_whole(const CheckpointData& data, const IndexRecord& whole,
                                const TensorSpec& wanted) {
  TRY(part, data.find_part(whole, wanted, whole.key));
  JoinedTensor joined;
  TRY(content, data.content(part, wanted, whole.key));
  joined.content = Splice(std::move(content));
  joined.parts.push_back(std::move(part));
  return joined;
}

Failure bad_slices(const IndexRecord& whole, const TensorSpec& wanted, std::string_view message) {
  return failure("bad-slices",
                 cat("partitioned tensor of shape ", to_text(wanted.shape), ": ", message),
                 {.tensor = whole.key}, "the index is damaged: copy or write the checkpoint again");
}

Result<FoundSlice> find_stored_slice(const CheckpointIndex& records, const CheckpointData& data,
                                     const IndexRecord& whole, const TensorSpec& wanted,
                                     const std::vector<uint64_t>& dims,
                                     const std::vector<Extent>& slice) {
  std::optional<Box> box = resolve(slice, dims);
  if (!box) return bad_slices(whole, wanted, "a slice leaves the tensor");
  const IndexRecord* record = records.find(slice_key(whole.key, slice));
  if (record == nullptr) return bad_slices(whole, wanted, "the index lacks one of its slices");
  TRY(spec, read_spec(*record, whole.key));
  std::vector<int64_t> sizes;
  for (const Range& range : *box) sizes.push_back(static_cast<int64_t>(range.size));
  if (spec.dtype != wanted.dtype || spec.shape.dims != sizes) {
    return bad_slices(whole, wanted,
                      cat("a slice is stored as ", dtype_name(spec.dtype), to_text(spec.shape),
                          ", expected ", dtype_name(wanted.dtype), to_text(Shape{false, sizes})));
  }
  TRY(part, data.find_part(*record, spec, whole.key));
  return FoundSlice{std::move(*box), std::move(part)};
}

Result<JoinedTensor> join_found(const CheckpointData& data, const IndexRecord& whole,
                                const TensorSpec& wanted, const std::vector<uint64_t>& dims,
                                const std::vector<FoundSlice>& found) {
  std::vector<Box> boxes;
  std::vector<StoredSlice> stored;
  JoinedTensor joined;
  for (const FoundSlice& slice : found) {
    boxes.push_back(slice.box);
    TRY(content, data.content(slice.part, wanted, whole.key));
    stored.push_back({slice.box, std::move(content)});
    joined.parts.push_back(slice.part);
  }
  if (!tile(std::move(boxes), dims)) {
    return bad_slices(whole, wanted,
                      "Does not have sufficient slices for partitioned tensor, or they overlap");
  }
  joined.content = join_slices(dims, wanted.element_size, stored);
  return joined;
}

}  // namespace

std::vector<Extent> read_slice(const tensorflow::TensorSliceProto& proto) {
  std::vector<Extent> slice;
  for (const auto& extent : proto.extent()) {
    slice.push_back({extent.start(), {}});
    if (extent.has_length_case() == tensorflow::TensorSliceProto::Extent::kLength) {
      slice.back().length = extent.length();
    }
  }
  return slice;
}

bool covers_all(const std::vector<Extent>& slice) {
  return std::all_of(slice.begin(), slice.end(),
                     [](const Extent& each) { return each.start == 0 && !each.length; });
}

Result<JoinedTensor> join_tensor(const CheckpointIndex& records, const CheckpointData& data,
                                 const IndexRecord& whole, const TensorSpec& wanted) {
  const std::vector<uint64_t> dims(wanted.shape.dims.begin(), wanted.shape.dims.end());
  const auto count = static_cast<size_t>(whole.entry.slices_size());
  if (count > kMaxSlices)
    return bad_slices(whole, wanted,
                      cat("expected at most ", kMaxSlices, " slices, found ", count));
  if (count == 1 && covers_all(read_slice(whole.entry.slices(0))))
    return join_whole(data, whole, wanted);
  if (wanted.element_size == 0)
    return bad_slices(whole, wanted, cat("Dtype ", dtype_name(wanted.dtype), " not supported."));
  if (dims.empty()) return bad_slices(whole, wanted, "a scalar has no slices");
  std::vector<FoundSlice> found;
  for (const tensorflow::TensorSliceProto& proto : whole.entry.slices()) {
    TRY(slice, find_stored_slice(records, data, whole, wanted, dims, read_slice(proto)));
    found.push_back(std::move(slice));
  }
  sort(found, [](const FoundSlice& a, const FoundSlice& b) { return starts_before(a.box, b.box); });
  return join_found(data, whole, wanted, dims, found);
}

}  // namespace cryo
