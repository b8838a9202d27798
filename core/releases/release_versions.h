#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cryo {

// The graph version (TF_GRAPH_DEF_VERSION) of a TensorFlow release.
struct ReleaseVersion {
  std::string_view name;  // "1.15"
  int graph_version;
};

// Returns those of core/data/op_histories.bin, which not every host has loaded; oldest first.
std::span<const ReleaseVersion> release_versions();

// Returns the releases that write a producer version: "TensorFlow 1.6 to 1.10", "a build between
// TensorFlow 2.3 and 2.4", "TensorFlow after 2.21"; empty for 0, which is no release's.
std::string made_by(int producer);

// Returns the first release that takes a graph with a min_consumer version: "1.3"; empty if all of
// release_versions() do, or none does.
std::string_view loads_from(int min_consumer);

}  // namespace cryo
