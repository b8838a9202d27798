#include "passes/common/call_body.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "graph/bound_value.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "validate/graph/body_items.h"

namespace cryo {
namespace {

// Tensors that one body's node may take or a call may give: a list of types in a few bytes can ask
// for 2^31.
constexpr uint64_t kMaxTensors = 65536;

// More control inputs of a call than these are gathered in one node, not repeated for many.
constexpr size_t kFewControls = 2;

Failure at_fault(const LibraryFunction& function, std::string_view node, std::string_view code,
                 std::string_view message, std::string_view fix) {
  return failure(code, cat("function '", function.function->name, "': ", message),
                 {.function = function.function->name, .node = std::string(node)}, fix);
}

class Body {
 public:
  Body(const Node& node, const FunctionCall& call, const LibraryFunction& function, KnownOps& ops,
       FreshNames& names, GrowthBudget& budget)
      : caller_(node),
        function_(function),
        scope_(call.attrs, &function.signature),
        ops_(ops),
        fresh_(names),
        budget_(budget) {}

  Result<CallBody> run(bool gated);

 private:
  Status take_inputs();
  void add_node(const Node& node);
  Status add_all_nodes();
  Status gather_controls(bool gated);
  Status spend(uint64_t bytes) { return budget_.spend(bytes, caller_.name); }
  Status add_instance(size_t index);
  Result<std::vector<std::string>> inputs_of(const Node& node);
  Status append(std::string_view text, std::string_view node, std::vector<std::string>& tensors);
  Status append_assumed(std::string_view text, std::vector<std::string>& tensors);
  std::string control(std::string_view text) const;
  std::vector<std::string> colocation_of(const Node& node) const;
  Status find_outputs();
  void find_controls();
  std::string tensor(std::string_view node, uint64_t port) const {
    return port == 0 ? std::string(node) : cat(node, ":", port);
  }

