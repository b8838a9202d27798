#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "graph/evaluate/evaluation.h"

namespace cryo {
namespace {

using Known = std::optional<KnownTensor>;
using Dims = std::vector<int64_t>;

// A range along each axis: of Slice and StridedSlice.
struct AxisRange {
  int64_t begin = 0;
  int64_t step = 1;
  int64_t count = 0;
  bool shrinks = false;  // the axis goes
};

Known take_ranges(const Evaluation& of, const KnownTensor& a, const std::vector<AxisRange>& ranges,
                  const Dims& dims) {
  const std::vector<size_t> strides = strides_of(a.dims);
  Dims whole;  // with 1 for the axes that go, without new ones
  for (const AxisRange& each : ranges) whole.push_back(each.count);
  Known made = gather_elements(of, a, std::move(whole), [&](const std::vector<size_t>& at) {
    size_t place = 0;
    for (size_t axis = 0; axis < at.size(); ++axis) {
      const int64_t index = ranges[axis].begin + ranges[axis].step * static_cast<int64_t>(at[axis]);
      place += static_cast<size_t>(index) * strides[axis];
    }
    return place;
  });
  if (made) made->dims = dims;
  return made;
}

// A bound of StridedSlice within [least, most]; a masked one is the first or last of its direction.
int64_t bound(int64_t wanted, bool masked, int64_t size, int64_t step, bool is_begin) {
  const int64_t least = step > 0 ? 0 : -1;
  const int64_t most = step > 0 ? size : size - 1;
  if (masked) return is_begin == (step > 0) ? least : most;
  return std::clamp(wanted < 0 ? wanted + size : wanted, least, most);
}

}  // namespace

std::optional<KnownTensor> sliced(const Evaluation& of) {
  if (of.inputs.size() != 3) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  const KnownTensor& begin = *of.inputs[1];
  const KnownTensor& size = *of.inputs[2];
  const size_t rank = a.dims.size();
  if (begin.whole.size() != rank || size.whole.size() != rank) return std::nullopt;
  if (!is_wholly_known(begin) || !is_wholly_known(size)) return std::nullopt;
  std::vector<AxisRange> ranges;
  Dims dims;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t first = begin.whole[axis];
    if (first < 0 || first > a.dims[axis]) return std::nullopt;
    const int64_t rest = a.dims[axis] - first;
    const int64_t count = size.whole[axis] == -1 ? rest : size.whole[axis];
    if (count < 0 || count > rest) return std::nullopt;
    ranges.push_back({first, 1, count});
    dims.push_back(count);
  }
  return take_ranges(of, a, ranges, dims);
}

// x[begin:end:step, ...]: a bit of a mask for each of them
// (tensorflow/core/util/strided_slice_op.cc).
std::optional<KnownTensor> strided_slice(const Evaluation& of) {
  if (of.inputs.size() != 4) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  for (size_t i = 1; i < 4; ++i) {
    const KnownTensor& each = *of.inputs[i];
    if (!is_wholly_known(each) || each.whole.size() != of.inputs[1]->whole.size()) {
      return std::nullopt;
    }
  }
  const auto mask = [&](std::string_view name) { return int_attr(of.node, name).value_or(0); };
  const int64_t begin_mask = mask("begin_mask");
  const int64_t end_mask = mask("end_mask");
  const int64_t new_axis_mask = mask("new_axis_mask");
  const int64_t shrink_mask = mask("shrink_axis_mask");
  if (mask("ellipsis_mask") != 0 || of.inputs[1]->whole.size() > 32) return std::nullopt;
  std::vector<AxisRange> ranges;
  Dims dims;
  for (size_t i = 0; i < of.inputs[1]->whole.size(); ++i) {
    const int64_t bit = int64_t{1} << i;
    if ((new_axis_mask & bit) != 0) {
      dims.push_back(1);
      continue;
    }
    const size_t axis = ranges.size();
    if (axis >= a.dims.size()) return std::nullopt;
    const int64_t size = a.dims[axis];
    const int64_t wanted = of.inputs[1]->whole[i];
    const int64_t step = of.inputs[3]->whole[i];
    if (std::abs(wanted) > INT32_MAX || std::abs(of.inputs[2]->whole[i]) > INT32_MAX ||
        std::abs(step) > INT32_MAX || step == 0) {
      return std::nullopt;
    }
    if ((shrink_mask & bit) != 0) {
      const int64_t index = wanted < 0 ? wanted + size : wanted;
      if (step <= 0 || (begin_mask & bit) != 0 || index < 0 || index >= size) return std::nullopt;
      ranges.push_back({index, 1, 1, true});
      continue;
    }
    const int64_t begin = bound(wanted, (begin_mask & bit) != 0, size, step, true);
    const int64_t end = bound(of.inputs[2]->whole[i], (end_mask & bit) != 0, size, step, false);
    const int64_t length = step > 0 ? end - begin : begin - end;
    const int64_t count = length <= 0 ? 0 : (length - 1) / std::abs(step) + 1;
    ranges.push_back({begin, step, count});
    dims.push_back(count);
  }
  for (size_t axis = ranges.size(); axis < a.dims.size(); ++axis) {
    ranges.push_back({0, 1, a.dims[axis]});
    dims.push_back(a.dims[axis]);
  }
  return take_ranges(of, a, ranges, dims);
}

}  // namespace cryo
