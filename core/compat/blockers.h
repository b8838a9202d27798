#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compat/node_faults.h"

namespace cryo {

// A cause that stops a release or runtime, with the first node that has it.
struct Blocker {
  std::string function = {};  // that has the node in its body; empty: the main graph
  std::string node = {};      // empty if the cause is no node's
  std::string op = {};
  std::string attr = {};
  std::string why = {};
  std::string fix = {};       // the option that removes it from all its nodes; empty if none does
  uint64_t count = 0;         // nodes that have the cause
  bool stops_loading = true;  // false: it loads, and does not run
};

// `function`: whose body has the node; empty: the main graph.
Blocker blocker_of(const Node& node, const NodeFault& fault, std::string_view function);

// A graph may have a cause at every byte, and a blocker is listed for each release.
constexpr size_t kMostBlockers = 200;

// The blockers of a target, grouped by cause.
class Blockers {
 public:
  // `cause`: a short name of it; empty: its text. Beyond kMostBlockers causes, keeps only one that
  // stops loading, if none does yet.
  void add(Blocker blocker, std::string_view cause = "");
  std::vector<Blocker> take() { return std::move(all_); }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  std::map<Key, size_t> places_;
  std::vector<Blocker> all_;
  bool stops_loading_ = false;
};

}  // namespace cryo
