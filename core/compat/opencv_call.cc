#include "compat/opencv_call.h"

#include <algorithm>
#include <iterator>

namespace cryo {
namespace {

bool is_float(DType type) { return type == DType::kFloat || type == DType::kHalf; }

bool is_readable(const OpencvConstant& constant) {
  if (constant.stored == 0) return false;
  if (constant.dtype == DType::kQuint8) return constant.in_content;
  return is_float(constant.dtype) || constant.dtype == DType::kDouble ||
         constant.dtype == DType::kInt32;
}

}  // namespace

std::vector<uint32_t> OpencvCall::readers(std::string_view op) const {
  const std::vector<uint32_t>& all = graph_.readers(node_);
  std::vector<uint32_t> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](uint32_t each) { return graph_[each].op == op; });
  return found;
}

bool OpencvCall::has_constant(size_t place) const {
  if (place >= inputs().size()) return false;
  const OpencvInput& input = inputs()[place];
  return input.node != kNoNode && !input.control && input.port == 0 &&
         OpencvGraph::is_value(graph_[input.node].op);
}

std::vector<size_t> OpencvCall::constants() const {
  std::vector<size_t> places;
  for (size_t i = 0; i < inputs().size(); ++i) {
    if (has_constant(i)) places.push_back(i);
  }
  return places;
}

bool OpencvCall::has_inputs(size_t count) {
  if (inputs().size() == count) return true;
  return fail("it has ", plural(inputs().size(), "input"), ", not ", count);
}

bool OpencvCall::has_attr(std::string_view attr) {
  return find_attr(definition(), attr) ? true : fail("it has no attribute '", attr, "'");
}

bool OpencvCall::is_numbers(size_t place) {
  if (!has_constant(place)) return fail("input ", place, " is no constant");
  return is_readable(constant(place)) ? true : fail("it cannot read the constant of input ", place);
}

bool OpencvCall::is_integers(size_t place) {
  if (!is_numbers(place)) return false;
  return constant(place).dtype == DType::kInt32 ? true : fail("input ", place, " is not of int32");
}

bool OpencvCall::is_integers(size_t place, uint64_t stored) {
  if (!is_integers(place)) return false;
  const uint64_t found = constant(place).stored;
  return found == stored
             ? true
             : fail("input ", place, " stores ", plural(found, "element"), ", not ", stored);
}

bool OpencvCall::is_axis(size_t place) {
  if (!is_integers(place)) return false;
  return constant(place).in_content ? fail("input ", place, " is stored as bytes") : true;
}

bool OpencvCall::is_floats(size_t place) {
  if (!is_numbers(place)) return false;
  return is_float(constant(place).dtype) ? true : fail("input ", place, " is not of float32");
}

bool OpencvCall::is_weights(size_t place) {
  if (!is_numbers(place)) return false;
  const OpencvConstant& value = constant(place);
  if (!is_float(value.dtype) && value.dtype != DType::kDouble) {
    return fail("input ", place, " is not of float32");
  }
  if (value.stored == value.elements) return true;
  return fail("input ", place, " stores ", plural(value.stored, "element"), " of ", value.elements);
}

}  // namespace cryo
