#include "validate/graph/body.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/utf8.h"
#include "validate/graph/attrs.h"
#include "validate/graph/body_inputs.h"
#include "validate/graph/constants.h"
#include "validate/graph/cycles.h"
#include "validate/graph/device.h"
#include "validate/graph/frame_check.h"
#include "validate/graph/names.h"
#include "validate/graph/shapes.h"
#include "validate/graph/unknown_op.h"

namespace cryo {
namespace {

// A body can ask for as many types as it has nodes times the longest list of types that a caller
// hands in.
constexpr uint64_t kMaxTypes = 20'000'000;

class BodyCheck {
 public:
  BodyCheck(const LibraryFunction& function, const AttrScope& scope, KnownOps& ops,
            const Payloads& payloads, const Reporter& reporter)
      : function_(function),
        signature_(function.signature),
        scope_(scope),
        ops_(ops),
        payloads_(payloads),
        reporter_(reporter) {}

  std::optional<BodyGraph> run() {
    const size_t errors = reporter_.findings().errors();
    check();
    const bool good = reporter_.errors_count() && reporter_.findings().errors() == errors;
    if (!good || !whole_) return std::nullopt;
    BodyGraph graph{std::move(all_),
                    signature_.inputs.size(),
                    std::move(resolved_),
                    std::move(types_),
                    std::move(order_),
                    std::move(returned_),
                    scope_};
    check_frames(graph.nodes, graph.edges, reporter_);
    return graph;
  }

 private:
  void check() {
    Result<std::vector<Node>> nodes = body_nodes(*function_.function);
    if (!nodes) {
      reporter_.error("malformed-message", {}, nodes.error().message);
      return;
    }
    nodes_ = std::move(*nodes);
    check_signature();
    add_args();
    const NodeNames names(nodes_);
    check_names(nodes_, names, true, reporter_);
    for (const Node& node : nodes_) {
      add_node(node);
      if (items_.size() > kMaxTypes) return too_many_types();
    }
    check_edges();
    check_returns();
    whole_ = types_.size() <= kMaxTypes;
  }

  // The caller gives every attribute that the signature has and that has no default.
  void check_signature() {
    call_.bind(scope_, signature_);
    for (size_t i = 0; i < signature_.attrs.size(); ++i) {
      const AttrDef& attr = signature_.attrs[i];
      const auto value = call_.get(static_cast<int>(i));
      if (!value) {
        reporter_.error("attr-missing", {.attr = attr.name}, "Attr ", printable(attr.name, 100),
                        " is not found from ", summary(signature_));
      } else if (call_.given(static_cast<int>(i))) {
        if (const auto fault = value_fault(AttrValue(*value), attr)) {
          reporter_.error(fault->code, {.attr = attr.name}, fault->message, " for attr '",
                          attr.name, "'");
        }
      }
    }
  }

  void add_args() {
    for (const ArgDef& arg : signature_.inputs) {
      const std::vector<TypeRun> types = types_of(arg, call_, {});
      if (types.empty()) {
        reporter_.error("function-empty-list", {}, "Expected a list of at least one dtype In ",
                        quoted(arg.name));
      }
      check_name(arg.name);
      all_.push_back({{}, arg.name, "_Arg"});
      types_.add({}, types, true);
      if (!items_.add_arg(arg.name, arg.is_ref, types)) duplicate("arg", arg.name, {});
    }
    for (const ArgDef& output : signature_.outputs) {
      const std::string node = cat(output.name, "_RetVal");
      check_name(node);
      returns_.insert(node);
    }
  }

  // Arguments and returns become nodes.
  void check_name(std::string_view name) {
    if (is_node_name(name, true)) return;
    reporter_.error("bad-node-name", {.node = name}, "Node ", quoted(name),
                    ": Node name contains invalid characters");
  }

  void too_many_types() {
    reporter_.warning("too-many-types", {}, "Function ", quoted(function_.function->name),
                      " has more than ", kMaxTypes,
                      " tensors with these attributes; its body is not checked further");
  }

  void duplicate(std::string_view what, std::string_view name, const GraphPlace& spot) {
    reporter_.error("duplicate-node-name", spot, "Duplicated ", what,
                    " name: ", printable(name, 300));
  }

