#include <algorithm>
#include <set>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// Returns the shape given by an input, a vector of sizes.
bool shape_from(ShapeCall& call, size_t place, Shape& shape) {
  shape = unknown_shape();
  const auto known = call.values().ints(place);
  if (!call.rank(call.input(place), 1)) return false;
  for (size_t i = 0; known && i < known->values.size(); ++i) {
    if (known->values[i] >= kUnknownDim) continue;
    return call.fail("Invalid value in tensor used for shape: ", known->values[i]);
  }
  shape = call.values().as_shape(place);
  return true;
}

// Products of the known sizes of a shape, and where its only unknown size is.
struct Elements {
  explicit Elements(const Shape& shape) {
    for (size_t i = 0; i < shape.dims.size(); ++i) {
      const int64_t size = shape.dims[i];
      if (size == kUnknownDim) {
        ++unknown;
        place = i;
      } else if (__builtin_mul_overflow(known, size, &known)) {
        unknown = 2;  // the size cannot be inferred
        return;
      }
    }
  }
  int64_t known = 1;
  size_t unknown = 0;
  size_t place = 0;
};

// Resolves an axis, which may be negative; false if it is out of range for the rank.
bool axis_in(ShapeCall& call, int64_t given, int64_t rank, int64_t& axis) {
  if (given < -rank || given >= rank) {
    const auto wanted = static_cast<uint64_t>(given);
    return call.fail("Shape must be at least rank ", given < 0 ? uint64_t{0} - wanted : wanted + 1,
                     " but is rank ", rank);
  }
  axis = given < 0 ? given + rank : given;
  return true;
}

// Inputs `first` to `last` along an axis that is known.
bool concat_along(ShapeCall& call, size_t first, size_t last, std::optional<KnownInts> along) {
  if (!along || along->values.size() != 1) {
    Shape all = unknown_shape();  // of equal rank at least
    for (size_t i = first; i < last; ++i) {
      if (call.input(i).unknown_rank) continue;
      if (all.unknown_rank) all = unknown_dims(call.input(i).dims.size());
      if (!call.rank(call.input(i), all.dims.size())) return false;
    }
    call.output(std::move(all));
    return true;
  }
  Shape out = unknown_shape();
  for (size_t i = first; i < last; ++i) {
    Shape each = call.input(i);
    if (each.unknown_rank) {
      call.output(unknown_shape());
      return true;
    }
    int64_t axis = 0;
    const auto rank = static_cast<int64_t>(each.dims.size());
    if (!axis_in(call, along->values[0], rank, axis)) return false;
    const auto place = static_cast<size_t>(axis);
    const int64_t here = each.dims[place];
    const int64_t before = out.unknown_rank ? 0 : dim_of(out, axis);
    each.dims[place] = kUnknownDim;
    if (!out.unknown_rank && place < out.dims.size()) out.dims[place] = kUnknownDim;
    if (!call.merge(out, each, out)) return false;
    int64_t sum = 0;
    const bool known =
        before != kUnknownDim && here != kUnknownDim && !__builtin_add_overflow(before, here, &sum);
    out.dims[place] = known ? sum : kUnknownDim;
  }
  call.output(std::move(out));
  return true;
}

}  // namespace

bool reshape(ShapeCall& call) {
  const Shape& in = call.input(0);
  Shape out;
  if (!shape_from(call, 1, out)) return false;
  if (out.unknown_rank || in.unknown_rank) {
    call.output(std::move(out));
    return true;
  }
  const Elements wanted(out);
  const Elements given(in);
  if (wanted.unknown + given.unknown == 0 && wanted.known != given.known) {
    return call.fail("Cannot reshape a tensor with ", given.known, " elements to shape ",
                     to_text(out), " (", wanted.known, " elements)");
  }
  int64_t missing = kUnknownDim;
  if (given.unknown == 0 && wanted.unknown == 1 && wanted.known > 0) {
    if (!call.divide(given.known, wanted.known, missing)) return false;
    out.dims[wanted.place] = missing;
  } else if (given.unknown == 1 && wanted.unknown == 0 && given.known != 0) {
    if (!call.divide(wanted.known, given.known, missing)) return false;
  }
  call.output(std::move(out));
  return true;
}

