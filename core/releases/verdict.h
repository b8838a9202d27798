#pragma once

#include <string>
#include <vector>

#include "releases/blockers.h"

namespace cryo {

// How a release or another runtime takes a graph.
struct TargetVerdict {
  std::string name = {};     // "tensorflow-1.15", "tfjs"
  std::string version = {};  // of a runtime; empty for a release
  std::vector<Blocker> blockers = {};
  // The main graph's nodes with a blocker without a fix; the first kMaxUnfixed of them.
  std::vector<uint32_t> unfixed = {};

  // The fewest options of freeze that remove all blockers, "freeze with --for tensorflow-1.4"; else
  // a part of the graph that has none, "without the first 3 of 8 layers: freeze with --inputs
  // Mfcc". Empty if there is none. find_fixes() names them (compat/find_fixes.h).
  std::string fix = {};
  std::string cut = {};

  bool loads() const;
  bool runs() const { return blockers.empty(); }  // on the CPU: each node has a kernel
};

}  // namespace cryo
