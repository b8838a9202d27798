#include "graph/check/inputs.h"

#include "base/utf8.h"

namespace cryo {
namespace {

void check_order(const Node& node, const Reporter& reporter) {
  bool control_seen = false;
  int index = 0;
  for (const std::string_view input : node.inputs()) {
    const bool control = input.starts_with('^');
    if (control_seen && !control) {
      reporter.error("control-input-order", {.node = node.name, .input = index}, "Node ",
                     quoted(node.name),
                     ": Control dependencies must come after regular dependencies");
      return;  // one for all that follow
    }
    control_seen = control_seen || control;
    ++index;
  }
}

void unknown_input(const Node& node, int index, std::string_view input, const Reporter& reporter) {
  reporter.error("unknown-input-node", {.node = node.name, .input = index}, "Node ",
                 quoted(node.name), ": Unknown input node ", quoted(input));
}

}  // namespace

void check_inputs(const std::vector<Node>& nodes, const Edges& edges, const Reporter& reporter) {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    check_order(nodes[i], reporter);
    int index = 0;
    for (const std::string_view input : nodes[i].inputs()) {
      const Edge& edge = edges.inputs(i)[static_cast<size_t>(index)];
      if (edge.node == kNoNode) unknown_input(nodes[i], index, input, reporter);
      ++index;
    }
  }
}

void check_colocation(const Node& node, const NodeNames& names, const Reporter& reporter) {
  for (const std::string_view name : colocations(node)) {
    if (names.find(name) != kNoNode) continue;
    reporter.error("unknown-colocation", {.node = node.name, .attr = "_class"}, "Node ",
                   quoted(node.name), " expects to be colocated with unknown node ", quoted(name));
  }
}

}  // namespace cryo
