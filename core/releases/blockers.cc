#include "releases/blockers.h"

namespace cryo {

void Blockers::add(const Node& node, const NodeFault& fault, std::string_view function) {
  add({.function = std::string(function),
       .node = std::string(node.name),
       .op = std::string(node.op),
       .attr = std::string(fault.attr),
       .why = fault.why,
       .fix = fault.fix,
       .stops_loading = fault.stops_loading});
  if (!function.empty() || !fault.fix.empty() || unfixed_.size() >= kMaxUnfixed) return;
  const auto index = static_cast<uint32_t>(&node - nodes_.get().data());
  if (unfixed_.empty() || unfixed_.back() != index) unfixed_.push_back(index);
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
  if (all_.size() >= kMaxBlockers && !is_first_to_stop) return;
  stops_loading_ = stops_loading_ || blocker.stops_loading;
  places_.emplace(key, all_.size());
  blocker.count = 1;
  all_.push_back(std::move(blocker));
}

}  // namespace cryo
