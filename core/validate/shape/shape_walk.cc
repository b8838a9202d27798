#include "validate/shape/shape_walk.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/utf8.h"
#include "validate/graph/calls.h"
#include "validate/graph/shapes.h"

namespace cryo {
namespace {

const Shape kUnknown = unknown_shape();

// An op with this many outputs is not inferred.
constexpr uint64_t kMaxOutputs = 1 << 16;

// Calls go this deep, and over so many nodes in all: functions that call each other twice each
// would take for ever.
constexpr int kMaxCallDepth = 100;
constexpr uint64_t kMaxCalledNodes = 3'000'000;

// Ops that read the type of the variable of a resource handle.
constexpr auto kVariableOps = std::to_array<std::string_view>(
    {"AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp", "ReadVariableOp",
     "ResourceGather", "ResourceGatherNd", "ResourceScatterAdd", "ResourceScatterDiv",
     "ResourceScatterMax", "ResourceScatterMin", "ResourceScatterMul", "ResourceScatterSub",
     "ResourceScatterUpdate"});

uint64_t place_of(uint32_t node, uint32_t port) { return (uint64_t{node} << 32) | port; }

// One node's inputs, by their values.
class InputValues : public ShapeCall::Values {
 public:
  InputValues(const ShapeWalk& walk, uint32_t node) : walk_(walk), node_(node) {}
  std::optional<KnownInts> ints(size_t input) const override {
    return walk_.ints(walk_.inputs_of(node_)[input], &broken_);
  }
  Shape as_shape(size_t input) const override {
    const Edge& edge = walk_.inputs_of(node_)[input];
    const auto known = walk_.constant(edge);
    const bool whole = !known || known->dtype == DType::kInt32 || known->dtype == DType::kInt64;
    broken_ = broken_ || (!whole && known->count > 0);  // a shape is read as integers
    return walk_.as_shape(edge);
  }
  std::optional<KnownConstant> constant(size_t input) const override {
    return walk_.constant(walk_.inputs_of(node_)[input]);
  }
  const Shape* behind_handle(size_t input) const override {
    const BehindHandle* behind = walk_.behind(walk_.inputs_of(node_)[input]);
    return behind == nullptr ? nullptr : &behind->shape;
  }
  bool broken() const { return broken_; }

