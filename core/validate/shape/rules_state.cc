#include "validate/shape/shape_rules.h"

namespace cryo::rules {

// Assign: the value has the variable's shape, unless it need not.
bool assign(ShapeCall& call) {
  if (!call.flag("validate_shape")) {
    call.output(call.input(1));
    return true;
  }
  return update(call);
}

// AssignAdd, AssignSub.
bool update(ShapeCall& call) {
  Shape both;
  if (!call.merge(call.input(0), call.input(1), both)) return false;
  call.output(std::move(both));
  return true;
}

bool read_variable(ShapeCall& call) {
  const Shape* shape = call.values().behind_handle(0);
  call.output(shape != nullptr ? *shape : unknown_shape());
  return true;
}

bool assign_variable(ShapeCall& call) {
  const Shape* shape = call.values().behind_handle(0);
  Shape both;
  return shape == nullptr || call.merge(*shape, call.input(1), both);
}

// ResourceGather(handle, indices): along the dimension after `batch_dims` ones that both share.
bool resource_gather(ShapeCall& call) {
  const Shape* params = call.values().behind_handle(0);
  const Shape& indices = call.input(1);
  const int64_t batch = call.int_attr("batch_dims").value_or(0);
  if (params == nullptr || params->unknown_rank) return true;
  if (batch < 0) return call.fail("batch_dims is negative (", batch, ")");
  const auto dims = static_cast<size_t>(batch);
  if (!call.rank_at_least(*params, dims + 1) || !call.rank_at_least(indices, dims)) return false;
  if (indices.unknown_rank) return true;
  call.output(joined(joined(sub_shape(*params, 0, dims), sub_shape(indices, dims)),
                     sub_shape(*params, dims + 1)));
  return true;
}

// var, alpha, delta.
bool apply_gradient_descent(ShapeCall& call) {
  Shape both;
  if (!call.rank(call.input(1), 0)) return false;
  if (!call.merge(call.input(0), call.input(2), both)) return false;
  call.output(std::move(both));
  return true;
}

// prefix, names, slices.
bool restore_v2(ShapeCall& call) {
  Shape count;
  call.values().ints(2);  // TensorFlow looks at it, which has to be readable then
  const auto slices = call.values().constant(2);
  if (slices && slices->dtype != DType::kString) {
    return call.fail("Expected an input tensor of type string.");
  }
  if (slices && slices->count != call.tensors_of(call.op().outputs[0])) {
    return call.fail("The number of shape_and_slice doesn't match tensor outputs.");
  }
  return call.merge(call.input(1), call.input(2), count);
}

bool save_v2(ShapeCall& call) {
  if (!call.rank(call.input(0), 0)) return false;
  for (size_t i = 1; i < 3; ++i) {
    if (!call.rank(call.input(i), 1)) return false;
    const int64_t names = dim_of(call.input(i), 0);
    const auto saved = static_cast<int64_t>(call.size() - 3);
    if (names != kUnknownDim && names != saved) {
      return call.fail("Dimension must be ", saved, " but is ", names);
    }
  }
  return true;
}

}  // namespace cryo::rules
