#include <algorithm>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// StridedSlice: x[2:5, ..., tf.newaxis, 3] as begins, ends, strides, and masks: for omitted begins
// and ends, for "...", for new axes and for single indices.
struct Spec {
  explicit Spec(ShapeCall& call)
      : begin(call.values().ints(1)),
        end(call.values().ints(2)),
        strides(call.values().ints(3)),
        begin_mask(call.int_attr("begin_mask").value_or(0)),
        end_mask(call.int_attr("end_mask").value_or(0)),
        ellipsis_mask(call.int_attr("ellipsis_mask").value_or(0)),
        new_axis_mask(call.int_attr("new_axis_mask").value_or(0)),
        shrink_mask(call.int_attr("shrink_axis_mask").value_or(0)) {}

  static bool has(int64_t mask, size_t place) { return ((mask >> place) & 1) != 0; }
  bool is_ellipsis(size_t place) const { return has(ellipsis_mask, place); }
  // Returns true if the three have one length; other lengths are reported elsewhere.
  bool range_known() const {
    return begin && end && begin->values.size() == strides->values.size() &&
           end->values.size() == strides->values.size();
  }
  bool is_new(size_t place) const { return has(new_axis_mask, place) && !is_ellipsis(place); }

  std::optional<KnownInts> begin;
  std::optional<KnownInts> end;
  std::optional<KnownInts> strides;
  int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_mask;
};

// A place along a dimension, counted from the back if negative, held within its ends.
int64_t clamp(int64_t place, int64_t size, int64_t lowest, int64_t highest) {
  return std::clamp(place < 0 ? place + size : place, lowest, highest);
}

// How many elements `begin:end:stride` takes of a dimension.
int64_t taken(const Spec& spec, size_t place, int64_t size) {
  const int64_t stride = spec.strides->values[place];
  if (size == kUnknownDim) return kUnknownDim;
  const bool all = Spec::has(spec.begin_mask, place) && Spec::has(spec.end_mask, place);
  if (!spec.range_known() && !all) return kUnknownDim;
  const bool forward = stride > 0;
  const int64_t lowest = forward ? 0 : -1;
  const int64_t highest = forward ? size : size - 1;
  const int64_t begin = Spec::has(spec.begin_mask, place)
                            ? (forward ? lowest : highest)
                            : clamp(spec.begin->values[place], size, lowest, highest);
  const int64_t end = Spec::has(spec.end_mask, place)
                          ? (forward ? highest : lowest)
                          : clamp(spec.end->values[place], size, lowest, highest);
  const int64_t length = forward ? end - begin : begin - end;
  const int64_t step = forward ? stride : -stride;
  return length <= 0 ? 0 : (length - 1) / step + 1;
}

// One dimension that is kept or, by a single index, not.
bool slice_one(ShapeCall& call, const Spec& spec, size_t place, int64_t size, Shape& out) {
  if (!Spec::has(spec.shrink_mask, place)) {
    out.dims.push_back(taken(spec, place, size));
    return true;
  }
  if (spec.strides->values[place] <= 0) {
    return call.fail("only stride 1 allowed on non-range indexing.");
  }
  if (!spec.range_known()) return true;
  const int64_t index = spec.begin->values[place];
  if (size != kUnknownDim && (index < -size || index >= size)) {
    return call.fail("slice index ", index, " of dimension ", place, " out of bounds.");
  }
  return true;
}

bool slice_all(ShapeCall& call, const Spec& spec, const Shape& in, Shape& out) {
  const size_t count = spec.strides->values.size();
  size_t used = 0;  // dimensions that the spec speaks of
  for (size_t i = 0; i < count; ++i) used += spec.is_ellipsis(i) || spec.is_new(i) ? 0U : 1U;
  size_t dim = 0;
  bool elided = false;
  for (size_t i = 0; i < count; ++i) {
    if (spec.is_ellipsis(i)) {
      if (elided) return call.fail("Multiple ellipses in slice spec not allowed");
      elided = true;
      for (; dim + used < in.dims.size(); ++dim) out.dims.push_back(in.dims[dim]);
    } else if (spec.is_new(i)) {
      out.dims.push_back(1);
    } else if (dim == in.dims.size()) {
      return call.fail("Index out of range using input dim ", dim, "; input has only ",
                       in.dims.size(), " dims");
    } else {
      --used;
      if (!slice_one(call, spec, i, in.dims[dim++], out)) return false;
    }
  }
  for (; dim < in.dims.size(); ++dim) out.dims.push_back(in.dims[dim]);
  return true;
}

}  // namespace

