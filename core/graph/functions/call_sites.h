#pragma once

#include <vector>

#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/graph.h"

namespace cryo {

constexpr uint32_t kMainGraph = 0xFFFFFFFF;

// A node that passes its inputs to functions of the library: to both branches of an If, to the
// condition and the body of a While, or to the one that is its op.
struct CallSite {
  uint32_t owner = kMainGraph;             // the function in whose body it is
  uint32_t node = 0;                       // among the owner's nodes
  const FunctionCaller* caller = nullptr;  // null: its op is the function's name
  std::vector<uint32_t> functions = {};    // a While's condition first, then its body
};

// The functions of a graph's library, by their places in it, and who calls them.
struct CallSites {
  std::vector<FunctionBody> bodies = {};
  std::vector<CallSite> sites = {};
  std::vector<bool> reached = {};  // by calls from the main graph

  // True for functions that are also used other than by calls: by an op that is not a caller (a
  // data set's map), or by a gradient; also if one call loops and another does not. Their arguments
  // must not be changed.
  std::vector<bool> fixed = {};

  // Returns a node of a site's owner.
  const Node& node_of(const Graph& graph, const CallSite& site) const {
    return site.owner == kMainGraph ? graph.nodes()[site.node]
                                    : bodies[site.owner].nodes[site.node];
  }
};

// Finds all call sites. REQUIRES: the graph outlives it. Fails if a body cannot be read.
Result<CallSites> find_call_sites(const Graph& graph);

// Returns true if the function is a While's body, which returns its arguments.
bool is_loop_body(const CallSite& site, uint32_t function);

}  // namespace cryo
