#include "validate/check_graph.h"

#include <set>

#include "base/function_ref.h"
#include "base/utf8.h"
#include "graph/needs.h"
#include "validate/graph/attrs.h"
#include "validate/graph/constants.h"
#include "validate/graph/cycles.h"
#include "validate/graph/device.h"
#include "validate/graph/frame_check.h"
#include "validate/graph/functions.h"
#include "validate/graph/inputs.h"
#include "validate/graph/library.h"
#include "validate/graph/names.h"
#include "validate/graph/shapes.h"
#include "validate/graph/type_table.h"
#include "validate/graph/unknown_op.h"
#include "validate/graph/versions.h"
#include "validate/shape/shape_check.h"

namespace cryo {
namespace {

// The nodes of a main graph, one by one: all that needs no other node.
class NodeChecks {
 public:
  NodeChecks(const Graph& graph, KnownOps& ops, const Payloads& payloads,
             const OpRegistry* producers, const Reporter& reporter)
      : graph_(graph),
        producers_(producers),
        names_(graph.index().names()),
        ops_(ops),
        payloads_(payloads),
        reporter_(reporter) {}

  // Checks all nodes, and returns their types.
  const TypeTable& check() {
    const Edges& edges = graph_.index().edges();
    const auto& nodes = graph_.nodes();
    for (uint32_t i = 0; i < nodes.size(); ++i) check(nodes[i], edges.inputs(i));
    return types_;
  }

  // Returns the types of some nodes. Reports only what is wrong with these.
  const TypeTable& types(FunctionRef<bool(uint32_t)> is_needed) {
    const auto& nodes = graph_.nodes();
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      if (!is_needed(i)) {
        types_.add({}, {}, false);
        continue;
      }
      const KnownOp& known = bind(nodes[i]);
      if (known.def) expand(nodes[i], *known.def);
      types_.add(inputs_, outputs_, known.def && inputs_known_ && outputs_known_);
    }
    return types_;
  }

 private:
  const KnownOp& bind(const Node& node) {
    inputs_.clear();
    outputs_.clear();
    const KnownOp& known = ops_.find(node.op);
    attrs_.bind(node, known.def ? *known.def : none_);
    return known;
  }

  void expand(const Node& node, const OpDef& op) {
    inputs_known_ = expand(node, op.inputs, inputs_);
    outputs_known_ = expand(node, op.outputs, outputs_);
  }

  void check(const Node& node, std::span<const Edge> inputs) {
    const KnownOp& known = bind(node);
    check_colocation(node, attrs_, names_, reporter_);
    check_device(node, attrs_.device(), reporter_);
    check_op_known(node, ops_, known, reporter_);
    if (!known.def) {
      types_.add(inputs_, outputs_, false);
      return;
    }
    const OpDef& op = *known.def;
    if (op.deprecation) check_deprecation(node, *op.deprecation);
    if (!known.function) check_kernel(node, attrs_.device(), op, reporter_);
    check_attrs(node, attrs_, producers_ ? producers_->find(node.op) : nullptr, reporter_);
    if (!known.function) check_left_out(node, attrs_, reporter_);
    expand(node, op);
    types_.add(inputs_, outputs_, inputs_known_ && outputs_known_);
    if (inputs_known_) check_input_count(node, inputs);
    check_shape_attrs(node, attrs_, reporter_);
    if (outputs_known_) check_output_shapes(node, attrs_, size_of(outputs_), reporter_);
    if (node.op == "Const") check_constant(node, attrs_, payloads_, reporter_);
  }

  // An op that still works for the graph's version is reported once.
  void check_deprecation(const Node& node, const Deprecation& deprecation) {
    const int producer = graph_.producer();
    if (producer < deprecation.version) {
      if (!deprecated_.insert(node.op).second) return;
      reporter_.note("op-deprecated", {.node = node.name}, "Op ", printable(node.op, 100),
                     " is deprecated. It will cease to work in GraphDef version ",
                     deprecation.version, ". ", deprecation.explanation, ".");
      return;
    }
    reporter_.error("op-removed", {.node = node.name}, "Op ", printable(node.op, 100),
                    " is not available in GraphDef version ", producer,
                    ". It has been removed in version ", deprecation.version, ". ",
                    deprecation.explanation, ".");
  }

