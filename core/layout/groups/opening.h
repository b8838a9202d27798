#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/pattern/globs.h"
#include "layout/groups/group_tree.h"

namespace cryo {

// Which groups of a picture are open. Without either: those with the largest shares of inference
// nodes, stacks excepted, until about 80 boxes are in view.
struct ViewChoice {
  Globs groups = {};                   // by their names, together with those around them
  std::optional<uint64_t> depth = {};  // all with fewer groups around them
};

// By group; the root is open. A group is open only if the one around it is.
std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening);

}  // namespace cryo
