#include "validate/shape/shape_check.h"

#include "validate/shape/shape_walk.h"

namespace cryo {

void check_inferred_shapes(const ShapeGraph& graph, const BodyGraphs& bodies, KnownOps& ops,
                           const Payloads& payloads, int producer, const Reporter& reporter,
                           TensorShapes* wanted) {
  ShapeWork work{bodies, ops, payloads, producer};
  ShapeWalk walk(graph, work, reporter);
  walk.run();
  if (wanted == nullptr) return;
  for (auto& [tensor, shape] : *wanted) shape = walk.shape_of({tensor.first, tensor.second, false});
}

}  // namespace cryo
