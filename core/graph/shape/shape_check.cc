#include "graph/shape/shape_check.h"

#include "graph/shape/shape_walk.h"

namespace cryo {

void check_inferred_shapes(const ShapeGraph& graph, const BodyGraphs& bodies, KnownOps& ops,
                           const Payloads& payloads, int producer, const Reporter& reporter) {
  ShapeWork work{bodies, ops, payloads, producer};
  ShapeWalk(graph, work, reporter).run();
}

}  // namespace cryo
