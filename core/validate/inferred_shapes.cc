#include "validate/inferred_shapes.h"

#include "model/model_ops.h"

namespace cryo {

TensorShapes inferred_shapes(const Model& model, const OpRegistry* ops, TensorShapes wanted) {
  for (auto& [tensor, shape] : wanted) shape = Shape{true, {}};
  if (ops == nullptr || wanted.empty()) return wanted;
  infer_shapes(model.graph, with_model_ops(model, *ops), *model.payloads, wanted);
  return wanted;
}

}  // namespace cryo