bool expand_dims(ShapeCall& call) {
  const auto dim = call.values().ints(1);
  const Shape& in = call.input(0);
  if (!in.unknown_rank && !call.whole_numbers(1, "dim")) return false;
  if (in.unknown_rank || !dim) {
    if (!in.unknown_rank) call.output(unknown_dims(in.dims.size() + 1));
    return true;
  }
  if (dim->values.size() != 1) {
    return call.fail("'dim' input must be a tensor with a single value");
  }
  const auto rank = static_cast<int64_t>(in.dims.size());
  const int64_t given = dim->values[0];
  if (given < -1 - rank || given > rank) {
    return call.fail("dim ", given, " not in the interval [", -1 - rank, ", ", rank, "].");
  }
  Shape out = in;
  const int64_t place = given < 0 ? given + rank + 1 : given;
  out.dims.insert(out.dims.begin() + static_cast<std::ptrdiff_t>(place), 1);
  call.output(std::move(out));
  return true;
}

bool squeeze(ShapeCall& call) {
  const Shape& in = call.input(0);
  if (in.unknown_rank) return true;
  const auto rank = static_cast<int64_t>(in.dims.size());
  std::vector<char> gone(in.dims.size(), 0);
  const std::vector<int64_t> dims = call.ints_attr("squeeze_dims");
  for (const int64_t dim : dims) {
    if (dim < -rank || dim >= rank) {
      return call.fail("squeeze_dims[0] not in [", -rank, ",", rank, ").");
    }
    gone[static_cast<size_t>(dim < 0 ? dim + rank : dim)] = 1;
  }
  Shape out;
  for (size_t i = 0; i < in.dims.size(); ++i) {
    const int64_t size = in.dims[i];
    if (dims.empty() && size == kUnknownDim) return true;  // unknown: it may be 1
    if (gone[i] != 0 && size != 1 && size != kUnknownDim) {
      return call.fail("Can not squeeze dim[", i, "], expected a dimension of 1, got ", size);
    }
    if (dims.empty() ? size != 1 : gone[i] == 0) out.dims.push_back(size);
  }
  call.output(std::move(out));
  return true;
}

bool pack(ShapeCall& call) {
  Shape all = call.input(call.size() - 1);
  for (size_t i = call.size() - 1; i-- > 0;) {
    if (!call.merge(all, call.input(i), all)) return false;
  }
  if (all.unknown_rank) return true;
  const auto rank = static_cast<int64_t>(all.dims.size()) + 1;
  const int64_t given = call.int_attr("axis").value_or(0);
  if (given < -rank || given >= rank) {
    return call.fail("Invalid axis: ", given, "; must be in [", -rank, ",", rank, ")");
  }
  const int64_t place = given < 0 ? given + rank : given;
  all.dims.insert(all.dims.begin() + static_cast<std::ptrdiff_t>(place),
                  static_cast<int64_t>(call.size()));
  call.output(std::move(all));
  return true;
}

bool concat(ShapeCall& call) {
  if (!call.rank(call.input(0), 0)) return false;
  return concat_along(call, 1, call.size(), call.values().ints(0));
}

bool concat_v2(ShapeCall& call) {
  const size_t last = call.size() - 1;
  if (!call.rank(call.input(last), 0)) return false;
  return concat_along(call, 0, last, call.values().ints(last));
}

bool split(ShapeCall& call) {
  const auto parts = call.int_attr("num_split");
  const auto along = call.values().ints(0);
  if (along && !call.rank(call.input(0), 0)) return false;
  const Shape& in = call.input(1);
  if (!parts || *parts < 1 || *parts > 65536) return true;
  Shape each = unknown_shape();
  if (!in.unknown_rank && !along) each = unknown_dims(in.dims.size());
  if (!in.unknown_rank && along && along->values.size() == 1) {
    int64_t axis = 0;
    if (!axis_in(call, along->values[0], static_cast<int64_t>(in.dims.size()), axis)) return false;
    each = in;
    int64_t& size = each.dims[static_cast<size_t>(axis)];
    if (!call.divide(size, *parts, size)) return false;
  }
  for (int64_t i = 0; i < *parts; ++i) call.output(each);
  return true;
}

