#include "validate/inferred_shapes.h"

#include "model/ops_for.h"

namespace cryo {

TensorShapes inferred_shapes(const Model& model, const OpRegistry* ops, TensorShapes wanted) {
  for (auto& [tensor, shape] : wanted) shape = Shape{true, {}};
  if (ops == nullptr || wanted.empty()) return wanted;
  infer_shapes(model.graph, ops_for(model, *ops), *model.payloads, wanted);
  return wanted;
}

}  // namespace cryo
