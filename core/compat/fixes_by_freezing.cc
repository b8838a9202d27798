#include "compat/fixes_by_freezing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace cryo {
namespace {

// A cause in whichever function: inlining changes that and the node's name.
using Cause = std::pair<std::string_view, std::string_view>;

Cause cause_of(const Blocker& blocker) {
  const bool is_of_node = !blocker.op.empty();
  return {blocker.op, is_of_node ? blocker.attr : blocker.why};
}

// Returns true if freezing for a release removes it, or permits it: the machine that runs the
// result may have the devices.
bool is_covered(const Blocker& blocker) {
  return blocker.fix == kFixByForm || blocker.fix == kFixByStripping ||
         blocker.fix == kFixByClearing;
}

}  // namespace

void add_fixes(TargetVerdict& verdict, const TargetVerdict& frozen, std::string_view fix) {
  std::set<Cause> causes;
  for (const Blocker& each : verdict.blockers) causes.insert(cause_of(each));
  std::map<Cause, std::string_view> remaining;  // with the further option that removes it
  for (const Blocker& each : frozen.blockers) {
    if (is_covered(each)) continue;
    if (!causes.contains(cause_of(each))) return;
    std::string_view& further = remaining.emplace(cause_of(each), each.fix).first->second;
    if (each.fix.empty()) further = "";
  }
  for (Blocker& each : verdict.blockers) {
    if (!each.fix.empty()) continue;
    const auto left = remaining.find(cause_of(each));
    each.fix = left == remaining.end() ? fix : left->second;
  }
}

}  // namespace cryo
