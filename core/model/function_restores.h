#pragma once

#include <vector>

#include "model/restore_ops.h"

namespace cryo {

// An argument of a function, a variable's handle, that the function assigns a restored value to.
struct RestoredArg {
  size_t arg;
  RestoredFrom from;
};

// What TensorFlow 2 restores, it restores in a function:
//
//     __inference__traced_restore_81(file_prefix, assignvariableop_w, assignvariableop_1_b):
//       RestoreV2(file_prefix, RestoreV2/tensor_names:output:0, ...)
//       Identity_1(RestoreV2:tensors:1)
//       AssignVariableOp_1(assignvariableop_1_b, Identity_1:output:0)      argument 2 <- key 1
//
// Functions that it calls are followed. Empty for a function that is not there.
std::vector<RestoredArg> restores_of_function(const Graph& graph, std::string_view name,
                                              RestoreOps& restores);

// The function that a call (PartitionedCall, StatefulPartitionedCall) names; empty for other ops.
std::string_view called_function(const Node& node);

}  // namespace cryo
