#include "passes/inline/stale_output_shapes.h"

#include <unordered_set>

#include "graph/node_editor.h"
#include "model/model_ops.h"
#include "validate/check_graph.h"

namespace cryo {

Model without_stale_output_shapes(const Model& made, const Graph& before, const OpRegistry* ops) {
  if (ops == nullptr || before.functions().empty()) return made;
  const GraphVerdict verdict = check_graph(made.graph, with_model_ops(made, *ops), *made.payloads);
  std::unordered_set<std::string_view> wrong;
  for (const Diagnostic& each : verdict.diagnostics.all()) {
    const bool inlined = each.code.starts_with("output-shapes-") && each.where.function.empty() &&
                         before.index().names().find(each.where.node) == kNoNode;
    if (inlined) wrong.insert(each.where.node);
  }
  if (wrong.empty()) return made;
  GraphBuilder builder(made.graph);
  for (const Node& node : made.graph.nodes()) {
    if (!wrong.contains(node.name)) {
      builder.add(node);
      continue;
    }
    NodeEditor editor(node);
    builder.add(editor.erase_attr("_output_shapes").finish());
  }
  builder.add_functions_of(made.graph);
  Model right = made;
  right.graph = builder.finish();
  return right;
}

}  // namespace cryo
