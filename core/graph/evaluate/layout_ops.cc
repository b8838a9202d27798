#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "graph/attr_value.h"
#include "graph/evaluate/evaluation.h"
#include "tensor/shape.h"

namespace cryo {
namespace {

using Known = std::optional<KnownTensor>;
using Dims = std::vector<int64_t>;

std::optional<size_t> axis_of(int64_t axis, size_t rank) {
  const int64_t from_front = axis < 0 ? axis + static_cast<int64_t>(rank) : axis;
  if (from_front < 0 || from_front >= static_cast<int64_t>(rank)) return std::nullopt;
  return static_cast<size_t>(from_front);
}

std::optional<int64_t> one_whole(const KnownTensor& tensor) {
  const bool one = tensor.whole.size() == 1 && tensor.whole[0] != kUnknownElement;
  return one ? std::optional(tensor.whole[0]) : std::nullopt;
}

Known same_elements(const KnownTensor& from, Dims dims) {
  KnownTensor made = from;
  made.dims = std::move(dims);
  return made;
}

Known identity(const Evaluation& of) { return *of.inputs[0]; }

Known reshape(const Evaluation& of) {
  if (of.inputs.size() != 2 || !is_wholly_known(*of.inputs[1])) return std::nullopt;
  Dims dims = of.inputs[1]->whole;
  const size_t elements = of.inputs[0]->count();
  size_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& dim : dims) {
    if (dim == -1 && open == nullptr) {
      open = &dim;
    } else if (dim < 0 || static_cast<uint64_t>(dim) > of.most) {
      return std::nullopt;
    } else {
      known *= static_cast<size_t>(dim);
    }
    if (known > of.most) return std::nullopt;
  }
  if (open != nullptr && known == 0) return std::nullopt;
  if (open != nullptr) *open = static_cast<int64_t>(elements / known);
  const auto count = count_of(dims, of.most);
  return count == elements ? same_elements(*of.inputs[0], std::move(dims)) : std::nullopt;
}

Known expand_dims(const Evaluation& of) {
  const auto wanted = of.inputs.size() == 2 ? one_whole(*of.inputs[1]) : std::nullopt;
  Dims dims = of.inputs[0]->dims;
  const auto axis = wanted ? axis_of(*wanted, dims.size() + 1) : std::nullopt;
  if (!axis) return std::nullopt;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
  return same_elements(*of.inputs[0], std::move(dims));
}

Known squeeze(const Evaluation& of) {
  const KnownTensor& a = *of.inputs[0];
  std::vector<bool> goes(a.dims.size(), false);
  bool named = false;
  if (const auto list = find_attr(of.node, "squeeze_dims")) {
    bool fits = true;
    AttrValue(*list).each_number(AttrKind::kInt, [&](int64_t wanted) {
      const auto axis = axis_of(wanted, a.dims.size());
      fits = fits && axis && a.dims[*axis] == 1;
      if (fits) goes[*axis] = named = true;
    });
    if (!fits) return std::nullopt;
  }
  Dims dims;
  for (size_t axis = 0; axis < a.dims.size(); ++axis) {
    if (named ? !goes[axis] : a.dims[axis] != 1) dims.push_back(a.dims[axis]);
  }
  return same_elements(a, std::move(dims));
}

Known transpose(const Evaluation& of) {
  if (of.inputs.size() != 2) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  const auto order = axes_of(*of.inputs[1], a.dims.size());
  if (!order || order->size() != a.dims.size()) return std::nullopt;
  const std::vector<size_t> strides = strides_of(a.dims);
  Dims dims;
  std::vector<bool> seen(a.dims.size(), false);
  for (const size_t axis : *order) {
    if (seen[axis]) return std::nullopt;
    seen[axis] = true;
    dims.push_back(a.dims[axis]);
  }
  return gather_elements(of, a, std::move(dims), [&](const std::vector<size_t>& at) {
    size_t place = 0;
    for (size_t i = 0; i < at.size(); ++i) place += at[i] * strides[(*order)[i]];
    return place;
  });
}

// Tensors one after the other along an axis that all have.
Known joined(const Evaluation& of, std::span<const KnownTensor* const> parts, size_t axis) {
  Dims dims = parts[0]->dims;
  dims[axis] = 0;
  for (const KnownTensor* part : parts) {
    if (part->dtype != parts[0]->dtype || part->dims.size() != dims.size()) return std::nullopt;
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i != axis && part->dims[i] != dims[i]) return std::nullopt;
    }
    dims[axis] += part->dims[axis];
  }
  const auto count = count_of(dims, of.most);
  if (!count) return std::nullopt;
  KnownTensor made{parts[0]->dtype, dims};
  size_t runs = 1;
  for (size_t i = 0; i < axis; ++i) runs *= static_cast<size_t>(dims[i]);
  for (size_t run = 0; run < runs; ++run) {
    for (const KnownTensor* part : parts) {
      const size_t length = part->count() / runs;
      for (size_t i = 0; i < length; ++i) append_element(*part, run * length + i, made);
    }
  }
  return made;
}

