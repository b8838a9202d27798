#include "validate/validate.h"

#include "model/ops_for.h"
#include "validate/check_graph.h"
#include "validate/model/check_model.h"

namespace cryo {

bool validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics) {
  if (!model.has_graph) {
    check_model(model, OpRegistry(), diagnostics);
    return true;
  }
  if (!ops) {
    diagnostics.note("ops-not-loaded",
                     "the definitions of TensorFlow's ops are not at hand: attributes, types and "
                     "numbers of inputs were not checked");
  }
  const OpRegistry known = ops ? ops_for(model, *ops) : OpRegistry();
  const OpRegistry producer = producer_ops(model);
  const GraphVerdict verdict = check_graph(model.graph, known, *model.payloads, {&producer});
  for (const Diagnostic& diagnostic : verdict.diagnostics.all()) diagnostics.add(diagnostic);
  check_model(model, known, diagnostics);
  return verdict.valid();
}

}  // namespace cryo
