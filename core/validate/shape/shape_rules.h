#pragma once

#include <string_view>

#include "validate/shape/shape_call.h"

namespace cryo {

// The shape function of an op: gives the shapes of its outputs (fewer than there are: the others
// are unknown), or false and the call's fault where TensorFlow's refuses the inputs.
using ShapeRule = bool (*)(ShapeCall&);

// Returns the rule of an op, never nullptr: an op without its own has the registry's
// (rules::by_registry).
//
// Each rule is that of tensorflow/core/ops, or less strict: TensorFlow refuses everything that is
// refused here.
ShapeRule find_shape_rule(std::string_view op);

namespace rules {

// rules_registry.cc: returns true if the inputs have ranks that the op may take, which is checked
// before any rule; and infers outputs of ops without a rule.
bool ranks_fit(ShapeCall& call);
bool by_registry(ShapeCall& call);
bool sized(ShapeCall& call);

// Merges what two shapes may be broadcast to; false, with a fault, if they cannot.
bool broadcast_shapes(ShapeCall& call, const Shape& a, const Shape& b, Shape& out);

// The same of the dimensions before the last two, of batches of matrices: merged, or broadcast.
// `batch` is unknown if a rank is.
bool batch_of_matrices(ShapeCall& call, const Shape& a, const Shape& b, bool broadcasts,
                       Shape& batch);

// rules_math.cc
bool broadcast(ShapeCall& call);
bool equal(ShapeCall& call);
bool mat_mul(ShapeCall& call);
bool batch_mat_mul(ShapeCall& call);
bool batch_mat_mul_v1(ShapeCall& call);
bool reduce(ShapeCall& call);
bool arg_extreme(ShapeCall& call);
bool add_n(ShapeCall& call);
bool range(ShapeCall& call);
bool lin_space(ShapeCall& call);
bool select(ShapeCall& call);
bool select_v2(ShapeCall& call);
bool join(ShapeCall& call);

// rules_array.cc
bool reshape(ShapeCall& call);
bool expand_dims(ShapeCall& call);
bool squeeze(ShapeCall& call);
bool pack(ShapeCall& call);
bool concat(ShapeCall& call);
bool concat_v2(ShapeCall& call);
bool split(ShapeCall& call);
bool transpose(ShapeCall& call);
bool fill(ShapeCall& call);
bool broadcast_to(ShapeCall& call);
bool random(ShapeCall& call);
bool sparse_to_dense(ShapeCall& call);
bool stateless_random(ShapeCall& call);
bool reverse(ShapeCall& call);
bool parse_example(ShapeCall& call);
bool one_hot(ShapeCall& call);

// rules_shapes.cc
bool enter(ShapeCall& call);
bool placeholder(ShapeCall& call);
bool ensure_shape(ShapeCall& call);
bool variable(ShapeCall& call);
bool by_shape_attr(ShapeCall& call);
bool by_attr_or_input(ShapeCall& call);
bool sizes(ShapeCall& call);
bool constant(ShapeCall& call);
bool merge(ShapeCall& call);
bool branches(ShapeCall& call);
bool loop(ShapeCall& call);

// rules_slice.cc
bool strided_slice(ShapeCall& call);
bool tile(ShapeCall& call);
bool pad(ShapeCall& call);
bool slice(ShapeCall& call);

// rules_list.cc
bool unpack(ShapeCall& call);
bool split_v(ShapeCall& call);
bool unsorted_segment(ShapeCall& call);
bool write_element(ShapeCall& call);
bool scatter_elements(ShapeCall& call);
bool read_element(ShapeCall& call);
bool gather_elements(ShapeCall& call);
bool gather(ShapeCall& call);
bool gather_v2(ShapeCall& call);

// rules_scatter.cc
bool gather_nd(ShapeCall& call);
bool scatter_nd(ShapeCall& call);
bool update_nd(ShapeCall& call);
bool dynamic_partition(ShapeCall& call);
bool dynamic_stitch(ShapeCall& call);
bool reverse_sequence(ShapeCall& call);

// rules_einsum.cc
bool einsum(ShapeCall& call);

// rules_image.cc
bool resize(ShapeCall& call);
bool crop_and_resize(ShapeCall& call);
bool image_patches(ShapeCall& call);

// rules_matrix.cc
bool square(ShapeCall& call);
bool solve(ShapeCall& call);
bool triangular_solve(ShapeCall& call);
bool matrix_set_diag(ShapeCall& call);
bool nth_element(ShapeCall& call);
bool top_k(ShapeCall& call);
bool blocks(ShapeCall& call);

// rules_nn.cc
bool bias_add(ShapeCall& call);
bool depth_and_space(ShapeCall& call);
bool conv(ShapeCall& call);
bool conv_back(ShapeCall& call);
bool of_given_shape(ShapeCall& call);
bool cross_entropy(ShapeCall& call);
bool depthwise_conv_2d(ShapeCall& call);
bool pool(ShapeCall& call);
bool batch_norm(ShapeCall& call);
bool batch_norm_grad(ShapeCall& call);

// rules_state.cc
bool assign(ShapeCall& call);
bool update(ShapeCall& call);
bool read_variable(ShapeCall& call);
bool assign_variable(ShapeCall& call);
bool resource_gather(ShapeCall& call);
bool apply_gradient_descent(ShapeCall& call);
bool restore_v2(ShapeCall& call);
bool save_v2(ShapeCall& call);

}  // namespace rules
}  // namespace cryo