// Concat has its axis first, ConcatV2 last.
Known concat(const Evaluation& of) {
  if (of.inputs.size() < 2) return std::nullopt;
  const bool first = of.node.op == "Concat";
  const auto wanted = one_whole(first ? *of.inputs.front() : *of.inputs.back());
  const auto parts = of.inputs.subspan(first ? 1 : 0, of.inputs.size() - 1);
  const auto axis = wanted ? axis_of(*wanted, parts[0]->dims.size()) : std::nullopt;
  return axis ? joined(of, parts, *axis) : std::nullopt;
}

Known pack(const Evaluation& of) {
  const auto axis = axis_of(int_attr(of.node, "axis").value_or(0), of.inputs[0]->dims.size() + 1);
  if (!axis) return std::nullopt;
  std::vector<KnownTensor> parts;
  for (const KnownTensor* input : of.inputs) {
    if (input->dims != of.inputs[0]->dims) return std::nullopt;
    parts.push_back(*input);
    parts.back().dims.insert(parts.back().dims.begin() + static_cast<std::ptrdiff_t>(*axis), 1);
  }
  std::vector<const KnownTensor*> pointers;
  for (const KnownTensor& part : parts) pointers.push_back(&part);
  return joined(of, pointers, *axis);
}

Known gather(const Evaluation& of) {
  if (of.inputs.size() < 2 || int_attr(of.node, "batch_dims").value_or(0) != 0) {
    return std::nullopt;
  }
  const KnownTensor& a = *of.inputs[0];
  const KnownTensor& indices = *of.inputs[1];
  const auto wanted = of.inputs.size() == 3 ? one_whole(*of.inputs[2]) : std::optional<int64_t>(0);
  const auto axis = wanted ? axis_of(*wanted, a.dims.size()) : std::nullopt;
  if (!axis || indices.is_real()) return std::nullopt;
  for (const int64_t index : indices.whole) {
    if (index < 0 || index >= a.dims[*axis]) return std::nullopt;
  }
  const size_t length = strides_of(a.dims)[*axis];
  const auto rows = static_cast<size_t>(a.dims[*axis]);
  Dims dims(a.dims.begin(), a.dims.begin() + static_cast<std::ptrdiff_t>(*axis));
  size_t runs = 1;
  for (const int64_t dim : dims) runs *= static_cast<size_t>(dim);
  dims.insert(dims.end(), indices.dims.begin(), indices.dims.end());
  dims.insert(dims.end(), a.dims.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, a.dims.end());
  if (!count_of(dims, of.most)) return std::nullopt;
  KnownTensor made{a.dtype, std::move(dims)};
  for (size_t run = 0; run < runs; ++run) {
    for (const int64_t index : indices.whole) {
      const size_t begin = (run * rows + static_cast<size_t>(index)) * length;
      for (size_t i = 0; i < length; ++i) append_element(a, begin + i, made);
    }
  }
  return made;
}

