#include <map>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

// The sides of an equation, "..." as ".": "...ij,jk->...ik" becomes { ".ij", "jk" } and ".ik".
struct Equation {
  std::vector<std::string> inputs = {};
  std::string output = {};
};

bool parse(ShapeCall& call, Equation& parsed) {
  const std::string text(call.text_attr("equation"));
  std::vector<std::string> sides = {""};
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("->")) {
      sides.emplace_back();
      ++i;
    } else if (rest.starts_with("...")) {
      sides.back() += '.';
      i += 2;
    } else {
      sides.back() += text[i];
    }
  }
  if (sides.size() != 2) {
    return call.fail("Expecting exactly one '->' in einsum equation: ", text);
  }
  for (const std::string_view input : cryo::split(sides[0], ',')) parsed.inputs.emplace_back(input);
  parsed.output = sides[1];
  if (parsed.inputs.empty()) parsed.inputs.emplace_back();
  if (parsed.inputs.size() > 2) {
    return call.fail("Expecting 1 or 2 input subscripts in equation '", text,
                     "' but got: ", parsed.inputs.size());
  }
  if (parsed.inputs.size() != call.size()) {
    return call.fail("Expected ", parsed.inputs.size(), " inputs for equation ", text,
                     " but got: ", call.size());
  }
  return true;
}

// Sizes by their labels.
using Sizes = std::map<char, int64_t>;

// Notes the sizes of an input's labels, and what its ellipsis stands for.
bool take(ShapeCall& call, const std::string& labels, const Shape& in, Sizes& sizes,
          Shape& ellipsis) {
  const size_t dots = labels.find('.');
  const bool open = dots != labels.npos;
  if (open && labels.find('.', dots + 1) != labels.npos) {
    return call.fail("Ellipsis must appear at most once in einsum subscripts: ", labels);
  }
  const size_t named = labels.size() - (open ? 1 : 0);
  if (open ? !call.rank_at_least(in, named) : !call.rank(in, named)) return false;
  ellipsis = {};
  if (open) {
    ellipsis =
        in.unknown_rank ? unknown_shape() : sub_shape(in, dots, dots + in.dims.size() - named);
  }
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == '.') continue;
    const auto from_end = static_cast<int64_t>(i) - static_cast<int64_t>(labels.size());
    const bool after = open && i > dots;
    const int64_t size = dim_of(in, after ? from_end : static_cast<int64_t>(i));
    const auto known = sizes.emplace(labels[i], size).first;
    if (!call.merge_dims(known->second, size, known->second)) return false;
  }
  return true;
}

}  // namespace

// Einsum (tensorflow/core/framework/common_shape_fns.cc, EinsumShape).
bool einsum(ShapeCall& call) {
  Equation equation;
  if (!parse(call, equation)) return false;
  Sizes sizes;
  Shape ellipsis;
  for (size_t i = 0; i < call.size(); ++i) {
    Shape own;
    if (!take(call, equation.inputs[i], call.input(i), sizes, own)) return false;
    if (i == 0) ellipsis = own;
    if (i == 1 && !broadcast_shapes(call, ellipsis, own, ellipsis)) return false;
  }
  const bool open = equation.output.find('.') != equation.output.npos;
  if (!open && !call.rank_at_most(ellipsis, 0)) return false;
  if (open && ellipsis.unknown_rank) return true;
  Shape out;
  for (const char label : equation.output) {
    if (label == '.') {
      out.dims.insert(out.dims.end(), ellipsis.dims.begin(), ellipsis.dims.end());
      continue;
    }
    const auto size = sizes.find(label);
    if (size == sizes.end()) {
      return call.fail("Einsum output subscripts for equation '", call.text_attr("equation"),
                       "' has label '", std::string(1, label),
                       "' which is not present in the input subscripts");
    }
    out.dims.push_back(size->second);
  }
  call.output(std::move(out));
  return true;
}

}  // namespace cryo::rules