bool strided_slice(ShapeCall& call) {
  for (const std::string_view mask :
       {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    const int64_t value = call.int_attr(mask).value_or(0);
    if (value == static_cast<int32_t>(value)) continue;
    return call.fail("Attr ", mask, " has value ", value, " out of range for an int32");
  }
  Shape all;
  if (!call.merge(call.input(1), call.input(2), all)) return false;
  if (!call.merge(all, call.input(3), all)) return false;
  const Spec spec(call);
  const Shape& in = call.input(0);
  constexpr size_t kMaxMasked = 32;
  if (in.unknown_rank || !spec.strides || spec.strides->values.size() >= kMaxMasked) return true;
  const auto& strides = spec.strides->values;
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] == 0) return call.fail("strides[", i, "] must be non-zero");
    if (strides[i] == INT64_MIN) return true;
  }
  Shape out;
  if (!slice_all(call, spec, in, out)) return false;
  call.output(std::move(out));
  return true;
}

bool tile(ShapeCall& call) {
  const Shape& in = call.input(0);
  const auto times = call.values().ints(1);
  if (!call.rank(call.input(1), 1)) return false;
  const int64_t rank = dim_of(call.input(1), 0);
  if (rank != kUnknownDim && !call.rank(in, static_cast<size_t>(rank))) return false;
  if (in.unknown_rank) return true;
  Shape out = unknown_dims(in.dims.size());
  for (size_t i = 0; times && i < std::min(times->values.size(), in.dims.size()); ++i) {
    if (times->values[i] >= 0) out.dims[i] = product_of(in.dims[i], times->values[i]);
  }
  call.output(std::move(out));
  return true;
}

// Pad, PadV2, MirrorPad: two numbers a dimension.
bool pad(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& paddings = call.input(1);
  int64_t two = 0;
  if (!call.rank(paddings, 2) || !call.merge_dims(dim_of(paddings, 1), 2, two)) return false;
  const int64_t rank = dim_of(paddings, 0);
  if (rank != kUnknownDim && !call.rank(in, static_cast<size_t>(rank))) return false;
  if (in.unknown_rank) return true;
  const auto known = call.values().ints(1);
  Shape out = unknown_dims(in.dims.size());
  for (size_t i = 0; known && 2 * i + 1 < known->values.size(); ++i) {
    const int64_t before = known->values[2 * i];
    const int64_t after = known->values[2 * i + 1];
    if (before < 0 || after < 0) return call.fail("Paddings must be non-negative");
    if (in.dims[i] != kUnknownDim) out.dims[i] = in.dims[i] + before + after;
  }
  call.output(std::move(out));
  return true;
}

bool slice(ShapeCall& call) {
  const Shape& in = call.input(0);
  Shape count;
  if (!call.rank(call.input(1), 1) || !call.rank(call.input(2), 1)) return false;
  if (!call.merge(call.input(1), call.input(2), count)) return false;
  const int64_t rank = dim_of(count, 0);
  if (rank != kUnknownDim && !call.rank(in, static_cast<size_t>(rank))) return false;
  if (in.unknown_rank) return true;
  const auto begins = call.values().ints(1);
  const auto sizes = call.values().ints(2);
  Shape out = unknown_dims(in.dims.size());
  for (size_t i = 0; sizes && i < std::min(out.dims.size(), sizes->values.size()); ++i) {
    const int64_t size = sizes->values[i];
    const bool to_end = size == kUnknownDim && begins && i < begins->values.size();
    if (size >= 0) out.dims[i] = size;
    if (to_end && in.dims[i] != kUnknownDim) {
      out.dims[i] = std::max<int64_t>(in.dims[i] - begins->values[i], kUnknownDim);
    }
  }
  call.output(std::move(out));
  return true;
}

}  // namespace cryo::rules
