#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/function_ref.h"
#include "base/pattern/globs.h"
#include "picture/groups/group_tree.h"

namespace cryo {

// Which groups of a picture are open. Without either: the first view.
struct ViewChoice {
  Globs groups = {};                   // by their names, together with those around them
  std::optional<uint64_t> depth = {};  // all with fewer groups around them

  bool is_first_view() const { return groups.empty() && !depth; }
};

// Returns the state of each group: true if it is open. The root is open. Any other group is open
// only if its parent is. REQUIRES: not the first view.
std::vector<bool> open_groups(const GroupTree& tree, const ViewChoice& opening);

// Returns the groups that are open in the first view: from the root on each time the one with the
// largest benefit that leaves the view at 25 boxes and fits. The benefit of a group is its share of
// the weights and of the layers on ways from inputs to outputs: a group without either stays
// closed. Stacks are opened only while there are fewer than 12 boxes, and so are single layers, all
// together if that fits. More than 25 boxes are there only then, or if one group has most of the
// network.
std::vector<bool> open_by_benefit(const GroupTree& tree,
                                  FunctionRef<bool(const std::vector<bool>&)> fits);

}  // namespace cryo