bool transpose(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& order = call.input(1);
  const int64_t count = order.dims.empty() && !order.unknown_rank ? 1 : dim_of(order, 0);
  const auto size = in.unknown_rank ? count : static_cast<int64_t>(in.dims.size());
  // With an unknown rank, one place may be that of a scalar or of a vector.
  if (in.unknown_rank && (size < 2 || size > kMaxDims)) {
    call.output(unknown_shape());
    return true;
  }
  if (!call.rank(order, 1)) return false;
  if (count != kUnknownDim && count != size) {
    return call.fail("Dimension must be ", size, " but is ", count);
  }
  const auto places = call.values().ints(1);
  Shape out = unknown_dims(static_cast<size_t>(size));
  for (size_t i = 0; places && i < places->values.size() && i < out.dims.size(); ++i) {
    const int64_t place = places->values[i];
    if (place < -size || place >= size) {
      return call.fail("perm dim ", place, " is out of range of input rank ", size);
    }
    out.dims[i] = dim_of(in, place);
  }
  call.output(std::move(out));
  return true;
}

bool fill(ShapeCall& call) {
  Shape out;
  if (!shape_from(call, 0, out) || !call.rank(call.input(1), 0)) return false;
  const auto known = call.values().ints(0);
  for (size_t i = 0; known && i < known->values.size(); ++i) {
    if (known->values[i] < 0) return call.fail("Fill dimensions must be >= 0");
  }
  call.output(std::move(out));
  return true;
}

bool broadcast_to(ShapeCall& call) {
  const Shape& in = call.input(0);
  Shape out;
  if (!shape_from(call, 1, out)) return false;
  if (!in.unknown_rank && !out.unknown_rank) {
    if (!call.rank_at_most(in, out.dims.size())) return false;
    const size_t added = out.dims.size() - in.dims.size();
    for (size_t i = 0; i < in.dims.size(); ++i) {
      int64_t& size = out.dims[added + i];
      if (in.dims[i] > 1 && !call.merge_dims(in.dims[i], size, size)) return false;
    }
  }
  call.output(std::move(out));
  return true;
}

// Random numbers of a shape.
bool random(ShapeCall& call) {
  Shape out;
  if (!shape_from(call, 0, out)) return false;
  call.output(std::move(out));
  return true;
}

// SparseToDense(indices, shape, values, default)
bool sparse_to_dense(ShapeCall& call) {
  Shape out;
  if (!shape_from(call, 1, out)) return false;
  call.output(std::move(out));
  return true;
}

// StatelessRandomUniform(shape, seed) and its likes.
bool stateless_random(ShapeCall& call) {
  return call.rank(call.input(1), 1) && call.has_size(1, 0, 2) && random(call);
}

bool reverse(ShapeCall& call) {
  const Shape& in = call.input(0);
  const Shape& axes = call.input(1);
  if (!call.rank(axes, 1)) return false;
  const int64_t rank = static_cast<int64_t>(in.dims.size());
  const auto known = call.values().ints(1);
  std::set<int64_t> turned;
  for (size_t i = 0; known && !in.unknown_rank && i < known->values.size(); ++i) {
    const int64_t axis = known->values[i];
    if (axis < -rank || axis >= rank) {
      return call.fail("'axis'[", i, "] = ", axis, " is out of valid range [0, ", rank - 1);
    }
    if (!turned.insert(axis < 0 ? axis + rank : axis).second) {
      return call.fail("axis ", axis, " specified more than once.");
    }
  }
  call.output(in);
  return true;
}

bool parse_example(ShapeCall& call) {
  return call.rank(call.input(0), 1) && call.rank(call.input(1), 1);
}

// OneHot: inserts the depth at the axis.
bool one_hot(ShapeCall& call) {
  const Shape& in = call.input(0);
  const int64_t axis = call.int_attr("axis").value_or(-1);
  if (axis < -1) return call.fail("axis must be >= -1");
  int64_t depth = 0;
  if (!call.size_of_scalar(1, depth)) return false;
  const auto rank = static_cast<int64_t>(in.dims.size()) + 1;
  if (in.unknown_rank || axis > kMaxDims) return true;
  Shape out = in;
  out.dims.insert(out.dims.begin() + static_cast<std::ptrdiff_t>((axis + rank) % rank), depth);
  call.output(std::move(out));
  return true;
}

}  // namespace cryo::rules