  // Returns the base types of an argument; references are checked along edges.
  std::vector<TypeRun> types_of(ArgDef arg, const NodeAttrs& attrs, const GraphPlace& spot) {
    arg.is_ref = false;
    std::vector<TypeRun> types;
    // TensorFlow takes `type` before `type_attr` here, and none of them for a type of its own.
    if (arg.type != DType::kInvalid) arg.type_attr = kNoAttr;
    const bool untyped = arg.type == DType::kInvalid && arg.type_attr == kNoAttr &&
                         arg.type_list_attr == kNoAttr && arg.number_attr == kNoAttr;
    if (untyped) return {{DType::kInvalid, 1}};
    const auto fault = append_types(arg, attrs, types);
    // Missing has been reported.
    if (!fault || fault->why == TypesFault::Why::kMissing) return types;
    const auto place = static_cast<size_t>(fault->attr);
    const std::vector<AttrDef>& defs = attrs.op().attrs;
    const std::string_view attr = place < defs.size() ? defs[place].name : "";
    reporter_.error(attr.empty() ? "bad-signature" : "attr-not-a-count",
                    {.node = spot.node, .attr = attr}, "The types of argument ", quoted(arg.name),
                    " do not follow from attr '", attr, "'");
    return types;
  }

  void add_node(const Node& node) {
    if (!items_.add_node(node.name) || returns_.count(node.name) > 0) {
      duplicate("ret", node.name, {.node = node.name});
    }
    const KnownOp& known = ops_.find(node.op);
    known_.push_back(known.def);
    check_op_known(node, ops_, known, reporter_);
    if (!known.def) {
      items_.make_opaque();
      return;
    }
    attrs_.bind(node, *known.def, &scope_);
    check_device(node, attrs_.device(), reporter_);
    if (!known.function) check_kernel(node, attrs_.device(), *known.def, reporter_);
    check_node_attrs(node);
    if (!known.function) check_left_out(node, attrs_, reporter_);
    for (const ArgDef& output : known.def->outputs) {
      items_.add_output(output.name, output.is_ref, types_of(output, attrs_, {.node = node.name}));
    }
  }

  void check_node_attrs(const Node& node) {
    for (const Attr& attr : attrs_of(node)) {
      if (!AttrValue(attr.value).is_set()) attr_without_value(node, attr.key);
      if (scope_.binds_all(attr.value)) continue;
      reporter_.error("unbound-placeholder", {.node = node.name, .attr = attr.key},
                      "Failed to bind all placeholders in ", printable(attr.key, 100));
    }
    for (size_t i = 0; i < attrs_.op().attrs.size(); ++i) {
      const AttrDef& def = attrs_.op().attrs[i];
      const auto value = attrs_.get(static_cast<int>(i));
      const GraphPlace spot{.node = node.name, .attr = def.name};
      if (!value && def.type.kind == AttrKind::kType) {
        reporter_.error("attr-missing", spot, "type attr not found: ", def.name, " In ",
                        quoted(node.name));
      } else if (!value) {
        reporter_.error("attr-missing", spot, "No attr named '", def.name, "' in NodeDef ",
                        quoted(node.name));
      } else if (attrs_.given(static_cast<int>(i))) {
        check_value(AttrValue(*value), def, spot);
      }
    }
    check_shape_attrs(node, attrs_, reporter_);
    if (node.op == "Const") check_constant(node, attrs_, payloads_, reporter_);
  }

  // Reports an attribute without a value. It is refused, whatever its purpose.
  void attr_without_value(const Node& node, std::string_view key) {
    const int place = attrs_.op().attr_index(key);
    const bool fixable =
        place != kNoAttr && attrs_.op().attrs[static_cast<size_t>(place)].default_value;
    reporter_.error("attr-empty", {.node = node.name, .attr = key, .fixable = fixable},
                    "Failed to bind all placeholders in <Unknown AttrValue type>, the value of ",
                    printable(key, 100));
  }

