#include "releases/verdict.h"

#include <algorithm>

namespace cryo {

bool TargetVerdict::loads() const {
  return std::none_of(blockers.begin(), blockers.end(),
                      [](const Blocker& each) { return each.stops_loading; });
}

}  // namespace cryo
