#include "passes/validate.h"

#include "graph/check/check_graph.h"
#include "model/ops_for.h"

namespace cryo {
Validity validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics) {
  if (!model.has_graph) return {};
  if (!ops) {
    diagnostics.note("ops-not-loaded",
                     "the definitions of TensorFlow's ops are not at hand: attributes, types and "
                     "numbers of inputs were not checked");
  }
  const OpRegistry known = ops ? ops_for(model, *ops) : OpRegistry();
  const GraphVerdict verdict = check_graph(model.graph, known, *model.payloads);
  for (const Diagnostic& diagnostic : verdict.diagnostics.all()) diagnostics.add(diagnostic);
  return {verdict.valid(), verdict.sound()};
}

}  // namespace cryo
