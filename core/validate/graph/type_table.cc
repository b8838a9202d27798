#include "validate/graph/type_table.h"

#include "base/utf8.h"
#include "graph/functions/function_callers.h"

namespace cryo {
namespace {

// TensorFlow keeps a port in 32 bits with a sign. This one is -1, which it takes for a control
// edge; other negative ones crash it.
constexpr uint32_t kControlPort = 0xFFFFFFFF;

class EdgeCheck {
 public:
  EdgeCheck(const std::vector<Node>& nodes, const TypeTable& types, const Reporter& reporter)
      : nodes_(nodes), types_(types), reporter_(reporter) {}

  // `index`: among the inputs of the node; data inputs come first, so also among its input types.
  void check(uint32_t to, uint64_t index, const Edge& from) const {
    if (!types_.known(from.node)) return;
    const auto given = type_at(types_.outputs(from.node), from.port);
    const GraphPlace spot{.node = nodes_[to].name, .input = static_cast<int>(index)};
    if (!given && from.port == kControlPort) {
      reporter_.warning("control-port", spot, "Output ", from.port, " of node ",
                        quoted(nodes_[from.node].name),
                        " is read as -1, which makes this input a control input");
    } else if (!given) {
      no_such_output(to, spot, from);
    } else {
      check_type(to, index, from, *given, spot);
    }
  }

 private:
  void no_such_output(uint32_t to, const GraphPlace& spot, const Edge& from) const {
    const std::string_view op = nodes_[from.node].op;
    const bool functional = is_functional_control_flow(op) && !op.ends_with("Case");
    reporter_.error(
        "bad-output-port", spot, "Node ", quoted(nodes_[to].name),
        ": Connecting to invalid output ", from.port, " of source node ",
        printable(nodes_[from.node].name, 300), " which has ", size_of(types_.outputs(from.node)),
        " outputs.",
        functional ? " Try using tf.compat.v1.experimental.output_all_intermediates(True)." : "");
  }

  void check_type(uint32_t to, uint64_t index, const Edge& from, DType given,
                  const GraphPlace& spot) const {
    if (!types_.known(to)) return;
    const auto expected = type_at(types_.inputs(to), index);
    if (!expected || types_compatible(*expected, given)) return;
    reporter_.error("input-type", spot, "Input ", index, " of node ",
                    printable(nodes_[to].name, 300), " was passed ", op_type_name(given), " from ",
                    printable(nodes_[from.node].name, 300), ":", from.port,
                    " incompatible with expected ", op_type_name(*expected), ".");
  }

  const std::vector<Node>& nodes_;
  const TypeTable& types_;
  const Reporter& reporter_;
};

}  // namespace

void TypeTable::add(std::span<const TypeRun> inputs, std::span<const TypeRun> outputs, bool known) {
  runs_.insert(runs_.end(), inputs.begin(), inputs.end());
  starts_.push_back(runs_.size());
  runs_.insert(runs_.end(), outputs.begin(), outputs.end());
  starts_.push_back(runs_.size());
  known_.push_back(known);
}

void check_edge_types(const std::vector<Node>& nodes, const Edges& edges, const TypeTable& types,
                      const Reporter& reporter) {
  const EdgeCheck edge_check(nodes, types, reporter);
  for (uint32_t to = 0; to < nodes.size(); ++to) {
    uint64_t index = 0;
    for (const Edge& from : edges.inputs(to)) {
      if (!from.control && from.node != kNoNode) edge_check.check(to, index, from);
      ++index;
    }
  }
}

}  // namespace cryo
