#include "validate/validate.h"

#include "model/model_ops.h"
#include "validate/check_graph.h"
#include "validate/model/check_model.h"

namespace cryo {

namespace {

GraphVerdict check(const Model& model, const OpRegistry& ops) {
  const OpRegistry producer = producer_ops(model);
  return check_graph(model.graph, ops, *model.payloads, {&producer});
}

}  // namespace

bool validate(const Model& model, const OpRegistry* ops, Diagnostics& diagnostics,
              const GraphVerdict* known) {
  if (!model.has_graph) {
    check_model(model, OpRegistry(), diagnostics);
    return true;
  }
  if (!ops) {
    diagnostics.note("ops-not-loaded",
                     "the definitions of TensorFlow's ops are not at hand: attributes, types and "
                     "numbers of inputs were not checked");
  }
  const OpRegistry registry = ops ? with_model_ops(model, *ops) : OpRegistry();
  const GraphVerdict verdict = known ? *known : check(model, registry);
  for (const Diagnostic& diagnostic : verdict.diagnostics.all()) diagnostics.add(diagnostic);
  check_model(model, registry, diagnostics);
  return verdict.valid();
}

}  // namespace cryo
