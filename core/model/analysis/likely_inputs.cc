#include "model/analysis/likely_inputs.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/analysis/pipeline.h"
#include "graph/needs.h"
#include "graph/roles.h"
#include "model/init_op.h"

namespace cryo {
namespace {

// tf.identity(parse_example(...)["x"], name="x"): a name to feed the tensor by, instead of
// examples.
bool names_what_is_parsed(const Graph& graph, const Edges& edges, uint32_t node) {
  const Node& at = graph.nodes()[node];
  if (at.op != "Identity" || at.name.find('/') != std::string_view::npos) return false;
  const auto inputs = edges.inputs(node);
  return !inputs.empty() && inputs[0].node != kNoNode &&
         is_decoder(graph.nodes()[inputs[0].node].op);
}

// Names of the nodes whose values fill tables: freezing gives them from constants.
std::set<std::string_view> table_contents(const std::vector<Node>& nodes) {
  std::set<std::string_view> names;
  for (const Node& node : nodes) {
    if (!imports_table(node.op)) continue;
    for (const std::string_view input : node.inputs()) names.insert(parse_tensor_name(input).node);
  }
  return names;
}

}  // namespace

std::vector<Endpoint> likely_inputs(const Graph& graph, const InferenceSubgraph& forward,
                                    const std::vector<uint32_t>& outputs) {
  std::vector<Endpoint> found;
  size_t placeholders = 0;
  for (const Node& node : graph.nodes()) placeholders += is_placeholder(node.op) ? 1U : 0U;
  const bool ranks = placeholders > 1 || forward.has_pipeline;
  const auto needed = needed_by(graph.index().edges(), ranks ? outputs : std::vector<uint32_t>());
  const std::set<std::string_view> contents = table_contents(graph.nodes());
  for (const bool is_needed : {true, false}) {
    for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
      const Node& node = graph.nodes()[i];
      if (!is_placeholder(node.op) || forward.excluded[i]) continue;
      if (contents.contains(node.name)) continue;
      if ((needed[i] != kNoNode) != is_needed) continue;
      found.push_back({std::string(node.name), cat("a ", node.op)});
    }
    if (!is_needed || !forward.has_pipeline) continue;
    for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
      if (needed[i] == kNoNode || !names_what_is_parsed(graph, graph.index().edges(), i)) continue;
      found.push_back(
          {std::string(graph.nodes()[i].name), "named to be fed instead of the examples"});
    }
    for (const PipelineHead& head :
         find_pipeline_heads(graph.nodes(), graph.index().edges(), outputs)) {
      const Node& node = graph.nodes()[head.node];
      found.push_back({to_text({node.name, head.port, false}),
                       cat("the data of an input pipeline, from ", node.op)});
    }
  }
  return found;
}

std::vector<std::string> pipeline_heads(const Graph& graph,
                                        const std::vector<std::string>& outputs) {
  if (std::none_of(graph.nodes().begin(), graph.nodes().end(),
                   [](const Node& node) { return is_pipeline_read(node.op); })) {
    return {};
  }
  const NodeNames& names = graph.index().names();
  const Edges& edges = graph.index().edges();
  std::vector<uint32_t> ends;
  for (const std::string& output : outputs) {
    const uint32_t node = names.find(parse_tensor_name(output).node);
    if (node != kNoNode) ends.push_back(node);
  }
  std::vector<std::string> heads;
  for (const PipelineHead& head : find_pipeline_heads(graph.nodes(), edges, ends)) {
    heads.push_back(to_text({graph.nodes()[head.node].name, head.port, false}));
  }
  return heads;
}

}  // namespace cryo
