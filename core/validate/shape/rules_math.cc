#include <algorithm>
#include <set>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// One dimension of a broadcast: known sizes other than 1 must agree.
bool broadcast_dim(ShapeCall& call, int64_t a, int64_t b, int64_t& out) {
  if (a == kUnknownDim || b == kUnknownDim) {
    const int64_t known = std::max(a, b);
    out = known > 1 ? known : kUnknownDim;  // 1 or 0 may meet anything
    return true;
  }
  if (a == 1 || b == 1) {
    out = a == 1 ? b : a;
    return true;
  }
  return call.merge_dims(a, b, out);
}

// Batches of matrices: the first op requires equal batch dimensions, later ones broadcast them.
bool multiply(ShapeCall& call, bool broadcasts) {
  const Shape& x = call.input(0);
  const Shape& y = call.input(1);
  const bool adj_x = call.flag("adj_x");
  const bool adj_y = call.flag("adj_y");
  int64_t inner = 0;
  if (!call.merge_dims(dim_of(x, adj_x ? -2 : -1), dim_of(y, adj_y ? -1 : -2), inner)) return false;
  Shape batch;
  if (!batch_of_matrices(call, x, y, broadcasts, batch)) return false;
  const Shape last{false, {dim_of(x, adj_x ? -1 : -2), dim_of(y, adj_y ? -2 : -1)}};
  call.output(joined(batch, last));
  return true;
}

}  // namespace

bool broadcast_shapes(ShapeCall& call, const Shape& a, const Shape& b, Shape& out) {
  if (a.unknown_rank || b.unknown_rank) {
    out = unknown_shape();
    return true;
  }
  const size_t rank = std::max(a.dims.size(), b.dims.size());
  Shape found = unknown_dims(rank);
  for (size_t i = 1; i <= rank; ++i) {
    const int64_t of_a = i > a.dims.size() ? 1 : a.dims[a.dims.size() - i];
    const int64_t of_b = i > b.dims.size() ? 1 : b.dims[b.dims.size() - i];
    if (!broadcast_dim(call, of_a, of_b, found.dims[rank - i])) return false;
  }
  out = std::move(found);
  return true;
}

bool batch_of_matrices(ShapeCall& call, const Shape& a, const Shape& b, bool broadcasts,
                       Shape& batch) {
  batch = unknown_shape();
  if (a.unknown_rank || b.unknown_rank) return true;
  const Shape of_a = sub_shape(a, 0, a.dims.size() - 2);
  const Shape of_b = sub_shape(b, 0, b.dims.size() - 2);
  return broadcasts ? broadcast_shapes(call, of_a, of_b, batch) : call.merge(of_a, of_b, batch);
}

bool broadcast(ShapeCall& call) {
  Shape out;
  if (!broadcast_shapes(call, call.input(0), call.input(1), out)) return false;
  call.output(std::move(out));
  return true;
}

bool equal(ShapeCall& call) {
  if (call.flag("incompatible_shape_error")) return broadcast(call);
  Shape out;
  if (!broadcast_shapes(call, call.input(0), call.input(1), out)) out = unknown_shape();
  call.output(std::move(out));
  return true;
}

bool mat_mul(ShapeCall& call) {
  const int a = call.flag("transpose_a") ? 0 : 1;
  const int b = call.flag("transpose_b") ? 1 : 0;
  int64_t inner = 0;
  if (!call.merge_dims(dim_of(call.input(0), a), dim_of(call.input(1), b), inner)) return false;
  call.output({false, {dim_of(call.input(0), 1 - a), dim_of(call.input(1), 1 - b)}});
  return true;
}

bool batch_mat_mul(ShapeCall& call) { return multiply(call, true); }
bool batch_mat_mul_v1(ShapeCall& call) { return multiply(call, false); }

// Sum, Mean, All, ...: input 1 lists the dimensions to remove.
bool reduce(ShapeCall& call) {
  const Shape& input = call.input(0);
  // Older graphs may have them in a matrix.
  constexpr int kIndicesAreAVector = 21;
  if (call.producer() >= kIndicesAreAVector && !call.rank_at_most(call.input(1), 1)) return false;
  const bool keep = call.flag("keep_dims");
  if (!input.unknown_rank && !call.whole_numbers(1, "reduction_indices")) return false;
  const auto indices = call.values().ints(1);
  if (input.unknown_rank || !indices) {
    call.output(keep && !input.unknown_rank ? unknown_dims(input.dims.size()) : unknown_shape());
    return true;
  }
  const auto rank = static_cast<int64_t>(input.dims.size());
  std::set<int64_t> gone;
  for (const int64_t index : indices->values) {
    if (index < -rank || index >= rank) {
      return call.fail("Invalid reduction dimension ", index, " for input with ", rank,
                       " dimensions.");
    }
    gone.insert(index < 0 ? index + rank : index);
  }
  Shape out;
  for (int64_t i = 0; i < rank; ++i) {
    const bool goes = gone.count(i) > 0;
    if (goes && keep) out.dims.push_back(1);
    if (!goes) out.dims.push_back(dim_of(input, i));
  }
  call.output(std::move(out));
  return true;
}

