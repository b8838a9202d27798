#include "graph/analysis/pipeline.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"
#include "graph/roles.h"

namespace cryo {
namespace {

class HeadFinder {
 public:
  HeadFinder(const std::vector<Node>& nodes, const Edges& edges) : nodes_(nodes), edges_(edges) {
    find_piped();
  }

  std::vector<PipelineHead> heads_of(const std::vector<uint32_t>& outputs) const;

 private:
  void find_piped();

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  std::vector<bool> piped_;  // a pipeline's read, or a decoder that one feeds
};

// Finds decoders downstream of a pipeline's read. Does nothing if no op reads a pipeline.
void HeadFinder::find_piped() {
  piped_.assign(nodes_.size(), false);
  std::vector<uint32_t> queue;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const std::string_view op = nodes_[i].op;
    if (is_pipeline_read(op)) queue.push_back(i);
  }
  if (queue.empty()) return;
  const Consumers& consumers = edges_.consumers();
  std::vector<bool> seen(nodes_.size(), false);
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t node = queue[at];
    if (seen[node]) continue;
    seen[node] = true;
    const std::string_view op = nodes_[node].op;
    piped_[node] = is_pipeline_read(op) || is_decoder(op);
    for (const Consumer& consumer : consumers.of(node)) {
      if (!consumer.control) queue.push_back(consumer.node);
    }
  }
}

std::vector<PipelineHead> HeadFinder::heads_of(const std::vector<uint32_t>& outputs) const {
  std::vector<PipelineHead> heads;
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<uint32_t> queue = outputs;
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (node == kNoNode || seen[node] || piped_[node]) continue;
    seen[node] = true;
    for (const Edge& edge : edges_.inputs(node)) {
      if (edge.node == kNoNode) continue;
      if (!edge.control && piped_[edge.node]) heads.push_back({edge.node, edge.port});
      queue.push_back(edge.node);
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

}  // namespace

std::vector<PipelineHead> find_pipeline_heads(const std::vector<Node>& nodes, const Edges& edges,
                                              const std::vector<uint32_t>& outputs) {
  return HeadFinder(nodes, edges).heads_of(outputs);
}

}  // namespace cryo
