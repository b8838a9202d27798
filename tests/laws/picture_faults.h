#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "picture/groups/ways.h"
#include "picture/picture.h"

namespace cryo::laws {

// Returns what is wrong with a picture: boxes outside of theirs, siblings that overlap, labels that
// do not fit, edges that end elsewhere or lead up, nodes that are missing.
std::vector<std::string> picture_faults(const Picture& picture);

// Returns what is wrong with a first view: too many boxes or a scale that is too small, labels with
// an ellipsis within, stacks of two, frames with a single child.
std::vector<std::string> first_view_faults(const Picture& picture, const Pane& pane);

// Returns the outputs that have no box of their own, and are not in a stack of outputs.
std::vector<std::string> hidden_outputs(const Picture& picture, const ViewEnds& ends);

// Returns the share of the weights' bytes that are in boxes on a way from an input to an output; 1
// if there are no weights or no inputs.
double share_on_ways(const Picture& picture);

// The inputs that cross between nodes that have a box of their own. REQUIRES: everything is open,
// and the graph calls no function.
uint64_t crossing_inputs(const Graph& graph, const Picture& picture);

// Siblings whose order differs, of those that both pictures have.
std::vector<std::string> moved_siblings(const Picture& before, const Picture& after);

}  // namespace cryo::laws
