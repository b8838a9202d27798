#include "validate/inferred_shapes.h"

#include "model/ops_for.h"

namespace cryo {

TensorShapes inferred_shapes(const Model& model, const OpRegistry* ops, TensorShapes wanted) {
  for (auto& [tensor, shape] : wanted) shape = Shape{true, {}};
  if (ops == nullptr || wanted.empty()) return wanted;
  CheckOptions options;
  options.shapes = &wanted;
  check_graph(model.graph, ops_for(model, *ops), *model.payloads, options);
  return wanted;
}

}  // namespace cryo