Known tile(const Evaluation& of) {
  if (of.inputs.size() != 2) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  const std::vector<int64_t>& times = of.inputs[1]->whole;
  if (times.size() != a.dims.size() || !is_wholly_known(*of.inputs[1])) return std::nullopt;
  Dims dims;
  for (size_t axis = 0; axis < times.size(); ++axis) {
    if (times[axis] < 0 || static_cast<uint64_t>(times[axis]) > of.most) return std::nullopt;
    dims.push_back(a.dims[axis] * times[axis]);
  }
  const std::vector<size_t> strides = strides_of(a.dims);
  return gather_elements(of, a, std::move(dims), [&](const std::vector<size_t>& at) {
    size_t place = 0;
    for (size_t axis = 0; axis < at.size(); ++axis) {
      place += at[axis] % static_cast<size_t>(a.dims[axis]) * strides[axis];
    }
    return place;
  });
}

// Fill has the shape first, BroadcastTo last.
Known filled(const Evaluation& of) {
  if (of.inputs.size() != 2) return std::nullopt;
  const bool fills = of.node.op == "Fill";
  const KnownTensor& shape = *of.inputs[fills ? 0 : 1];
  const KnownTensor& a = *of.inputs[fills ? 1 : 0];
  if (!is_wholly_known(shape) || shape.is_real() || (fills && !a.dims.empty())) {
    return std::nullopt;
  }
  if (!count_of(shape.whole, of.most) || broadcast_dims(a.dims, shape.whole) != shape.whole) {
    return std::nullopt;
  }
  KnownTensor made{a.dtype, shape.whole};
  const BroadcastPlaces place(a.dims, made.dims);
  for (size_t i = 0; i < *count_of(made.dims, of.most); ++i) {
    append_element(a, place.of(i), made);
  }
  return made;
}

Known zeros_or_ones(const Evaluation& of) {
  KnownTensor made = *of.inputs[0];
  const int value = of.node.op == "OnesLike" ? 1 : 0;
  std::fill(made.whole.begin(), made.whole.end(), value);
  std::fill(made.real.begin(), made.real.end(), value);
  return made;
}

Known range(const Evaluation& of) {
  if (of.inputs.size() != 3) return std::nullopt;
  const auto start = one_whole(*of.inputs[0]);
  const auto limit = one_whole(*of.inputs[1]);
  const auto step = one_whole(*of.inputs[2]);
  if (!start || !limit || !step || *step == 0) return std::nullopt;
  constexpr int64_t kFar = int64_t{1} << 40;
  if (std::abs(*start) > kFar || std::abs(*limit) > kFar || std::abs(*step) > kFar) {
    return std::nullopt;
  }
  if (*step > 0 ? *start > *limit : *start < *limit) return std::nullopt;
  KnownTensor made{of.inputs[0]->dtype};
  for (int64_t at = *start; *step > 0 ? at < *limit : at > *limit; at += *step) {
    if (made.whole.size() == of.most) return std::nullopt;
    made.whole.push_back(at);
  }
  made.dims = {static_cast<int64_t>(made.whole.size())};
  return made;
}

Known measure(const Evaluation& of) { return measured(of.node, {false, of.inputs[0]->dims}); }

constexpr std::array kMoving = {
    EvaluationRule{"BroadcastTo", filled},
    EvaluationRule{"Concat", concat},
    EvaluationRule{"ConcatV2", concat},
    EvaluationRule{"ExpandDims", expand_dims},
    EvaluationRule{"Fill", filled},
    EvaluationRule{"Gather", gather},
    EvaluationRule{"GatherV2", gather},
    EvaluationRule{"Identity", identity},
    EvaluationRule{"OnesLike", zeros_or_ones},
    EvaluationRule{"Pack", pack},
    EvaluationRule{"PreventGradient", identity},
    EvaluationRule{"Range", range},
    EvaluationRule{"Rank", measure},
    EvaluationRule{"Reshape", reshape},
    EvaluationRule{"Shape", measure},
    EvaluationRule{"Size", measure},
    EvaluationRule{"Slice", sliced},
    EvaluationRule{"Snapshot", identity},
    EvaluationRule{"Squeeze", squeeze},
    EvaluationRule{"StopGradient", identity},
    EvaluationRule{"StridedSlice", strided_slice},
    EvaluationRule{"Tile", tile},
    EvaluationRule{"Transpose", transpose},
    EvaluationRule{"ZerosLike", zeros_or_ones},
};

}  // namespace

