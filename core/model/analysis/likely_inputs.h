#pragma once

#include <string>
#include <vector>

#include "graph/analysis/inference_subgraph.h"
#include "graph/graph.h"
#include "model/analysis/likely_outputs.h"

namespace cryo {

// Placeholders, and the tensors at which the data of an input pipeline enters; those that these
// outputs (nodes) need come first.
std::vector<Endpoint> likely_inputs(const Graph& graph, const InferenceSubgraph& forward,
                                    const std::vector<uint32_t>& outputs);

// Returns the tensors at which the data of input pipelines enters the subgraph of these outputs,
// the last parsing or decoding included: "IteratorGetNext:1", "ParseExample", "DecodeJpeg". Names
// that are not in the graph are skipped.
std::vector<std::string> pipeline_heads(const Graph& graph,
                                        const std::vector<std::string>& outputs);

}  // namespace cryo
