#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cryo {

// Returns the name of the same node in the first replica, where a strategy for several devices
// (tf.distribute.MirroredStrategy) made one for each; nullopt for a node of the first replica, and
// for all others:
//
//     "replica_1/dense/MatMul"   "dense/MatMul"
//     "dense/kernel/replica_1"   "dense/kernel"       a mirrored variable
std::optional<std::string> name_in_first_replica(std::string_view name);

}  // namespace cryo
