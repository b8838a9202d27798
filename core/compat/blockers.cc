#include "compat/blockers.h"

namespace cryo {

Blocker blocker_of(const Node& node, const NodeFault& fault, std::string_view function) {
  return {.function = std::string(function),
          .node = std::string(node.name),
          .op = std::string(node.op),
          .attr = std::string(fault.attr),
          .why = fault.why,
          .fix = fault.fix,
          .stops_loading = fault.stops_loading};
}

void Blockers::add(Blocker blocker, std::string_view cause) {
  const Key key(blocker.function, blocker.op, blocker.attr,
                cause.empty() ? std::string_view(blocker.why) : cause);
  const auto found = places_.find(key);
  if (found != places_.end()) {
    Blocker& listed = all_[found->second];
    ++listed.count;
    if (blocker.fix.empty()) listed.fix.clear();
    return;
  }
  const bool is_first_to_stop = blocker.stops_loading && !stops_loading_;
  if (all_.size() >= kMostBlockers && !is_first_to_stop) return;
  stops_loading_ = stops_loading_ || blocker.stops_loading;
  places_.emplace(key, all_.size());
  blocker.count = 1;
  all_.push_back(std::move(blocker));
}

}  // namespace cryo
