#include "graph/check/handles.h"

#include "tensor/dtype.h"

namespace cryo {
namespace {

// The VarHandleOp whose handle comes in, through nodes that hand it on; kNoNode for any other.
uint32_t variable_of(const std::vector<Node>& nodes, const Edges& edges, uint32_t read) {
  uint32_t at = read;
  for (int steps = 0; steps < 16 && !edges.inputs(at).empty(); ++steps) {
    const Edge& first = edges.inputs(at)[0];
    if (first.control || first.node == kNoNode) return kNoNode;
    at = first.node;
    if (nodes[at].op == "VarHandleOp") return at;
    if (nodes[at].op != "Identity") return kNoNode;
  }
  return kNoNode;
}

}  // namespace

void check_handles(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter) {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != "ReadVariableOp") continue;
    const uint32_t variable = variable_of(nodes, edges, i);
    if (variable == kNoNode) continue;
    const auto read = type_attr(nodes[i], "dtype");
    const auto held = type_attr(nodes[variable], "dtype");
    if (!read || !held || *read == *held) continue;
    reporter.error("variable-type", {.node = nodes[i].name, .input = 0, .attr = "dtype"},
                   "Trying to read variable with wrong dtype. Expected ",
                   dtype_name(static_cast<DType>(*held)), " got ",
                   dtype_name(static_cast<DType>(*read)));
  }
}

}  // namespace cryo
