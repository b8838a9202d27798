#include "passes/prune/bypass.h"

#include <algorithm>

#include "base/text.h"
#include "graph/node_editor.h"
#include "passes/common/call_body.h"

namespace cryo {
namespace {

bool has_outputs(std::string_view op) { return op != "Assert" && op != "PrintV2"; }

class Bypass {
 public:
  Bypass(const Graph& graph, const Edges& edges, const std::vector<bool>& gone)
      : nodes_(graph.nodes()),
        names_(graph.index().names()),
        edges_(edges),
        gone_(gone),
        gates_(has_switches_or_frames(nodes_)) {}

  bool changes(uint32_t node) const {
    const auto inputs = edges_.inputs(node);
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const Edge& edge) { return goes(edge); }) ||
           staying_partners(node).size() < colocations(nodes_[node]).size();
  }
  std::string rewired(uint32_t node) const;

 private:
  bool goes(const Edge& edge) const { return edge.node != kNoNode && gone_[edge.node]; }
  std::vector<std::string_view> staying_partners(uint32_t node) const;
  Edge source_of(Edge edge, std::vector<Edge>& waits) const;
  std::vector<uint32_t> waited_for(std::vector<Edge> gone) const;

  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  const std::vector<bool>& gone_;
  const bool gates_;
};

std::vector<std::string_view> Bypass::staying_partners(uint32_t node) const {
  std::vector<std::string_view> partners = colocations(nodes_[node]);
  const auto has_gone = [&](std::string_view partner) {
    const uint32_t found = names_.find(partner);
    return found != kNoNode && gone_[found];
  };
  partners.erase(std::remove_if(partners.begin(), partners.end(), has_gone), partners.end());
  return partners;
}

// Returns the source of a data edge; `waits`: the nodes skipped on the way.
Edge Bypass::source_of(Edge edge, std::vector<Edge>& waits) const {
  for (size_t steps = 0; steps < nodes_.size() && goes(edge); ++steps) {
    waits.push_back(edge);
    edge = edges_.inputs(edge.node).front();
  }
  return edge;
}

// Returns the remaining nodes that removed ones waited for, each once. `gone`: edges from the
// removed ones.
std::vector<uint32_t> Bypass::waited_for(std::vector<Edge> gone) const {
  std::vector<uint32_t> waited;
  std::vector<uint32_t> seen;
  for (size_t i = 0; i < gone.size(); ++i) {
    const Edge from = gone[i];
    const bool first = from.control && has_outputs(nodes_[from.node].op);
    size_t place = 0;
    for (Edge edge : edges_.inputs(from.node)) {
      const bool waits = edge.control || gates_ || (first && place == 0);
      ++place;
      if (edge.node == kNoNode || !waits) continue;
      if (std::find(seen.begin(), seen.end(), edge.node) != seen.end()) continue;
      seen.push_back(edge.node);
      edge.control = true;
      if (gone_[edge.node]) gone.push_back(edge);
      if (!gone_[edge.node]) waited.push_back(edge.node);
    }
  }
  return waited;
}

std::string Bypass::rewired(uint32_t node) const {
  NodeEditor editor(nodes_[node]);
  std::vector<std::string> data;
  std::vector<std::string> controls;
  std::vector<Edge> waits;
  size_t at = 0;
  for (const Edge& edge : edges_.inputs(node)) {
    std::string& text = editor.inputs()[at++];
    if (!goes(edge)) {
      (edge.control ? controls : data).push_back(std::move(text));
    } else if (edge.control) {
      waits.push_back(edge);
    } else {
      const Edge source = source_of(edge, waits);
      data.push_back(to_text({nodes_[source.node].name, source.port, false}));
    }
  }
  for (const uint32_t each : waited_for(std::move(waits))) {
    std::string control = cat("^", nodes_[each].name);
    const bool known = std::find(controls.begin(), controls.end(), control) != controls.end();
    if (!known) controls.push_back(std::move(control));
  }
  data.insert(data.end(), controls.begin(), controls.end());
  const auto partners = staying_partners(node);
  if (partners.size() < colocations(nodes_[node]).size()) editor.set_colocations(partners);
  return editor.set_inputs(std::move(data)).finish();
}

}  // namespace

Graph bypass(const Graph& graph, const Edges& edges, const std::vector<bool>& gone) {
  const std::vector<Node>& nodes = graph.nodes();
  const Bypass bypass(graph, edges, gone);
  GraphBuilder builder(graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (gone[i]) continue;
    bypass.changes(i) ? builder.add(bypass.rewired(i)) : builder.add(nodes[i]);
  }
  builder.add_functions_of(graph);
  return builder.finish();
}

}  // namespace cryo
