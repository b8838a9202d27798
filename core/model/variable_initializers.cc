#include "model/variable_initializers.h"

#include "graph/edges.h"
#include "graph/functions/functions_needed.h"
#include "graph/node_editor.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// Returns the nodes to remove: no remaining node takes their outputs.
NodeSet removable(const Model& model, const NodeNames& names, const Edges& edges) {
  const size_t count = model.graph.nodes().size();
  NodeSet initializers(count);
  for (const std::string& name : model.variable_initializers) {
    const uint32_t node = names.find(name);
    if (node != kNoNode) initializers[node] = true;
  }
  NodeSet removed =
      walk_back(edges, nodes_where(count, [&](uint32_t node) { return !initializers[node]; }));
  removed.flip();
  return removed;
}

}  // namespace

Model without_variable_initializers(const Model& model) {
  if (model.variable_initializers.empty()) return model;
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeNames& names = model.graph.index().names();
  const NodeSet removed = removable(model, names, model.graph.index().edges());
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
