#include "graph/check/check_graph.h"

#include "base/utf8.h"
#include "graph/check/attrs.h"
#include "graph/check/constants.h"
#include "graph/check/cycles.h"
#include "graph/check/device.h"
#include "graph/check/frames.h"
#include "graph/check/functions.h"
#include "graph/check/handles.h"
#include "graph/check/inputs.h"
#include "graph/check/library.h"
#include "graph/check/names.h"
#include "graph/check/shapes.h"
#include "graph/check/type_table.h"
#include "graph/check/versions.h"

namespace cryo {
namespace {

// The nodes of a main graph, one by one: all that needs no other node.
class NodeChecks {
 public:
  NodeChecks(const Graph& graph, const NodeNames& names, KnownOps& ops, const Payloads& payloads,
             const Reporter& reporter)
      : producer_(graph.producer()),
        names_(names),
        ops_(ops),
        payloads_(payloads),
        reporter_(reporter) {
    for (const Node& node : graph.nodes()) check(node);
  }

  const TypeTable& types() const { return types_; }

 private:
  void check(const Node& node) {
    check_colocation(node, names_, reporter_);
    check_device(node, reporter_);
    inputs_.clear();
    outputs_.clear();
    const KnownOp& known = ops_.find(node.op);
    if (!known.registered && !node.op.empty()) unknown_op(node);
    if (!known.def) {
      types_.add(inputs_, outputs_, false);
      return;
    }
    const OpDef& op = *known.def;
    if (op.deprecation && producer_ >= op.deprecation->version) removed_op(node, *op.deprecation);
    attrs_.bind(node, op);
    check_attrs(node, attrs_, reporter_);
    const bool inputs_known = expand(node, op.inputs, inputs_);
    const bool outputs_known = expand(node, op.outputs, outputs_);
    types_.add(inputs_, outputs_, inputs_known && outputs_known);
    if (inputs_known) check_input_count(node);
    check_shape_attrs(node, attrs_, reporter_);
    if (outputs_known) check_output_shapes(node, attrs_, size_of(outputs_), reporter_);
    if (node.op == "Const") check_constant(node, attrs_, payloads_, reporter_);
  }

  void unknown_op(const Node& node) {
    reporter_.error("unknown-op", {.node = node.name}, "Op type not registered ", quoted(node.op),
                    " in TensorFlow ", ops_.registry().tensorflow_version(),
                    ". Make sure the Op and Kernel are registered in the binary running in this "
                    "process.");
  }

  void removed_op(const Node& node, const Deprecation& deprecation) {
    reporter_.error("op-removed", {.node = node.name}, "Op ", printable(node.op, 100),
                    " is not available in GraphDef version ", producer_,
                    ". It has been removed in version ", deprecation.version, ". ",
                    deprecation.explanation, ".");
  }

  // False where an attribute is missing, which is told already, or has no meaning as a count.
  bool expand(const Node& node, const std::vector<ArgDef>& args, std::vector<TypeRun>& types) {
    using Why = TypesFault::Why;
    const auto fault = append_types(args, attrs_, types);
    if (!fault) return true;
    const auto place = static_cast<size_t>(fault->attr);
    const std::vector<AttrDef>& defs = attrs_.op().attrs;
    const std::string_view attr = place < defs.size() ? defs[place].name : "";
    const Spot spot{.node = node.name, .attr = attr};
    if (fault->why == Why::kTooMany) {
      reporter_.error("attr-not-a-count", spot, "Number of outputs is too big: ", fault->number);
    } else if (fault->why == Why::kNegative) {
      reporter_.error("attr-not-a-count", spot, "Value for number_attr() ", fault->number, " < 0");
    } else if (fault->why == Why::kNotANumber && attrs_.given(fault->attr) &&
               AttrValue(*attrs_.get(fault->attr)).kind() == AttrKind::kPlaceholder) {
      reporter_.error("attr-wrong-kind", spot,
                      "AttrValue had value with unexpected type 'placeholder'");
    } else if (fault->why == Why::kRefOfRef || fault->why == Why::kMalformed) {
      reporter_.error("bad-signature", spot, "The definition of ", quoted(node.op),
                      " does not say the types of its arguments: ", summary(attrs_.op()));
    }
    return false;
  }

  void check_input_count(const Node& node) {
    uint64_t data = 0;
    for (const std::string_view input : node.inputs()) data += input.starts_with('^') ? 0U : 1U;
    if (data == size_of(inputs_)) return;
    reporter_.error("input-count", {.node = node.name}, "NodeDef expected inputs '",
                    to_text(inputs_), "' do not match ", data, " inputs specified; ",
                    summary(attrs_.op()), "; NodeDef: ", quoted(node.name));
  }

  const int producer_;
  const NodeNames& names_;
  KnownOps& ops_;
  const Payloads& payloads_;
  const Reporter& reporter_;
  NodeAttrs attrs_;
  std::vector<TypeRun> inputs_;
  std::vector<TypeRun> outputs_;
  TypeTable types_;
};

}  // namespace

GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads) {
  Findings findings;
  const Reporter reporter(findings);
  const Library library(graph);
  KnownOps ops(registry, library);
  const NodeNames names(graph.nodes());
  const Edges edges(graph.nodes(), names);
  check_versions(graph, registry, reporter);
  check_names(graph.nodes(), names, false, reporter);
  check_library(graph, ops, payloads, reporter);
  check_inputs(graph.nodes(), edges, reporter);
  const NodeChecks nodes(graph, names, ops, payloads, reporter);
  check_edge_types(graph.nodes(), edges, nodes.types(), reporter);
  check_handles(graph.nodes(), edges, reporter);
  check_cycles(graph.nodes(), edges, reporter);
  check_functions(graph.nodes(), ops, payloads, findings);
  if (findings.errors() == 0) check_frames(graph.nodes(), edges, reporter);
  GraphVerdict verdict;
  verdict.errors = findings.errors();
  verdict.warnings = findings.warnings();
  verdict.diagnostics = findings.finish();
  return verdict;
}

}  // namespace cryo
