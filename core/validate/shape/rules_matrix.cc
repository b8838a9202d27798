#include <algorithm>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// A square matrix and right sides with as many rows, in batches.
bool solved(ShapeCall& call, bool broadcasts) {
  const Shape& matrix = call.input(0);
  const Shape& right = call.input(1);
  int64_t rows = 0;
  if (!call.rank_at_least(matrix, 2) || !call.rank_at_least(right, 2)) return false;
  if (!call.merge_dims(dim_of(matrix, -2), dim_of(matrix, -1), rows)) return false;
  if (!call.merge_dims(rows, dim_of(right, -2), rows)) return false;
  Shape batch;
  if (!batch_of_matrices(call, matrix, right, broadcasts, batch)) return false;
  call.output(joined(batch, {false, {rows, dim_of(right, -1)}}));
  return true;
}

}  // namespace

// The last two sizes are one.
bool square(ShapeCall& call) {
  int64_t size = 0;
  if (!call.merge_dims(dim_of(call.input(0), -2), dim_of(call.input(0), -1), size)) return false;
  return by_registry(call);
}

// The diagonal has a dimension less, and is as long as the shorter side.
bool matrix_set_diag(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& diagonal = call.input(1);
  if (!in.unknown_rank && !call.rank(diagonal, in.dims.size() - 1)) return false;
  const int64_t rows = dim_of(in, -2);
  const int64_t columns = dim_of(in, -1);
  const int64_t shorter = std::min(rows, columns);
  const bool known = shorter != kUnknownDim || rows == 0 || columns == 0;
  int64_t size = known ? std::max<int64_t>(shorter, 0) : kUnknownDim;
  if (!call.merge_dims(size, dim_of(diagonal, -1), size)) return false;
  call.output(in);
  return true;
}

bool solve(ShapeCall& call) { return solved(call, false); }
bool triangular_solve(ShapeCall& call) { return solved(call, true); }

bool nth_element(ShapeCall& call) {
  const Shape& in = call.input(0);
  int64_t nth = 0;
  if (!call.size_of_scalar(1, nth)) return false;
  const int64_t last = dim_of(in, -1);
  if (nth != kUnknownDim && last != kUnknownDim && last <= nth) {
    return call.fail("Input must have last dimension > n = ", nth, " but is ", last);
  }
  if (!in.unknown_rank) call.output(sub_shape(in, 0, in.dims.size() - 1));
  return true;
}

// TopK has k as an attribute, TopKV2 as an input.
bool top_k(ShapeCall& call) {
  const Shape& in = call.input(0);
  int64_t k = call.int_attr("k").value_or(kUnknownDim);
  if (call.size() > 1 && !call.size_of_scalar(1, k)) return false;
  const int64_t last = dim_of(in, -1);
  if (k != kUnknownDim && last != kUnknownDim && last < k) {
    return call.fail("input must have last dimension >= k = ", k, " but is ", last);
  }
  if (in.dims.empty()) return true;
  Shape out = in;
  out.dims.back() = k;
  call.output(out);
  call.output(std::move(out));
  return true;
}

// SpaceToBatchND, BatchToSpaceND: a block's size and two paddings or crops for each of some
// dimensions, of which the batch comes before.
bool blocks(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& block = call.input(1);
  if (block.unknown_rank) return true;
  if (block.dims.size() != 1) return call.fail("block_shape must have rank 1.");
  const int64_t count = block.dims[0];
  Shape both;
  call.values().ints(1);  // TensorFlow looks at both, which have to be readable then
  call.values().ints(2);
  if (!call.merge(call.input(2), {false, {count, 2}}, both)) return false;
  if (count == kUnknownDim) return true;
  const auto moved = static_cast<size_t>(count) + 1;
  if (!call.rank_at_least(in, moved)) return false;
  if (!in.unknown_rank) call.output(joined(unknown_dims(moved), sub_shape(in, moved)));
  return true;
}

}  // namespace cryo::rules
