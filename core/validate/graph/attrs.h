#pragma once

#include <optional>
#include <string>

#include "graph/node_attrs.h"
#include "validate/graph/findings.h"

namespace cryo {

struct AttrFault {
  std::string_view code;
  std::string message;
};

// Returns the fault that TensorFlow's AttrValueHasType finds: the value is not of the expected
// kind, or a type is not one.
std::optional<AttrFault> value_fault(const AttrValue& value, const AttrDef& wanted);

// The minimum and the allowed values of a definition, for a value of the right kind.
std::optional<AttrFault> constraint_fault(const AttrValue& value, const AttrDef& wanted);

// Returns true if the default can replace the value: the attribute is present, but empty.
bool takes_default(const AttrFault& fault, const AttrDef& wanted);

// Checks every attribute of a node of a main graph: missing, wrong kind, out of range, not allowed,
// not known (which TensorFlow only logs). `producers`: the op as the graph's producer had it; null
// if unknown.
void check_attrs(const Node& node, const NodeAttrs& attrs, const OpDef* producers,
                 const Reporter& reporter);

// Attributes that have a default and are not there, in a graph or in a body: TensorFlow fills them
// in.
void check_left_out(const Node& node, const NodeAttrs& attrs, const Reporter& reporter);

}  // namespace cryo
