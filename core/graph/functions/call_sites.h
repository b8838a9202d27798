#pragma once

#include <vector>

#include "graph/functions/function_callers.h"
#include "graph/functions/function_view.h"
#include "graph/graph.h"

namespace cryo {

constexpr uint32_t kMainGraph = 0xFFFFFFFF;

// A node that hands its inputs to functions of the library: to both branches of an If, to the
// condition and the body of a While, or to the one that is its op.
struct CallSite {
  uint32_t owner = kMainGraph;             // the function in whose body it is
  uint32_t node = 0;                       // among the owner's nodes
  const FunctionCaller* caller = nullptr;  // null: its op is the function's name
  std::vector<uint32_t> functions = {};    // a While's condition first, then its body
};

// The functions of a graph's library, by their places in it, and who calls them.
struct CallSites {
  std::vector<FunctionView> views = {};
  std::vector<CallSite> sites = {};
  std::vector<bool> reached = {};  // by calls from the main graph

  // Also known otherwise than by calls: to an op that is no caller (a data set's map), to a
  // gradient; or looping in one call and not in another. Their arguments are not ours to change.
  std::vector<bool> fixed = {};

  // Returns a node of a site's owner.
  const Node& node_of(const Graph& graph, const CallSite& site) const {
    return site.owner == kMainGraph ? graph.nodes()[site.node] : views[site.owner].nodes[site.node];
  }
};

// REQUIRES: the graph outlives it. Fails where a body cannot be read.
Result<CallSites> find_call_sites(const Graph& graph);

// Returns true if the function is a While's body, which returns its arguments.
bool is_loop_body(const CallSite& site, uint32_t function);

}  // namespace cryo
