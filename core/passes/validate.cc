#include "passes/validate.h"

#include "graph/check/check_graph.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

constexpr uint32_t kMetaInfo = 1, kStrippedOpList = 2;  // meta_graph.proto

// What is known of ops: the release's, and what the model itself brings.
OpRegistry ops_for(const Model& model, const OpRegistry& ops) {
  const std::string_view op_list = last_bytes(last_bytes(model.meta, kMetaInfo), kStrippedOpList);
  if (op_list.empty()) return ops;
  auto extended = ops.extended(std::string(op_list));
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
