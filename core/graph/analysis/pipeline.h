#pragma once

#include <vector>

#include "graph/edges.h"

namespace cryo {

// A tensor at which data enters a graph from an input pipeline.
struct PipelineHead {
  uint32_t node = kNoNode;
  uint32_t port = 0;
};

// Returns the tensors at which the data of input pipelines enters the part of the graph that the
// outputs need, in the graph's order. A decoder that a pipeline feeds belongs to the pipeline:
//
//     IteratorGetNext --> ParseExample --> concat --> ...      the head is ParseExample
//     IteratorGetNext --> concat --> ...                       the head is IteratorGetNext
std::vector<PipelineHead> find_pipeline_heads(const std::vector<Node>& nodes, const Edges& edges,
                                              std::vector<uint32_t> outputs);

}  // namespace cryo
