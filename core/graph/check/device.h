#pragma once

#include "graph/check/findings.h"
#include "graph/node.h"

namespace cryo {

// Whether TensorFlow can read a device's name: "/job:worker/replica:0/task:1/device:GPU:0", any
// part left out, "/gpu:0", "*" for a number.
bool is_device(std::string_view device);

// A warning where it cannot: import does not look at devices.
void check_device(const Node& node, const Reporter& reporter);

}  // namespace cryo
