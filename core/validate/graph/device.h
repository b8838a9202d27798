#pragma once

#include "graph/node.h"
#include "graph/op_def.h"
#include "validate/graph/findings.h"

namespace cryo {

// Returns true if TensorFlow can parse a device's name: "/job:worker/replica:0/task:1/device:GPU:0"
// in which any part may be absent, "/gpu:0", "*" for a number.
bool is_device(std::string_view device);

// Returns whether Python's DeviceSpec can parse it, which import_graph_def does with the device of
// each node. Source: device_spec.py, _string_to_components.
bool is_python_device(std::string_view device);

// Returns true if a session of one process without other devices than a CPU has the device. The
// empty name is any device.
bool is_own_cpu(std::string_view device);

// Reports a device that TensorFlow cannot read: an error where Python's importer refuses it (a node
// of the main graph that is not colocated), else a warning, for a session refuses to run the node.
// Also warns of the first node that is to run in another process.
void check_device(const Node& node, std::string_view device, const Reporter& reporter);

// Checks that the op has a kernel for a CPU if the node does not name another device. Import does
// not look for kernels. REQUIRES: an op, not a function.
void check_kernel(const Node& node, std::string_view device, const OpDef& op,
                  const Reporter& reporter);

}  // namespace cryo
