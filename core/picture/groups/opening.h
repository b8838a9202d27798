#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/pattern/globs.h"
#include "picture/groups/group_tree.h"

namespace cryo {

// Which groups of a picture are open. Without either: those with the largest shares of inference
// nodes, stacks excepted, until about 80 boxes are in view.
struct ViewChoice {
  Globs groups = {};                   // by their names, together with those around them
  std::optional<uint64_t> depth = {};  // all with fewer groups around them
};

// Returns the state of each group: true if it is open. The root is open. Any other group is open
// only if its parent is.
std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening);

}  // namespace cryo
