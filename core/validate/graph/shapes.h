#pragma once

#include <optional>
#include <string>

#include "graph/node_attrs.h"
#include "validate/graph/findings.h"

namespace cryo {

// Why TensorFlow refuses a TensorShapeProto, in its words: "Shape [-2,2] has dimensions with values
// below -1 ...". `defined`: every size must be known, as in a Const.
std::optional<std::string> shape_fault(std::string_view tensor_shape_proto, bool defined);

// Reports an attribute that import reads and that is a placeholder outside of a function.
void stays_placeholder(const GraphPlace& spot, const Reporter& reporter);

// Attributes that are shapes: an error where import looks at them, a warning elsewhere.
void check_shape_attrs(const Node& node, const NodeAttrs& attrs, const Reporter& reporter);

// `_output_shapes`: one well-formed shape or more for each output. (Whether they fit the outputs is
// a matter of shape inference.)
void check_output_shapes(const Node& node, const NodeAttrs& attrs, uint64_t outputs,
                         const Reporter& reporter);

}  // namespace cryo
