#include "passes/endpoints.h"

#include "base/text.h"
#include "model/outputs.h"

namespace cryo {
namespace {

// Nodes whose last part is the wanted one's, or holds it: what a person may have meant.
std::vector<std::string> similar_names(const Graph& graph, std::string_view wanted) {
  const std::string_view last = base_name(wanted);
  std::vector<std::string> same;
  std::vector<std::string> holding;
  for (const Node& node : graph.nodes()) {
    const std::string_view name = base_name(node.name);
    if (name == last) same.emplace_back(node.name);
    if (name != last && !last.empty() && name.find(last) != std::string_view::npos) {
      holding.emplace_back(node.name);
    }
  }
  same.insert(same.end(), holding.begin(), holding.end());
  return same;
}

Failure not_in_graph(const Model& model, const std::string& name) {
  const std::vector<std::string> similar = similar_names(model.graph, parse_tensor_name(name).node);
  const std::string fix =
      similar.empty() ? std::string("list the names there are with: cryograph list PATH nodes")
                      : cat("there is ", join(similar, ", ", 5));
  return failure("not-in-graph", cat(name, " is not in graph"), {.node = name}, fix);
}

std::string listed(const std::vector<Endpoint>& endpoints) {
  std::vector<std::string> names;
  for (const Endpoint& each : endpoints) names.push_back(each.name);
  return join(names, ", ", 5);
}

}  // namespace

Result<std::vector<std::string>> chosen_outputs(const Model& model, const PassOptions& options,
                                                PassLog& log) {
  log.outputs = options.outputs;
  if (!options.outputs.empty()) return options.outputs;
  const Endpoints likely = likely_endpoints(model);
  if (likely.outputs.empty()) {
    return failure("no-outputs", "the graph has no node that looks like an output", {},
                   "name the outputs: --outputs NAME");
  }
  const bool signature = likely.certain && likely.outputs.size() > 1;
  for (const Endpoint& output : likely.outputs) {
    log.outputs.push_back(output.name);
    log.diagnostics.note("output-chosen", cat("output ", output.name, ": ", output.why),
                         {.node = output.name});
    if (!signature) break;
  }
  if (!likely.certain) {
    log.diagnostics.warn("output-guessed",
                         cat("the graph does not say what its outputs are; of ",
                             plural(likely.outputs.size(), "candidate"), " (",
                             listed(likely.outputs), ") the first was taken"),
                         {}, "name the outputs: --outputs NAME");
  }
  return log.outputs;
}

Result<Edge> find_endpoint(const Model& model, const NodeNames& names, const std::string& name) {
  const TensorName tensor = parse_tensor_name(name);
  const uint32_t node = tensor.control ? kNoNode : names.find(tensor.node);
  if (node == kNoNode) return not_in_graph(model, name);
  return Edge{node, tensor.port, false};
}

}  // namespace cryo
