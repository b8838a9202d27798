#include "graph/analysis/pipeline.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"
#include "graph/roles.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// Returns the pipeline's reads, and the decoders that one feeds.
NodeSet piped_nodes(const std::vector<Node>& nodes, const Edges& edges) {
  const auto reads =
      nodes_where(nodes.size(), [&](uint32_t node) { return is_pipeline_read(nodes[node].op); });
  if (reads.empty()) return NodeSet(nodes.size());
  NodeSet piped = walk_forward(edges, reads, kDataEdge);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    piped[i] = piped[i] && (is_pipeline_read(nodes[i].op) || is_decoder(nodes[i].op));
  }
  return piped;
}

}  // namespace

std::vector<PipelineHead> find_pipeline_heads(const std::vector<Node>& nodes, const Edges& edges,
                                              std::vector<uint32_t> outputs) {
  const NodeSet piped = piped_nodes(nodes, edges);
  std::erase_if(outputs, [&](uint32_t node) { return node != kNoNode && piped[node]; });
  const NodeSet reached =
      walk_back(edges, outputs, [&](uint32_t, const Edge& edge) { return !piped[edge.node]; });
  std::vector<PipelineHead> heads;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!reached[i]) continue;
    for (const Edge& edge : data_inputs(edges, i)) {
      if (piped[edge.node]) heads.push_back({edge.node, edge.port});
    }
  }
  const auto before = [](const PipelineHead& a, const PipelineHead& b) {
    return std::tie(a.node, a.port) < std::tie(b.node, b.port);
  };
  const auto same = [](const PipelineHead& a, const PipelineHead& b) {
    return a.node == b.node && a.port == b.port;
  };
  sort(heads, before);
  heads.erase(std::unique(heads.begin(), heads.end(), same), heads.end());
  return heads;
}

}  // namespace cryo
