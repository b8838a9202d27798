#include "graph/tensor_info.h"
#include "validate/shape/shape_rules.h"

namespace cryo::rules {

// Enter: a loop variable may have another shape in a later iteration.
bool enter(ShapeCall& call) {
  const bool same = call.values().behind_handle(0) == nullptr && call.flag("is_constant");
  call.output(same ? call.input(0) : unknown_shape());
  return true;
}

bool placeholder(ShapeCall& call) {
  call.output(
      placeholder_shape(call.shape_attr("shape").value_or(unknown_shape()), call.producer()));
  return true;
}

// The older op of variables, which represents a scalar as unknown.
bool variable(ShapeCall& call) {
  const Shape shape = call.shape_attr("shape").value_or(unknown_shape());
  call.output(shape.dims.empty() ? unknown_shape() : shape);
  return true;
}

bool by_shape_attr(ShapeCall& call) {
  call.output(call.shape_attr("shape").value_or(unknown_shape()));
  return true;
}

// PlaceholderWithDefault: the default must be one of the shape's.
bool by_attr_or_input(ShapeCall& call) {
  Shape out = call.shape_attr("shape").value_or(unknown_shape());
  Shape merged;
  if (!call.merge(call.input(0), out, merged)) return false;
  call.output(std::move(out));
  return true;
}

bool ensure_shape(ShapeCall& call) {
  const Shape wanted = call.shape_attr("shape").value_or(unknown_shape());
  if (!wanted.unknown_rank && !call.rank(call.input(0), wanted.dims.size())) return false;
  Shape out;
  if (!call.merge(wanted, call.input(0), out)) return false;
  call.output(std::move(out));
  return true;
}

// Shape and ShapeN: vectors of as many sizes as the inputs have dimensions.
bool sizes(ShapeCall& call) {
  for (size_t i = 0; i < call.size(); ++i) {
    const Shape& of = call.input(i);
    call.output({false, {of.unknown_rank ? kUnknownDim : static_cast<int64_t>(of.dims.size())}});
  }
  return true;
}

bool constant(ShapeCall& call) {
  call.output(call.tensor_shape("value").value_or(unknown_shape()));
  return true;
}

// Merge: the common part of all inputs' shapes; the shape from a loop's back edge is not known yet.
bool merge(ShapeCall& call) {
  Shape out = call.input(0);
  for (size_t i = 1; i < call.size() && !out.unknown_rank; ++i) {
    const Shape& other = call.input(i);
    if (other.unknown_rank || other.dims.size() != out.dims.size()) {
      out = unknown_shape();
      break;
    }
    for (size_t d = 0; d < out.dims.size(); ++d) {
      if (other.dims[d] != out.dims[d]) out.dims[d] = kUnknownDim;
    }
  }
  call.output(std::move(out));
  call.output({});
  return true;
}

// If, Case: the attribute output_shapes has the shapes of the branches' results; without it they
// are unknown.
bool branches(ShapeCall& call) {
  const std::vector<Shape> noted = call.shapes_attr("output_shapes");
  const uint64_t outputs = call.tensors_of(call.op().outputs[0]);
  if (!noted.empty() && noted.size() != outputs) {
    return call.fail("`output_shapes` must be the same length as num outputs (", noted.size(),
                     " vs. ", outputs);
  }
  for (const Shape& shape : noted) call.output(shape);
  return true;
}

// While: without the attribute the outputs have the inputs' shapes.
bool loop(ShapeCall& call) {
  if (!branches(call)) return false;
  if (!call.outputs().empty()) return true;
  for (size_t i = 0; i < call.size(); ++i) call.output(call.input(i));
  return true;
}

}  // namespace cryo::rules