  const Node& caller_;
  const LibraryFunction& function_;
  const AttrScope scope_;
  KnownOps& ops_;
  FreshNames& fresh_;
  GrowthBudget& budget_;
  std::vector<Node> nodes_;
  std::vector<std::string> names_;  // of each node, in the main graph
  std::unordered_map<std::string_view, size_t> names_of_body_;
  std::unordered_map<std::string_view, std::string_view> opaque_outputs_;  // the one that is used
  BodyItems items_;
  std::vector<std::string> inputs_;    // data inputs of the call
  std::vector<std::string> controls_;  // its control inputs
  std::vector<std::string> gates_;     // control inputs for nodes without inputs
  std::vector<size_t> arg_starts_;     // in inputs_
  std::vector<TypeRun> arg_types_;
  NodeAttrs attrs_;
  CallBody body_;
};

// The call's inputs, and the function's arguments that stand for them.
Status Body::take_inputs() {
  for (const std::string_view input : caller_.inputs()) {
    (input.starts_with('^') ? controls_ : inputs_).emplace_back(input);
  }
  attrs_.bind(scope_, function_.signature);
  size_t start = 0;
  for (const ArgDef& arg : function_.signature.inputs) {
    std::vector<TypeRun> types;
    append_types(arg, attrs_, types);
    append_types(arg, attrs_, arg_types_);
    items_.add_arg(arg.name, arg.is_ref, types);
    arg_starts_.push_back(start);
    start += size_of(types);
  }
  if (start == inputs_.size()) return Unit{};
  return failure("call-arguments",
                 cat("'", caller_.name, "' gives ", inputs_.size(), " inputs to function '",
                     function_.function->name, "', which takes ", start),
                 {.node = caller_.name}, "validate the graph to see all its faults");
}

void Body::add_node(const Node& node) {
  items_.add_node(node.name);
  const KnownOp& known = ops_.find(node.op);
  if (known.def == nullptr) return items_.make_opaque();
  attrs_.bind(node, *known.def, &scope_);
  for (const ArgDef& output : known.def->outputs) {
    std::vector<TypeRun> types;
    append_types(output, attrs_, types);
    items_.add_output(output.name, output.is_ref, types);
  }
}

// A NoOp that runs when the call would have run: after its control inputs, and `gated` also where
// its data inputs are alive. It waits for those by an Identity each: a Switch runs even where its
// output is dead.
Status Body::gather_controls(bool gated) {
  const bool many = controls_.size() > kFewControls;
  if (!many && !gated) return Unit{};
  const uint64_t per_node =
      GrowthBudget::kNodeBytes + 4 * (caller_.name.size() + GrowthBudget::kMaxSuffix);
  CHECK_OK(spend(caller_.bytes.size() + (1 + (gated ? inputs_.size() : 0)) * per_node));
  const std::string name = fresh_.take(cat(caller_.name, "/control_inputs"));
  NodeEditor gate(name, "NoOp");
  for (size_t i = 0; gated && i < inputs_.size(); ++i) {
    const std::string copy = fresh_.take(cat(caller_.name, "/input_", i));
    NodeEditor identity(copy, "Identity");
    const DType type = base(type_at(arg_types_, i).value_or(DType::kInvalid));
    identity.add_input(inputs_[i]).set_attr("T", type_value(type));
    body_.nodes.push_back(identity.set_device(device_of(caller_)).finish());
    inputs_[i] = copy;
    gate.add_input(cat("^", copy));
  }
  for (const std::string& each : controls_) gate.add_input(each);
  body_.nodes.push_back(gate.set_device(device_of(caller_)).finish());
  if (gated) gates_ = {cat("^", name)};
  if (many) controls_ = {cat("^", name)};
  return Unit{};
}

// "custom:out:1" of an op that is not known: right if that op has no other output argument.
Status Body::append_assumed(std::string_view text, std::vector<std::string>& tensors) {
  const std::string_view name = body_node_name(text);
  const size_t index = names_of_body_.at(name);
  const size_t first = text.find(':');
  const size_t last = text.rfind(':');
  const std::string_view output =
      first == std::string_view::npos ? "" : text.substr(first + 1, last - first - 1);
  const auto [known, added] = opaque_outputs_.emplace(name, output);
  if (first == last || known->second != output) {
    return at_fault(function_, name, "unknown-op",
                    cat("the outputs of '", name, "' are unknown: there is no definition of op ",
                        nodes_[index].op),
                    "give a model that brings the op's definition (a .meta or SavedModel)");
  }
  if (added) body_.assumed.emplace_back(nodes_[index].op);
  const std::string_view port = text.substr(last + 1);
  CHECK_OK(spend(names_[index].size() + port.size()));
  tensors.push_back(port == "0" ? names_[index] : cat(names_[index], ":", port));
  return Unit{};
}

// The tensors that a body's text names, as the main graph names them.
Status Body::append(std::string_view text, std::string_view node,
                    std::vector<std::string>& tensors) {
  const auto item = items_.find(text);
  if (!item && items_.is_opaque(text)) return append_assumed(text, tensors);
  if (!item) {
    return at_fault(function_, node, "unknown-input-node",
                    cat("input ", text, " is not found: '", node, "'"),
                    "validate the graph to see all its faults");
  }
  const uint64_t count = size_of(item->types());
  if (tensors.size() + count > kMaxTensors) {
    return at_fault(function_, node, "too-large",
                    cat("'", node, "' has more than ", kMaxTensors, " tensors"), "");
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t port = item->port + i;
    CHECK_OK(spend(item->is_arg
                       ? inputs_[static_cast<size_t>(arg_starts_[item->owner] + port)].size()
                       : names_[item->owner].size() + GrowthBudget::kMaxSuffix));
    tensors.push_back(item->is_arg ? inputs_[static_cast<size_t>(arg_starts_[item->owner] + port)]
                                   : tensor(names_[item->owner], port));
  }
  return Unit{};
}

// Returns "^node" or "^arg"; empty if there is none of the name.
std::string Body::control(std::string_view text) const {
  const auto item = items_.find_control(text);
  if (!item) return {};
  if (!item->is_arg) return cat("^", names_[item->owner]);
  const size_t place = arg_starts_[item->owner] + item->port;
  if (place >= inputs_.size()) return {};
  return cat("^", parse_tensor_name(inputs_[place]).node);
}

Result<std::vector<std::string>> Body::inputs_of(const Node& node) {
  std::vector<std::string> inputs;
  std::vector<std::string> controls;
  bool waits = false;  // for another node of the body
  bool any = false;
  for (const std::string_view input : node.inputs()) {
    const bool is_control = input.starts_with('^');
    const auto item = is_control ? items_.find_control(input.substr(1)) : items_.find(input);
    waits = waits || (item && !item->is_arg);
    any = true;
    if (!is_control) CHECK_OK(append(input, node.name, inputs));
    if (is_control) controls.push_back(control(input.substr(1)));
  }
  const std::vector<std::string>& before = any || gates_.empty() ? controls_ : gates_;
  if (!waits) controls.insert(controls.end(), before.begin(), before.end());
  std::unordered_set<std::string_view> known;
  for (const std::string& each : controls) {
    if (each.empty() || !known.insert(each).second) continue;
    CHECK_OK(spend(each.size()));
    inputs.push_back(each);
  }
  return inputs;
}

// Returns "loc:@" of nodes of the body, or of arguments; others are removed.
std::vector<std::string> Body::colocation_of(const Node& node) const {
  std::vector<std::string> partners;
  for (const std::string_view partner : colocations(node)) {
    const std::string name = control(partner);
    if (!name.empty()) partners.push_back(cat("loc:@", name.substr(1)));
  }
  return partners;
}

Status Body::add_instance(size_t index) {
  const Node& node = nodes_[index];
  TRY(inputs, inputs_of(node));
  NodeEditor editor(node);
  editor.set_name(names_[index]).set_inputs(std::move(inputs));
  if (device_of(node).empty()) editor.set_device(device_of(caller_));
  for (const Attr& attr : attrs_of(node)) {
    std::string value = bound_value(attr.value, scope_);
    CHECK_OK(spend(value.size() - std::min(value.size(), attr.value.size())));
    editor.set_attr(attr.key, std::move(value));
  }
  if (const auto frame = string_attr(node, "frame_name")) {
    editor.set_attr("frame_name", string_value(cat(caller_.name, "/", *frame)));
  }
  const std::vector<std::string> partners = colocation_of(node);
  if (partners.empty()) editor.erase_attr("_class");
  if (!partners.empty()) editor.set_attr("_class", string_list_value(partners));
  body_.nodes.push_back(editor.finish());
  return Unit{};
}

Status Body::find_outputs() {
  attrs_.bind(scope_, function_.signature);
  const auto sources = sources_by_output(*function_.function);
  std::vector<TypeRun> types;
  for (const ArgDef& output : function_.signature.outputs) {
    append_types(output, attrs_, types);
    const auto source = sources.find(output.name);
    const std::string_view text = source == sources.end() ? std::string_view() : source->second;
    CHECK_OK(append(text, output.name, body_.outputs));
  }
  for (size_t i = 0; i < body_.outputs.size(); ++i) {
    body_.types.push_back(static_cast<int>(type_at(types, i).value_or(DType::kInvalid)));
  }
  return Unit{};
}

// A call has run when the body's control returns have. Functions of TensorFlow 1 have none, and
// then it has when its outputs are there.
void Body::find_controls() {
  for (const FunctionReturn& each : control_returns_of(*function_.function)) {
    const std::string name = control(each.source);
    if (!name.empty()) body_.controls.push_back(name);
  }
  if (body_.controls.empty()) body_.controls = gates_.empty() ? controls_ : gates_;
  if (is_call(caller_.op)) return;
  for (const std::string& output : body_.outputs) {
    body_.controls.push_back(cat("^", parse_tensor_name(output).node));
  }
}

Status Body::add_all_nodes() {
  const uint64_t each = GrowthBudget::kNodeBytes + caller_.name.size() + device_of(caller_).size();
  for (const Node& node : nodes_) {
    const uint64_t frame = string_attr(node, "frame_name") ? caller_.name.size() : 0;
    CHECK_OK(spend(each + frame + node.bytes.size()));
    add_node(node);
    names_of_body_.emplace(node.name, names_.size());
    names_.push_back(fresh_.take(cat(caller_.name, "/", node.name)));
  }
  return Unit{};
}

Result<CallBody> Body::run(bool gated) {
  TRY(nodes, body_nodes(*function_.function));
  nodes_ = std::move(nodes);
  CHECK_OK(take_inputs());
  CHECK_OK(add_all_nodes());
  CHECK_OK(gather_controls(gated && !inputs_.empty()));
  for (size_t i = 0; i < nodes_.size(); ++i) CHECK_OK(add_instance(i));
  CHECK_OK(find_outputs());
  find_controls();
  return std::move(body_);
}

}  // namespace

Result<CallBody> body_of_call(const Node& node, const FunctionCall& call,
                              const LibraryFunction& function, KnownOps& ops, FreshNames& names,
                              GrowthBudget& budget, bool gated) {
  return Body(node, call, function, ops, names, budget).run(gated);
}

bool has_switches_or_frames(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return is_switch(node.op) || node.op == "_SwitchN" || node.op == "Enter" ||
           node.op == "RefEnter";
  });
}

}  // namespace cryo
