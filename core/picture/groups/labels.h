#pragma once

#include <string>
#include <string_view>

#include "picture/groups/group_tree.h"

namespace cryo {

// Returns what labels of repeats share: the label without its numbers and the letter after them:
// "Mixed_5b" and "Mixed_6" have the stem "Mixed_".
std::string stem_of(std::string_view label);

// Returns the label of a run: "block_1 to 16", "Mixed_5b to 5d"; empty if the labels have nothing
// in common that names them.
std::string range_label(std::string_view first, std::string_view last);

// Returns the range_label() of the first and the last of some units; empty if their names are those
// of their ops.
std::string run_label(const GroupTree& tree, const std::vector<uint32_t>& units);

// Returns the label of units without a common name: "8 × Conv2D" by the most frequent op of its
// layers, else "12 steps".
std::string content_label(const GroupTree& tree, const std::vector<uint32_t>& units);

// Returns true for a name that says no more than the op: "Relu_3" of Relu.
bool is_name_of_op(std::string_view name, std::string_view op);

}  // namespace cryo
