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

class SliceJoiner {
 public:
  SliceJoiner(const CheckpointIndex& index, const CheckpointData& data, const IndexRecord& record,
              const TensorSpec& spec)
      : index_(index), data_(data), record_(record), spec_(spec) {
    dims_.assign(spec.shape.dims.begin(), spec.shape.dims.end());
  }

  Result<JoinedTensor> join() {
    const auto count = static_cast<size_t>(record_.entry.slices_size());
    if (count > kMaxSlices)
      return fault(cat("expected at most ", kMaxSlices, " slices, found ", count));
    if (count == 1 && covers_all(read_slice(record_.entry.slices(0)))) return join_whole();
    if (spec_.element_size == 0)
      return fault(cat("Dtype ", dtype_name(spec_.dtype), " not supported."));
    if (dims_.empty()) return fault("a scalar has no slices");
    std::vector<FoundSlice> found;
    for (const tensorflow::TensorSliceProto& proto : record_.entry.slices()) {
      TRY(slice, find_slice(read_slice(proto)));
      found.push_back(std::move(slice));
    }
    sort(found,
         [](const FoundSlice& a, const FoundSlice& b) { return starts_before(a.box, b.box); });
    return join_found(found);
  }

 private:
  // The tensor's own record has all of it, as TensorFlow reads it.
  Result<JoinedTensor> join_whole() {
    TRY(part, data_.find_part(record_, spec_, record_.key));
    JoinedTensor joined;
    TRY(content, data_.content(part, spec_, record_.key));
    joined.content = Splice(std::move(content));
    joined.parts.push_back(std::move(part));
    return joined;
  }

  Result<FoundSlice> find_slice(const std::vector<Extent>& slice) {
    std::optional<Box> box = resolve(slice, dims_);
    if (!box) return fault("a slice leaves the tensor");
    const IndexRecord* record = index_.find(slice_key(record_.key, slice));
    if (record == nullptr) return fault("the index lacks one of its slices");
    TRY(spec, read_spec(*record, record_.key));
    std::vector<int64_t> sizes;
    for (const Range& range : *box) sizes.push_back(static_cast<int64_t>(range.size));
    if (spec.dtype != spec_.dtype || spec.shape.dims != sizes) {
      return fault(cat("a slice is stored as ", dtype_name(spec.dtype), to_text(spec.shape),
                       ", expected ", dtype_name(spec_.dtype), to_text(Shape{false, sizes})));
    }
    TRY(part, data_.find_part(*record, spec, record_.key));
    return FoundSlice{std::move(*box), std::move(part)};
  }

  Result<JoinedTensor> join_found(const std::vector<FoundSlice>& found) {
    std::vector<Box> boxes;
    std::vector<StoredSlice> stored;
    JoinedTensor joined;
    for (const FoundSlice& slice : found) {
      boxes.push_back(slice.box);
      TRY(content, data_.content(slice.part, spec_, record_.key));
      stored.push_back({slice.box, std::move(content)});
      joined.parts.push_back(slice.part);
    }
    if (!tile(std::move(boxes), dims_)) {
      return fault("Does not have sufficient slices for partitioned tensor, or they overlap");
    }
    joined.content = join_slices(dims_, spec_.element_size, stored);
    return joined;
  }

  Failure fault(std::string_view message) const {
    return failure(
        "bad-slices", cat("partitioned tensor of shape ", to_text(spec_.shape), ": ", message),
        {.tensor = record_.key}, "the index is damaged: copy or write the checkpoint again");
  }

  const CheckpointIndex& index_;
  const CheckpointData& data_;
  const IndexRecord& record_;
  const TensorSpec& spec_;
  std::vector<uint64_t> dims_;
};

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

Result<JoinedTensor> join_tensor(const CheckpointIndex& index, const CheckpointData& data,
                                 const IndexRecord& record, const TensorSpec& spec) {
  return SliceJoiner(index, data, record, spec).join();
}

}  // namespace cryo
