#include "validate/shape/shape_rules.h"

namespace cryo::rules {

// Unpack: one output for each element along the axis, which is removed from the shape.
bool unpack(ShapeCall& call) {
  const Shape& in = call.input(0);
  const auto count = call.int_attr("num");
  if (in.unknown_rank || !count) return true;
  const auto rank = static_cast<int64_t>(in.dims.size());
  const int64_t given = call.int_attr("axis").value_or(0);
  if (given < -rank || given >= rank) {
    return call.fail("Invalid axis: ", given, "; must be in [", -rank, ",", rank, ")");
  }
  const int64_t axis = given < 0 ? given + rank : given;
  const int64_t size = dim_of(in, axis);
  if (size != kUnknownDim && size != *count) {
    return call.fail("Dimension must be ", *count, " but is ", size);
  }
  constexpr int64_t kMaxOutputs = 1024;
  if (*count > kMaxOutputs) return true;
  Shape each = in;
  each.dims.erase(each.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  for (int64_t i = 0; i < *count; ++i) call.output(each);
  return true;
}

// SplitV(value, sizes, axis): the sizes add up; one may be -1, for the rest.
bool split_v(ShapeCall& call) {
  const Shape& in = call.input(0);
  const auto sizes = call.values().ints(1);
  const auto along = call.values().ints(2);
  if (along && !along->scalar()) {
    return call.fail("Input must be scalar but has rank ", along->rank);
  }
  if (in.unknown_rank || !sizes || !along) return true;
  const auto rank = static_cast<int64_t>(in.dims.size());
  const int64_t axis = along->values[0] < 0 ? along->values[0] + rank : along->values[0];
  if (rank == 0) return call.fail("Can't split scalars");
  if (axis < 0 || axis >= rank) {
    return call.fail("Shape of rank ", rank, " has no dimension ", along->values[0]);
  }
  const auto count = call.int_attr("num_split");
  if (!count || static_cast<uint64_t>(*count) != sizes->values.size()) {
    return call.fail("Length of size_splits should be equal to num_outputs");
  }
  const int64_t whole = dim_of(in, axis);
  int64_t sum = 0;
  bool rest = false;
  for (const int64_t size : sizes->values) {
    rest = rest || size == kUnknownDim;
    if (size != kUnknownDim && __builtin_add_overflow(sum, size, &sum)) return true;
  }
  if (whole != kUnknownDim && (rest ? sum > whole : sum != whole)) {
    return call.fail("can't split axis of size ", whole, " into pieces of sizes that sum to ", sum);
  }
  for (const int64_t size : sizes->values) {
    Shape each = in;
    int64_t& part = each.dims[static_cast<size_t>(axis)];
    part = size != kUnknownDim ? size : whole == kUnknownDim ? kUnknownDim : whole - sum;
    call.output(std::move(each));
  }
  return true;
}

// UnsortedSegmentSum(data, segment of each, number of segments), and its likes.
bool unsorted_segment(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& segments = call.input(1);
  int64_t number = 0;
  if (!call.size_of_scalar(2, number)) return false;
  if (!call.begins_with(in, segments)) return false;
  if (in.unknown_rank || segments.unknown_rank) return true;
  const Shape rows{false, {number}};
  call.output(joined(rows, sub_shape(in, segments.dims.size())));
  return true;
}

// TensorArrayWriteV3(handle, index, value, flow): the value has the elements' shape.
bool write_element(ShapeCall& call) {
  const Shape* element = call.values().behind_handle(0);
  Shape both;
  if (element != nullptr && !call.merge(*element, call.input(2), both)) return false;
  call.output({});
  return true;
}

// TensorArrayScatterV3(handle, indices, value, flow): rows of the value, an index each.
bool scatter_elements(ShapeCall& call) {
  const Shape* element = call.values().behind_handle(0);
  const Shape& value = call.input(2);
  Shape both;
  int64_t rows = 0;
  if (!value.unknown_rank && !call.merge_dims(dim_of(call.input(1), 0), dim_of(value, 0), rows)) {
    return false;
  }
  if (element != nullptr && !call.merge(*element, sub_shape(value, 1), both)) return false;
  call.output({});
  return true;
}

bool read_element(ShapeCall& call) {
  const Shape* element = call.values().behind_handle(0);
  call.output(element != nullptr ? *element : unknown_shape());
  return true;
}

bool gather_elements(ShapeCall& call) {
  const Shape* element = call.values().behind_handle(0);
  if (element != nullptr) call.output(joined(call.input(1), *element));
  return true;
}

bool gather(ShapeCall& call) {
  if (!call.rank_at_least(call.input(0), 1)) return false;
  call.output(joined(call.input(1), sub_shape(call.input(0), 1)));
  return true;
}

// GatherV2(params, indices, axis): the indices' shape replaces the axis.
bool gather_v2(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& indices = call.input(1);
  if (!call.rank_at_least(in, 1) || !call.rank(call.input(2), 0)) return false;
  const auto along = call.values().ints(2);
  const bool known = along && along->values.size() == 1;
  const int64_t given = known ? along->values[0] : 0;
  if (given != static_cast<int32_t>(given)) return call.fail("Rank cannot exceed kint32max");
  if (!call.rank_at_least(in, static_cast<size_t>(given < 0 ? -given : given + 1))) return false;
  const int64_t given_batch = call.int_attr("batch_dims").value_or(0);
  if (in.unknown_rank || indices.unknown_rank) return true;
  const size_t rank = in.dims.size();
  if (!known) {
    if (given_batch == 0) call.output(unknown_dims(rank + indices.dims.size() - 1));
    return true;
  }
  const auto axis = static_cast<size_t>(given < 0 ? given + static_cast<int64_t>(rank) : given);
  const int64_t batch =
      given_batch < 0 ? given_batch + static_cast<int64_t>(indices.dims.size()) : given_batch;
  if (batch < 0) return true;
  const Shape rows = sub_shape(indices, static_cast<size_t>(batch));
  call.output(joined(joined(sub_shape(in, 0, axis), rows), sub_shape(in, axis + 1)));
  return true;
}

}  // namespace cryo::rules