  // Expands arguments to types. Returns false if an attribute is missing, which has been reported,
  // or is not a valid count.
  bool expand(const Node& node, const std::vector<ArgDef>& args, std::vector<TypeRun>& types) {
    using Why = TypesFault::Why;
    const auto fault = append_types(args, attrs_, types);
    if (!fault) return true;
    const auto place = static_cast<size_t>(fault->attr);
    const std::vector<AttrDef>& defs = attrs_.op().attrs;
    const std::string_view attr = place < defs.size() ? defs[place].name : "";
    const GraphPlace spot{.node = node.name, .attr = attr};
    if (fault->why == Why::kTooMany) {
      reporter_.error("attr-not-a-count", spot, "Number of outputs is too big: ", fault->number);
    } else if (fault->why == Why::kNegative) {
      reporter_.error("attr-not-a-count", spot, "Value for number_attr() ", fault->number, " < 0");
    } else if (fault->why == Why::kNotANumber && attrs_.given(fault->attr) &&
               AttrValue(*attrs_.get(fault->attr)).kind() == AttrKind::kPlaceholder) {
      reporter_.error("attr-wrong-kind", spot,
                      "AttrValue had value with unexpected type 'placeholder'");
    } else if (fault->why == Why::kMissing && place >= defs.size()) {
      reporter_.error("bad-signature", spot, "No attr of the name that the definition of ",
                      quoted(node.op), " says for a type in NodeDef: {{node ",
                      printable(node.name, 300), "}}");
    } else if (fault->why == Why::kRefOfRef || fault->why == Why::kMalformed) {
      reporter_.error("bad-signature", spot, "The definition of ", quoted(node.op),
                      " does not say the types of its arguments: ", summary(attrs_.op()));
    }
    return false;
  }

  void check_input_count(const Node& node, std::span<const Edge> inputs) {
    uint64_t data = 0;
    for (const Edge& edge : inputs) data += edge.control ? 0U : 1U;
    if (data == size_of(inputs_)) return;
    reporter_.error("input-count", {.node = node.name}, "NodeDef expected inputs '",
                    to_text(inputs_), "' do not match ", data, " inputs specified; ",
                    summary(attrs_.op()), "; NodeDef: ", quoted(node.name));
  }

  const Graph& graph_;
  const OpRegistry* producers_;
  const NodeNames& names_;
  KnownOps& ops_;
  const Payloads& payloads_;
  const Reporter& reporter_;
  const OpDef none_;  // for an op that is not known
  NodeAttrs attrs_;
  std::vector<TypeRun> inputs_;
  std::vector<TypeRun> outputs_;
  bool inputs_known_ = true;
  bool outputs_known_ = true;
  std::set<std::string_view> deprecated_;  // ops
  TypeTable types_;
};

void report_left_out(const Findings& findings, const Reporter& reporter) {
  if (findings.left_out() == 0) return;
  reporter.note("attr-default-missing", {.node = std::string_view(""), .fixable = true},
                plural(findings.left_out(), "node"),
                findings.left_out() == 1 ? " leaves" : " leave",
                " out attributes that have a default, which TensorFlow fills in");
}

}  // namespace

GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                         const CheckOptions& options) {
  Findings findings(options.repairs);
  const Reporter reporter(findings);
  const Library library(graph);
  KnownOps ops(registry, library);
  const NodeNames& names = graph.index().names();
  const Edges& edges = graph.index().edges();
  check_versions(graph, registry, reporter);
  check_names(graph.nodes(), names, false, reporter);
  check_library(graph, ops, payloads, reporter);
  check_inputs(graph.nodes(), edges, names, reporter);
  NodeChecks nodes(graph, ops, payloads, options.producer, reporter);
  const TypeTable& types = nodes.check();
  check_edge_types(graph.nodes(), edges, types, reporter);
  const std::vector<uint32_t> order = check_cycles(graph.nodes(), edges, reporter);
  const BodyGraphs bodies = check_functions(graph.nodes(), ops, payloads, findings);
  check_inferred_shapes({graph.nodes(), edges, types, order}, bodies, ops, payloads,
                        graph.producer(), reporter, options.shapes);
  if (findings.errors() == 0) check_frames(graph.nodes(), edges, reporter);
  report_left_out(findings, reporter);
  GraphVerdict verdict;
  verdict.errors = findings.errors();
  verdict.warnings = findings.warnings();
  verdict.diagnostics = findings.finish();
  return verdict;
}

void infer_shapes(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                  TensorShapes& wanted) {
  Findings unread;
  const Reporter reporter(unread);
  const Library library(graph);
  KnownOps ops(registry, library);
  const Edges& edges = graph.index().edges();
  std::vector<uint32_t> ends;
  for (const auto& [tensor, shape] : wanted) ends.push_back(tensor.first);
  const std::vector<uint32_t> needed = needed_by(edges, ends);
  const auto is_needed = [&](uint32_t node) { return needed[node] != kNoNode; };
  NodeChecks nodes(graph, ops, payloads, nullptr, reporter);
  const TypeTable& types = nodes.types(is_needed);
  std::vector<uint32_t> order = check_cycles(graph.nodes(), edges, reporter);
  std::erase_if(order, [&](uint32_t node) { return !is_needed(node); });
  const BodyGraphs bodies = check_functions(graph.nodes(), ops, payloads, unread);
  check_inferred_shapes({graph.nodes(), edges, types, order}, bodies, ops, payloads,
                        graph.producer(), reporter, &wanted);
}

}  // namespace cryo
