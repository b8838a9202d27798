#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/node_attrs.h"

namespace cryo {

// The values of an attribute that a kernel or a runtime takes: types, or texts ("NHWC").
struct AttrLimit {
  std::string attr = {};
  uint64_t types = 0;  // as bits
  std::vector<std::string> texts = {};
};

// Attributes without a limit may have any value.
using AttrLimits = std::vector<AttrLimit>;

// Returns true if a node, or its op by default, gives the attribute a value within the limit.
bool is_within(const NodeAttrs& attrs, const AttrLimit& limit);

// Returns an attribute's value as a person reads it: "float64", "NCHW"; "such types" for a list.
std::string value_text(std::string_view attr_value);

}  // namespace cryo
