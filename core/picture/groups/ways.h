#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/walk.h"
#include "picture/groups/node_roles.h"
#include "picture/groups/scene.h"

namespace cryo {

// A tensor of a graph that a person feeds or fetches.
struct ViewEnd {
  std::string tensor = {};  // "probabilities", "Split:1"
  std::string title = {};   // its name in a signature; may be empty
};

// Without outputs all ends are.
struct ViewEnds {
  std::vector<ViewEnd> inputs = {};
  std::vector<ViewEnd> outputs = {};
};

// The ways from the inputs of a graph to its outputs: what a value of an input reaches, and an
// output is computed from, and the weights that are used there. A tensor's shape is not its value:
//
//     image -> Conv2D -> Softmax             on a way
//     image -> Shape -> Range -> anchors     not on a way
//
// Without inputs all that the outputs are computed from is on a way. All that infers is, if these
// ways miss most of the variables: a graph whose inputs or outputs are not those that were found.
struct Ways {
  NodeSet passed = {};

  // Inputs, and outputs whose value no other inference node takes: drawn outside of all scopes.
  NodeSet pins = {};
  NodeSet outputs = {};
  std::unordered_map<uint32_t, std::string> titles = {};

  // The node's name as an input or output in a signature; empty if it has none.
  std::string_view title(uint32_t node) const;
};
Ways find_ways(const Scene& scene, const std::vector<NodeRole>& roles, const ViewEnds& ends);

}  // namespace cryo
