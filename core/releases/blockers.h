#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "releases/node_faults.h"

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

// A graph may have a cause at every byte, and a blocker is listed for each release.
constexpr size_t kMaxBlockers = 200;

// More nodes whose blockers have no fix are not noted.
constexpr size_t kMaxUnfixed = 10'000;

// The blockers of a target, grouped by cause.
class Blockers {
 public:
  // `nodes`: of the main graph; they outlive it.
  explicit Blockers(const std::vector<Node>& nodes) : nodes_(nodes) {}

  // Adds a node's fault. `function`: whose body has the node; empty: the main graph.
  void add(const Node& node, const NodeFault& fault, std::string_view function = "");
  // `cause`: a short name of it; empty: its text. Beyond kMaxBlockers causes, keeps only one that
  // stops loading, if none does yet.
  void add(Blocker blocker, std::string_view cause = "");
  std::vector<Blocker> take() { return std::move(all_); }
  // Returns the nodes of the main graph with a fault without a fix.
  std::vector<uint32_t> take_unfixed() { return std::move(unfixed_); }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  std::reference_wrapper<const std::vector<Node>> nodes_;
  std::vector<uint32_t> unfixed_;
  std::map<Key, size_t> places_;
  std::vector<Blocker> all_;
  bool stops_loading_ = false;
};

}  // namespace cryo