  // Checks the kind of a value. TensorFlow finds a wrong kind when it needs the attribute; import
  // always does if there is no default. It reads a type unchecked, and finds the fault along the
  // edges.
  void check_value(const AttrValue& value, const AttrDef& def, const GraphPlace& spot) {
    if (value.kind() == AttrKind::kPlaceholder || !value.is_set()) return;
    if (const auto fault = value_fault(value, def)) {
      if (def.default_value || def.type.kind == AttrKind::kType) {
        reporter_.warning(fault->code, spot, fault->message, " for attr '", def.name, "'");
      } else {
        reporter_.error(fault->code, spot, fault->message, " for attr '", def.name, "'");
      }
    } else if (const auto out_of_range = constraint_fault(value, def)) {
      reporter_.warning(out_of_range->code, spot, out_of_range->message);
    }
  }

  void check_edges() {
    BodyInputs inputs(items_, reporter_);
    edges_.resize(all_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      edges_.emplace_back();
      if (known_[i]) {
        attrs_.bind(nodes_[i], *known_[i], &scope_);
        edges_.back() = inputs.check(nodes_[i], attrs_);
      }
      add_types(known_[i]);
    }
    all_.insert(all_.end(), nodes_.begin(), nodes_.end());
    resolved_ = Edges(edges_);
    order_ = check_cycles(all_, resolved_, reporter_);
  }

  // Adds the types of the current node.
  void add_types(const OpDef* op) {
    std::vector<TypeRun> inputs;
    std::vector<TypeRun> outputs;
    const bool known = op && types_.size() <= kMaxTypes &&
                       !append_types(op->inputs, attrs_, inputs) &&
                       !append_types(op->outputs, attrs_, outputs);
    types_.add(inputs, outputs, known);
  }

  void check_returns() {
    const auto returns = sources_by_output(*function_.function);
    for (const ArgDef& output : signature_.outputs) {
      const auto found = returns.find(output.name);
      if (found == returns.end()) {
        reporter_.error("function-return", {}, "Return ", printable(output.name, 300),
                        " missing. In function output ", printable(output.name, 300));
      } else {
        check_return(output, found->second);
      }
    }
  }

  void check_return(const ArgDef& output, std::string_view source) {
    const std::vector<TypeRun> types = types_of(output, call_, {});
    const auto item = items_.find(source);
    if (!item && items_.is_opaque(source)) return;
    if (!item) {
      reporter_.error("function-return", {}, "Return ", printable(output.name, 300), " -> ",
                      printable(source, 300), " is not found.");
    } else if (types.empty() || !same_types(types, item->types())) {
      reporter_.error("function-return", {}, "Invalid ret types ", printable(output.name, 300),
                      " : ", to_text(types), " vs. ", to_text(item->types()));
    } else {
      add_returned(*item);
    }
  }

  void add_returned(const BodyItem& item) {
    constexpr uint64_t kMaxReturned = 65536;
    const uint64_t count = std::min(size_of(item.types()), kMaxReturned - returned_.size());
    for (uint32_t i = 0; i < count; ++i) {
      returned_.push_back({items_.node_of(item), item.port + i, false});
    }
  }

  const LibraryFunction& function_;
  const OpDef& signature_;
  const AttrScope& scope_;
  KnownOps& ops_;
  const Payloads& payloads_;
  const Reporter& reporter_;
  std::vector<Node> nodes_;
  std::vector<const OpDef*> known_;             // of each node
  std::set<std::string, std::less<>> returns_;  // names of the nodes that returns become
  BodyItems items_;
  NodeAttrs call_;   // the attributes of the call
  NodeAttrs attrs_;  // of the current node
  // The members of the BodyGraph in the making.
  std::vector<Node> all_;
  std::vector<std::vector<Edge>> edges_;
  Edges resolved_;  // the same
  TypeTable types_;
  std::vector<uint32_t> order_;
  std::vector<Edge> returned_;
  bool whole_ = false;
};

}  // namespace

std::optional<BodyGraph> check_body(const LibraryFunction& function, const AttrScope& scope,
                                    KnownOps& ops, const Payloads& payloads,
                                    const Reporter& reporter) {
  return BodyCheck(function, scope, ops, payloads, reporter).run();
}

}  // namespace cryo
