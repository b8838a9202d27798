#include "compat/fixes_by_freezing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "graph/functions/function_callers.h"

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

// Returns true if inlining or lowering removes it.
bool is_lowered(const Blocker& blocker) {
  return blocker.fix == kFixByLowering || (blocker.fix == kFixByForm && is_call(blocker.op));
}

// Clears the fix of what is lowered: the target refuses a node that lowering adds.
void withdraw_lowering(TargetVerdict& verdict) {
  for (Blocker& each : verdict.blockers) {
    if (is_lowered(each)) each.fix.clear();
  }
}

}  // namespace

bool needs_frozen(const TargetVerdict& verdict) {
  return std::any_of(verdict.blockers.begin(), verdict.blockers.end(),
                     [](const Blocker& each) { return each.fix.empty() || is_lowered(each); });
}

void add_fixes(TargetVerdict& verdict, const TargetVerdict& frozen, std::string_view fix) {
  std::set<Cause> causes;
  for (const Blocker& each : verdict.blockers) causes.insert(cause_of(each));
  const auto is_new = [&](const Blocker& each) {
    return !is_covered(each) && !causes.contains(cause_of(each));
  };
  const auto is_new_and_stays = [&](const Blocker& each) {
    return is_new(each) && each.fix.empty();
  };
  const std::vector<Blocker>& then = frozen.blockers;
  if (std::any_of(then.begin(), then.end(), is_new_and_stays)) withdraw_lowering(verdict);
  if (std::any_of(then.begin(), then.end(), is_new)) return;
  std::map<Cause, std::string_view> remaining;  // with the further option that removes it
  for (const Blocker& each : then) {
    if (each.fix == kFixByClearing) continue;
    const std::string_view further = is_covered(each) ? kFixByForm : std::string_view(each.fix);
    const auto [place, added] = remaining.emplace(cause_of(each), further);
    if (!added && each.fix.empty()) place->second = "";
  }
  for (Blocker& each : verdict.blockers) {
    if (!each.fix.empty()) continue;
    const auto left = remaining.find(cause_of(each));
    each.fix = left == remaining.end() ? fix : left->second;
  }
}

}  // namespace cryo
