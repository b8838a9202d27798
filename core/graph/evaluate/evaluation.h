#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/evaluate/evaluate.h"

namespace cryo {

// One call of evaluate(), for the rules of its ops.
struct Evaluation {
  const Node& node;
  std::span<const KnownTensor* const> inputs;
  Arithmetic arithmetic;
  size_t most;  // elements of the result
};

// How the ops of a table are evaluated, one a row.
struct EvaluationRule {
  std::string_view op;
  std::optional<KnownTensor> (*rule)(const Evaluation&);
};

// Returns the number of elements; nullopt if it is over `most`, or if a size is negative.
std::optional<size_t> count_of(const std::vector<int64_t>& dims, size_t most);

// Returns the shape of both together, as NumPy broadcasts them; nullopt if they do not fit.
std::optional<std::vector<int64_t>> broadcast_dims(const std::vector<int64_t>& a,
                                                   const std::vector<int64_t>& b);

// The place in a tensor of each element of the shape that it is broadcast to.
//
//     from [3,1] to [2,3,2]      0 0 1 1 2 2 0 0 1 1 2 2
class BroadcastPlaces {
 public:
  // REQUIRES: `from` can be broadcast to `to`, which outlives it.
  BroadcastPlaces(const std::vector<int64_t>& from, const std::vector<int64_t>& to);
  size_t of(size_t element) const;

 private:
  const std::vector<int64_t>& to_;
  std::vector<size_t> steps_;  // in `from`, of each dimension of `to`
};

// Returns axes, counted from the front; nullopt if one is not within `rank`, or not known.
std::optional<std::vector<size_t>> axes_of(const KnownTensor& axes, size_t rank);

// Appends an element of a tensor of the same type.
void append_element(const KnownTensor& from, size_t place, KnownTensor& to);

// The elements between two neighbors along each axis.
std::vector<size_t> strides_of(const std::vector<int64_t>& dims);

// The element at each place of `dims`: `place(indices)` says where it is in `from`.
template <typename Place>
std::optional<KnownTensor> gather_elements(const Evaluation& of, const KnownTensor& from,
                                           std::vector<int64_t> dims, Place place) {
  const auto count = count_of(dims, of.most);
  if (!count) return std::nullopt;
  KnownTensor made{from.dtype, std::move(dims)};
  std::vector<size_t> at(made.dims.size(), 0);
  for (size_t i = 0; i < *count; ++i) {
    append_element(from, place(at), made);
    for (size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < static_cast<size_t>(made.dims[axis])) break;
      at[axis] = 0;
    }
  }
  return made;
}

// Slice and StridedSlice.
std::optional<KnownTensor> sliced(const Evaluation& of);
std::optional<KnownTensor> strided_slice(const Evaluation& of);

// The ops whose elements are those of their inputs, in other places.
bool moves_elements(std::string_view op);
std::optional<KnownTensor> evaluate_layout_op(const Evaluation& of);

}  // namespace cryo