bool measures(std::string_view op) { return op == "Shape" || op == "Size" || op == "Rank"; }

std::optional<KnownTensor> measured(const Node& node, const Shape& shape) {
  if (shape.unknown_rank) return std::nullopt;
  const auto rank = static_cast<int64_t>(shape.dims.size());
  if (node.op == "Rank") return KnownTensor{DType::kInt32, {}, {rank}};
  const auto dtype =
      static_cast<DType>(type_attr(node, "out_type").value_or(static_cast<int>(DType::kInt32)));
  if (node.op == "Shape") {
    Dims dims = shape.dims;
    std::replace(dims.begin(), dims.end(), kUnknownDim, kUnknownElement);
    return KnownTensor{dtype, {rank}, std::move(dims)};
  }
  const Result<uint64_t> count = element_count(shape);
  if (!count || *count > INT32_MAX) return std::nullopt;
  return KnownTensor{dtype, {}, {static_cast<int64_t>(*count)}};
}

std::vector<size_t> strides_of(const std::vector<int64_t>& dims) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;) {
    strides[axis - 1] = strides[axis] * static_cast<size_t>(dims[axis]);
  }
  return strides;
}

std::optional<size_t> count_of(const std::vector<int64_t>& dims, size_t most) {
  size_t count = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) return 0;
    if (static_cast<uint64_t>(dim) > most) return std::nullopt;
    count *= static_cast<size_t>(dim);
    if (count > most) return std::nullopt;
  }
  return count;
}

std::optional<std::vector<int64_t>> broadcast_dims(const std::vector<int64_t>& a,
                                                   const std::vector<int64_t>& b) {
  const std::vector<int64_t>& longer = a.size() < b.size() ? b : a;
  const std::vector<int64_t>& shorter = a.size() < b.size() ? a : b;
  std::vector<int64_t> dims = longer;
  const size_t ahead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& dim = dims[ahead + i];
    if (dim == 1) {
      dim = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != dim) {
      return std::nullopt;
    }
  }
  return dims;
}

BroadcastPlaces::BroadcastPlaces(const std::vector<int64_t>& from, const std::vector<int64_t>& to)
    : to_(to), steps_(to.size(), 0) {
  const std::vector<size_t> strides = strides_of(from);
  const size_t ahead = to.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != 1) steps_[ahead + i] = strides[i];
  }
}

size_t BroadcastPlaces::of(size_t element) const {
  size_t place = 0;
  for (size_t axis = to_.size(); axis-- > 0;) {
    const auto size = static_cast<size_t>(to_[axis]);
    place += element % size * steps_[axis];
    element /= size;
  }
  return place;
}

std::optional<std::vector<size_t>> axes_of(const KnownTensor& axes, size_t rank) {
  std::vector<size_t> places;
  if (axes.is_real()) return std::nullopt;
  for (const int64_t each : axes.whole) {
    const auto axis = each == kUnknownElement ? std::nullopt : axis_of(each, rank);
    if (!axis) return std::nullopt;
    places.push_back(*axis);
  }
  return places;
}

void append_element(const KnownTensor& from, size_t place, KnownTensor& to) {
  if (from.is_real()) {
    to.real.push_back(from.real[place]);
  } else {
    to.whole.push_back(from.whole[place]);
  }
}

bool moves_elements(std::string_view op) {
  return std::any_of(kMoving.begin(), kMoving.end(),
                     [&](const EvaluationRule& entry) { return entry.op == op; });
}

std::optional<KnownTensor> evaluate_layout_op(const Evaluation& of) {
  if (of.inputs.empty()) return std::nullopt;
  for (const EvaluationRule& entry : kMoving) {
    if (entry.op == of.node.op) return entry.rule(of);
  }
  return std::nullopt;
}

}  // namespace cryo
