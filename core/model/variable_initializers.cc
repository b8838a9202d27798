#include "model/variable_initializers.h"

#include "graph/edges.h"
#include "graph/functions/functions_needed.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

// Returns the nodes to remove: no remaining node takes their outputs.
std::vector<bool> removable(const Model& model, const NodeNames& names, const Edges& edges) {
  const size_t count = model.graph.nodes().size();
  std::vector<bool> removed(count, false);
  for (const std::string& name : model.variable_initializers) {
    const uint32_t node = names.find(name);
    if (node != kNoNode) removed[node] = true;
  }
  std::vector<uint32_t> staying;
  for (uint32_t i = 0; i < count; ++i) {
    if (!removed[i]) staying.push_back(i);
  }
  while (!staying.empty()) {
    const uint32_t node = staying.back();
    staying.pop_back();
    for (const Edge& edge : edges.inputs(node)) {
      if (edge.node == kNoNode || !removed[edge.node]) continue;
      removed[edge.node] = false;
      staying.push_back(edge.node);
    }
  }
  return removed;
}

}  // namespace

Model without_variable_initializers(const Model& model) {
  if (model.variable_initializers.empty()) return model;
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeNames& names = model.graph.index().names();
  const std::vector<bool> removed = removable(model, names, model.graph.index().edges());
  GraphBuilder builder(model.graph);
  std::vector<Node> kept;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (removed[i]) continue;
    kept.push_back(nodes[i]);
    std::vector<std::string_view> partners;
    bool all = true;
    for (const std::string_view partner : colocations(nodes[i])) {
      const uint32_t found = names.find(partner);
      const bool stays = found == kNoNode || !removed[found];
      if (stays) partners.push_back(partner);
      all = all && stays;
    }
    all ? builder.add(nodes[i])
        : builder.add(NodeEditor(nodes[i]).set_colocations(partners).finish());
  }
  for (const Function& function : functions_needed(kept, model.graph)) builder.add(function);
  Model plain = model;
  plain.graph = builder.finish();
  plain.variable_initializers.clear();
  return plain;
}

}  // namespace cryo