 private:
  const ShapeWalk& walk_;
  const uint32_t node_;
  mutable bool broken_ = false;
};

}  // namespace

size_t ShapeHash::operator()(const Shape& shape) const {
  const auto* bytes = reinterpret_cast<const char*>(shape.dims.data());
  const size_t hash = std::hash<std::string_view>()({bytes, shape.dims.size() * sizeof(int64_t)});
  return shape.unknown_rank ? hash + 1 : hash;
}

ShapeWalk::ShapeWalk(const BodyGraph& body, const ShapeWalk& outer, uint32_t call,
                     const Reporter& reporter)
    : graph_{body.nodes, body.edges, body.types, body.order},
      work_(outer.work_),
      reporter_(reporter),
      places_(body.nodes.size()),
      outer_{&body, &outer, call, {}, outer.outer_.depth + 1} {
  take_arguments();
}

void ShapeWalk::run() {
  const size_t arguments = outer_.body ? outer_.body->args : 0;
  for (const uint32_t node : graph_.order) {
    if (node >= arguments) visit(node);
  }
}

const Shape& ShapeWalk::shape_of(const Edge& edge) const {
  if (edge.control || edge.node == kNoNode) return kUnknown;
  const OutputRange& place = places_[edge.node];
  return edge.port < place.count ? *shapes_[place.start + edge.port] : kUnknown;
}

const BehindHandle* ShapeWalk::behind(const Edge& edge) const {
  const auto found = handles_.find(place_of(edge.node, edge.port));
  return found == handles_.end() ? nullptr : &found->second;
}

// The call's input that an argument's tensor is.
std::optional<Edge> ShapeWalk::argument(const Edge& edge) const {
  if (!outer_.body || edge.node >= outer_.body->args) return std::nullopt;
  computed_.asked_outside = true;
  const size_t place = outer_.argument_starts[edge.node] + edge.port;
  const auto inputs = outer_.walk->inputs_of(outer_.node);
  return place < inputs.size() ? std::optional<Edge>(inputs[place]) : std::nullopt;
}

void ShapeWalk::take_arguments() {
  const auto inputs = outer_.walk->inputs_of(outer_.node);
  size_t place = 0;
  for (uint32_t arg = 0; arg < outer_.body->args; ++arg) {
    const uint64_t count = size_of(graph_.types.outputs(arg));
    current_.outputs.clear();
    outer_.argument_starts.push_back(place);
    for (uint32_t port = 0; port < count && place < inputs.size(); ++port, ++place) {
      current_.outputs.push_back(outer_.walk->shape_of(inputs[place]));
      const BehindHandle* behind = outer_.walk->behind(inputs[place]);
      if (behind != nullptr) handles_[place_of(arg, port)] = *behind;
    }
    keep(arg);
  }
}

void ShapeWalk::keep(uint32_t node) {
  const bool reported = std::any_of(current_.outputs.begin(), current_.outputs.end(),
                                    [](const Shape& shape) { return !shape.unknown_rank; });
  if (!reported) return;
  places_[node] = {shapes_.size(), static_cast<uint32_t>(current_.outputs.size())};
  for (Shape& shape : current_.outputs) {
    shapes_.push_back(&*work_.pool.insert(std::move(shape)).first);
  }
}

void ShapeWalk::visit(uint32_t node) {
  if (!graph_.types.known(node)) return;
  const KnownOp& known = work_.ops.find(graph_.nodes[node].op);
  current_.attrs.bind(graph_.nodes[node], *known.def, outer_.body ? &outer_.body->scope : nullptr);
  current_.outputs.clear();
  if (!infer(node, known)) current_.outputs.clear();
  if (!outer_.body) annotate(node);
  keep(node);
}

// False if the node has a fault, and nothing is known of its outputs.
bool ShapeWalk::infer(uint32_t node, const KnownOp& known) {
  current_.inputs.clear();
  for (const Edge& edge : inputs_of(node)) {
    if (edge.control || edge.node == kNoNode) break;
    current_.inputs.push_back(&shape_of(edge));
  }
  if (current_.inputs.size() != size_of(graph_.types.inputs(node)))
    return true;  // has been reported
  if (known.names_functions) {
    const auto* function = called(graph_.nodes[node], known);
    if (function) follow(*function, node);
    if (function || known.function) return true;
  }
  // An empty list, has been reported, too.
  if (current_.inputs.empty() && !current_.attrs.op().inputs.empty()) return true;
  return reads_right_type(node) && call_rule(node, known);
}

ShapeRule ShapeWork::rule_of(const KnownOp& known, std::string_view op) {
  ShapeRule& rule = rules[&known];
  if (rule == nullptr) rule = find_shape_rule(op);
  return rule;
}

bool ShapeWalk::call_rule(uint32_t node, const KnownOp& known) {
  const Node& of = graph_.nodes[node];
  const InputValues values(*this, node);
  ShapeCall call(current_.attrs, current_.inputs, values, work_.producer, current_.outputs);
  const bool good = rules::ranks_fit(call) && work_.rule_of(known, of.op)(call);
  if (call.unreadable()) {
    stays_placeholder({.node = of.name}, reporter_);
    return false;
  }
  if (values.broken()) {
    error("const-not-read", {.node = of.name},
          "Unable to evaluate a constant node: the value of an input of ", call_text(node));
    return false;
  }
  if (!good) {
    error("shape-mismatch", {.node = of.name}, call.fault(), " for ", call_text(node));
    return false;
  }
  remember_handle(node, call);
  return of.op != "_Arg" || note_handle(node);
}

// Returns the function that a node calls; null if it calls none, or if import does not check it.
const BodyGraphs::value_type* ShapeWalk::called(const Node& node, const KnownOp& known) const {
  if (work_.bodies.empty() || outer_.depth >= kMaxCallDepth || work_.steps > kMaxCalledNodes)
    return nullptr;
  const auto call = call_of(node, known, outer_.body ? &outer_.body->scope : nullptr);
  if (!call || !call->followed) return nullptr;
  const auto found = work_.bodies.find(work_.ops.library().find(call->function));
  return found == work_.bodies.end() ? nullptr : &*found;
}

// A call whose arguments have the shapes of an earlier one's has the same results, unless values or
// handles were involved.
void ShapeWalk::follow(const BodyGraphs::value_type& called, uint32_t call) {
  const BodyGraph& body = called.second;
  std::pair key(&body, current_.inputs);
  const auto known = work_.returned.find(key);
  if (known != work_.returned.end()) {
    for (const Shape* shape : known->second) current_.outputs.push_back(*shape);
    return;
  }
  work_.steps += body.nodes.size();
  const Reporter reporter(reporter_.findings(), called.first->function->name);
  ShapeWalk inner(body, *this, call, reporter);
  inner.run();
  std::vector<const Shape*> returned;
  for (const Edge& edge : body.returns) {
    const BehindHandle* behind = inner.behind(edge);
    if (behind != nullptr) {
      handles_[place_of(call, static_cast<uint32_t>(current_.outputs.size()))] = *behind;
    }
    returned.push_back(&inner.shape_of(edge));
    current_.outputs.push_back(*returned.back());
  }
  const bool by_shapes = inner.handles_.empty() && !inner.computed_.asked_outside;
  if (by_shapes) work_.returned.emplace(std::move(key), std::move(returned));
}

// Returns true if a read or an assignment has the type of its variable.
bool ShapeWalk::reads_right_type(uint32_t node) {
  const Node& of = graph_.nodes[node];
  if (handles_.empty()) return true;
  if (!std::binary_search(kVariableOps.begin(), kVariableOps.end(), of.op)) return true;
  const BehindHandle* behind = this->behind(inputs_of(node)[0]);
  const DType read = AttrValue(current_.attrs.get("dtype").value_or("")).type();
  if (behind == nullptr || behind->dtype == DType::kInvalid || behind->dtype == read) return true;
  error("variable-type", {.node = of.name, .input = 0, .attr = "dtype"},
        "Trying to read variable with wrong dtype. Expected ", op_type_name(behind->dtype), " got ",
        op_type_name(read), " for ", call_text(node));
  return false;
}

// Records the known type and shape of a handle from outside of the graph.
bool ShapeWalk::note_handle(uint32_t node) {
  const auto dtypes = current_.attrs.internal("_handle_dtypes");
  const auto shapes = current_.attrs.internal("_handle_shapes");
  const DType type = AttrValue(current_.attrs.get("T").value_or("")).type();
  if (type != DType::kResource || !dtypes || !shapes) return true;
  std::vector<DType> types;
  AttrValue(*dtypes).each_number(AttrKind::kType, [&](int64_t number) {
    types.push_back(static_cast<DType>(static_cast<int32_t>(number)));
  });
  std::vector<std::string_view> messages;
  AttrValue(*shapes).each_bytes(AttrKind::kShape,
                                [&](std::string_view each) { messages.push_back(each); });
  const auto shape = messages.empty() ? std::nullopt : parse_shape(messages[0], false);
  if (types.empty() || !shape) {
    error("shape-mismatch", {.node = graph_.nodes[node].name},
          types.empty() ? "Invalid \"_handle_dtypes\"" : "Invalid \"_handle_shapes\"",
          " attribute value for _Arg node: ", call_text(node));
    return false;
  }
  handles_[place_of(node, 0)] = {*shape, types[0]};
  return true;
}

// Records the contents of a handle: a variable's shape, or that of an array's elements.
void ShapeWalk::remember_handle(uint32_t node, const ShapeCall& call) {
  const std::string_view op = graph_.nodes[node].op;
  if (op == "VarHandleOp") {
    auto shape = call.shape_attr("shape");
    const DType dtype = AttrValue(current_.attrs.get("dtype").value_or("")).type();
    if (shape) handles_[place_of(node, 0)] = {std::move(*shape), dtype};
  } else if (op == "TensorArrayV3") {
    auto shape = call.shape_attr("element_shape");
    const bool all_alike = call.flag("identical_element_shapes");
    if (shape && (all_alike || is_fully_defined(*shape))) {
      handles_[place_of(node, 0)] = {std::move(*shape), DType::kInvalid};
    }
  } else if (op == "Identity" || op == "Enter" || op == "Switch") {
    const BehindHandle* found = behind(inputs_of(node)[0]);
    if (found == nullptr) return;
    const BehindHandle copy = *found;
    handles_[place_of(node, 0)] = copy;
    if (op == "Switch") handles_[place_of(node, 1)] = copy;
  }
}

// Adopts the exporter's `_output_shapes` if they are more precise than the inferred ones.
void ShapeWalk::annotate(uint32_t node) {
  const auto attr = current_.attrs.internal("_output_shapes");
  const uint64_t declared = size_of(graph_.types.outputs(node));
  if (!attr || declared > kMaxOutputs) return;
  const auto count = static_cast<size_t>(declared);
  const AttrValue value(*attr);
  if (value.count(AttrKind::kShape) < count) return;  // has been reported
  current_.outputs.resize(count, kUnknown);
  size_t place = 0;
  value.each_bytes(AttrKind::kShape, [&](std::string_view message) {
    const size_t at = place++;
    const auto shape = at < count ? parse_shape(message, false) : std::nullopt;
    std::string fault;
    if (!shape || merge_shapes(current_.outputs[at], *shape, current_.outputs[at], fault)) return;
    const std::string_view name = graph_.nodes[node].name;
    reporter_.error("output-shapes-wrong",
                    {.node = name, .attr = "_output_shapes", .fixable = true}, "Node ",
                    quoted(name),
                    " has an _output_shapes attribute inconsistent with the GraphDef for output #",
                    at, ": ", fault);
  });
}

// "'{{node mm}} = MatMul(x, w)' with input shapes: [?,2], [3,2]."
std::string ShapeWalk::call_text(uint32_t node) const {
  constexpr size_t kMax = 10;
  std::vector<std::string> names;
  std::vector<std::string> shapes;
  for (const Edge& edge : inputs_of(node)) {
    if (edge.control || edge.node == kNoNode) break;
    names.push_back(names.size() < kMax ? printable(graph_.nodes[edge.node].name, 100) : "");
    const Shape& shape = shape_of(edge);
    shapes.push_back(shapes.size() >= kMax ? "" : shape.unknown_rank ? "?" : to_text(shape));
  }
  return cat("'{{node ", printable(graph_.nodes[node].name, 300),
             "}} = ", printable(graph_.nodes[node].op, 100), "(", join(names, ", ", kMax),
             ")' with input shapes: ", join(shapes, ", ", kMax), ".");
}

}  // namespace cryo