// ArgMax, ArgMin.
bool arg_extreme(ShapeCall& call) {
  const Shape& input = call.input(0);
  if (!call.rank(call.input(1), 0)) return false;
  if (input.unknown_rank) return true;
  const auto rank = static_cast<int64_t>(input.dims.size());
  if (rank <= 1) {
    call.output({});
    return true;
  }
  const auto dimension = call.values().ints(1);
  if (!dimension || !dimension->scalar()) {
    call.output(unknown_dims(input.dims.size() - 1));
    return true;
  }
  const int64_t given = dimension->values[0];
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank) {
    return call.fail("Dimension (", axis, ") must be in the range [0, ", rank, "), where ", rank,
                     " is the number of dimensions in the input.");
  }
  Shape out = input;
  out.dims.erase(out.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  call.output(std::move(out));
  return true;
}

bool add_n(ShapeCall& call) {
  Shape all = call.input(call.size() - 1);
  for (size_t i = call.size() - 1; i-- > 0;) {
    if (!call.merge(all, call.input(i), all)) return false;
  }
  call.output(std::move(all));
  return true;
}

bool range(ShapeCall& call) {
  int64_t bounds[3];
  bool all = true;  // also after one that is not: TensorFlow asks for all
  for (size_t i = 0; i < 3; ++i) {
    const auto known = call.values().ints(i);
    all = all && known && known->scalar();
    bounds[i] = all ? known->values[0] : 0;
  }
  if (!all) {
    call.output(unknown_dims(1));
    return true;
  }
  const auto [start, limit, delta] = bounds;
  if (delta == 0) return call.fail("Requires delta != 0");
  if (delta > 0 && start > limit) {
    return call.fail("Requires start <= limit when delta > 0: ", start, "/", limit);
  }
  if (delta < 0 && start < limit) {
    return call.fail("Requires start >= limit when delta < 0: ", start, "/", limit);
  }
  const auto way = static_cast<uint64_t>(limit) - static_cast<uint64_t>(start);
  const uint64_t distance = delta > 0 ? way : uint64_t{0} - way;
  const uint64_t step =
      delta > 0 ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
  const uint64_t count = distance / step + (distance % step == 0 ? 0 : 1);
  call.output({false, {count <= INT64_MAX ? static_cast<int64_t>(count) : kUnknownDim}});
  return true;
}

// LinSpace(start, stop, num)
bool lin_space(ShapeCall& call) {
  int64_t count = kUnknownDim;
  for (size_t i = 0; i < 3; ++i) {
    if (!call.rank(call.input(i), 0)) return false;
  }
  if (!call.size_of_scalar(2, count)) return false;
  call.output({false, {count}});
  return true;
}

// Select: the condition may be a scalar, a vector of rows, or of the same shape.
bool select(ShapeCall& call) {
  Shape data;
  if (!call.merge(call.input(1), call.input(2), data)) return false;
  const Shape& condition = call.input(0);
  if (condition.unknown_rank || data.unknown_rank || condition.dims.empty()) {
    call.output(std::move(data));
    return true;
  }
  int64_t rows = 0;
  if (condition.dims.size() == 1) {
    if (!call.rank_at_least(data, 1)) return false;
    if (!call.merge_dims(dim_of(data, 0), condition.dims[0], rows)) return false;
  } else if (!call.merge(data, condition, data)) {
    return false;
  }
  call.output(std::move(data));
  return true;
}

bool select_v2(ShapeCall& call) {
  Shape data;
  if (!broadcast_shapes(call, call.input(1), call.input(2), data)) return false;
  if (!broadcast_shapes(call, data, call.input(0), data)) return false;
  call.output(std::move(data));
  return true;
}

// StringJoin, Betainc: all that are no scalars have one shape.
bool join(ShapeCall& call) {
  Shape all;
  bool scalars = true;
  bool known = true;
  for (size_t i = 0; i < call.size(); ++i) {
    const Shape& each = call.input(i);
    known = known && !each.unknown_rank;
    if (each.unknown_rank || each.dims.empty()) continue;
    if (scalars) all = each;
    scalars = false;
    if (!call.merge(all, each, all)) return false;
  }
  call.output(known ? std::move(all) : unknown_shape());
  return true;
}

}  // namespace cryo::rules
