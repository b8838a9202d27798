#include "passes/validate.h"

#include "graph/check/check_graph.h"
#include "model/meta.h"

namespace cryo {
namespace {

// What is known of ops: the release's, and what the model itself brings.
OpRegistry ops_for(const Model& model, const OpRegistry& ops) {
  const tensorflow::MetaGraphDef meta = parse_meta(model);
  if (meta.meta_info_def().stripped_op_list().op_size() == 0) return ops;
  auto extended = ops.extended(meta.meta_info_def().stripped_op_list().SerializeAsString());
  return extended ? *extended : ops;
}

}  // namespace

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
