#include <algorithm>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

bool has_none(const Shape& shape) {
  return std::find(shape.dims.begin(), shape.dims.end(), 0) != shape.dims.end();
}

bool has_some(const Shape& shape) { return is_fully_defined(shape) && !has_none(shape); }

std::string range_text(size_t begin, size_t end) { return cat("[", begin, ",", end, ")"); }

// The updates have a place in `into` for each row of the indices, whose last dimension lists the
// first places of it: indices [n,2], into [a,b,c], updates [n,c].
bool updates_fit(ShapeCall& call, const Shape& into, const Shape& indices, const Shape& updates) {
  if (has_none(into) && (has_some(indices) || has_some(updates))) {
    return call.fail("Indices and updates specified for empty input");
  }
  const int64_t depth = dim_of(indices, -1);
  if (depth == kUnknownDim || updates.unknown_rank || updates.dims.empty()) return true;
  const size_t outer = indices.dims.size() - 1;
  const auto ix = static_cast<size_t>(depth);
  if (!call.rank_at_least(updates, outer)) return false;
  Shape both;
  if (!call.merge(sub_shape(indices, 0, outer), sub_shape(updates, 0, outer), both)) {
    return call.fail("Dimensions ", range_text(0, outer), " of indices[shape=", to_text(indices),
                     "] must match dimensions ", range_text(0, outer),
                     " of updates[shape=", to_text(updates), "]");
  }
  const Shape rest = into.unknown_rank || ix > into.dims.size() ? Shape{into.unknown_rank, {}}
                                                                : sub_shape(into, ix);
  if (!call.merge(rest, sub_shape(updates, outer), both)) {
    return call.fail("Dimensions ", range_text(ix, into.dims.size()),
                     " of input[shape=", to_text(into), "] must match dimensions ",
                     range_text(outer, updates.dims.size()), " of updates[shape=", to_text(updates),
                     "]");
  }
  return true;
}

}  // namespace

// GatherNd(params, indices), ResourceGatherNd(handle, indices): the last dimension of the indices
// lists the first places of params.
bool gather_nd(ShapeCall& call) {
  const Shape* behind = call.values().behind_handle(0);
  const bool of_handle = call.op().name.starts_with("Resource");
  if (of_handle && behind == nullptr) return true;
  const Shape& params = of_handle ? *behind : call.input(0);
  const Shape& indices = call.input(1);
  if (!call.rank_at_least(indices, 1)) return false;
  const int64_t depth = dim_of(indices, -1);
  if (params.unknown_rank || depth == kUnknownDim) return true;
  if (depth > static_cast<int64_t>(params.dims.size())) {
    return call.fail("indices.shape[-1] must be <= params.rank, but saw indices shape: ",
                     to_text(indices), " and params shape: ", to_text(params));
  }
  call.output(joined(sub_shape(indices, 0, indices.dims.size() - 1),
                     sub_shape(params, static_cast<size_t>(depth))));
  return true;
}

// ScatterNd(indices, updates, shape).
bool scatter_nd(ShapeCall& call) {
  Shape out = call.values().as_shape(2);
  if (!call.rank_at_least(call.input(0), 1) || !call.rank_at_least(call.input(1), 1)) return false;
  if (!updates_fit(call, out, call.input(0), call.input(1))) return false;
  call.output(std::move(out));
  return true;
}

// TensorScatterUpdate(tensor, indices, updates), ScatterNdAdd of a variable, and their likes.
bool update_nd(ShapeCall& call) {
  const Shape* behind = call.values().behind_handle(0);
  const Shape into = behind != nullptr ? *behind : call.input(0);
  if (!call.rank_at_least(call.input(1), 1)) return false;
  if (!updates_fit(call, into, call.input(1), call.input(2))) return false;
  if (!call.op().outputs.empty()) call.output(into);
  return true;
}

// DynamicPartition(data, partitions): how many rows each output has depends on the values.
bool dynamic_partition(ShapeCall& call) {
  const Shape& partitions = call.input(1);
  const auto count = call.int_attr("num_partitions");
  if (partitions.unknown_rank || !count || *count < 1 || *count > 65536) return true;
  if (!call.begins_with(call.input(0), partitions)) return false;
  const Shape each = joined(unknown_dims(1), sub_shape(call.input(0), partitions.dims.size()));
  for (int64_t i = 0; i < *count; ++i) call.output(each);
  return true;
}

// DynamicStitch(indices..., data...): rows of the data, of one shape, each with its index.
bool dynamic_stitch(ShapeCall& call) {
  const size_t count = call.size() / 2;
  Shape row = unknown_shape();
  int64_t last = -1;
  bool known = true;
  for (size_t i = 0; i < count; ++i) {
    const Shape& indices = call.input(i);
    const Shape& data = call.input(i + count);
    const auto values = call.values().ints(i);
    known = known && values;
    if (indices.unknown_rank) continue;
    if (!call.begins_with(data, indices)) return false;
    if (known && !values->values.empty()) {
      last = std::max(last, *std::max_element(values->values.begin(), values->values.end()));
    }
    if (!call.merge(row, sub_shape(data, indices.dims.size()), row)) return false;
  }
  call.output(joined({false, {known ? last + 1 : kUnknownDim}}, row));
  return true;
}

// ReverseSequence(input, lengths): a length for each element along the batch.
bool reverse_sequence(ShapeCall& call) {
  const Shape& in = call.input(0);
  if (!call.rank(call.input(1), 1)) return false;
  if (in.unknown_rank) return true;
  const auto rank = static_cast<int64_t>(in.dims.size());
  const int64_t batch = call.int_attr("batch_dim").value_or(0);
  const int64_t along = call.int_attr("seq_dim").value_or(0);
  if (batch >= rank) return call.fail("batch_dim must be < input rank: ", batch, " vs. ", rank);
  if (along >= rank) return call.fail("seq_dim must be < input rank: ", along, " vs. ", rank);
  Shape out = in;
  int64_t size = 0;
  if (!call.merge_dims(dim_of(in, batch), dim_of(call.input(1), 0), size)) return false;
  const int64_t place = batch < 0 ? batch + rank : batch;
  if (place < 0) return true;
  out.dims[static_cast<size_t>(place)] = size;
  call.output(std::move(out));
  return true;
}

}  // namespace cryo::rules
