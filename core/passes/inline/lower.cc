#include "passes/inline/lower.h"

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/node_editor.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "tensor/content.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr int64_t kParallelIterations = 10;  // While's default

// Nodes made of each value for each branch, at most: Enter, Merge, Switch, Exit, NextIteration.
constexpr uint64_t kNodesOfValue = 5;
constexpr uint64_t kNamesInNode = 3;  // its own, and what it takes
constexpr int kBool = static_cast<int>(DType::kBool);
constexpr int kInt32 = static_cast<int>(DType::kInt32);

using Names = std::vector<std::string>;
using Types = std::vector<int>;

Types types_in(const Node& node, std::string_view attr) {
  Types types;
  const AttrValue value(find_attr(node, attr).value_or(""));
  value.each_number(AttrKind::kType,
                    [&](int64_t type) { types.push_back(static_cast<int>(type)); });
  return types;
}

std::string tensor_text(std::string_view node, size_t port) {
  return port == 0 ? std::string(node) : cat(node, ":", port);
}

std::string control(std::string_view node) { return cat("^", node); }

// A function that the node calls.
struct Callee {
  std::string func = {};  // AttrValue
  const LibraryFunction* function = nullptr;
  bool has_effects = false;  // it has control returns, which are to be waited for
};

// State of each value of a loop.
struct LoopValues {
  std::vector<bool> invariant = {};
  Names values = {};  // the arguments of the condition, and then of the body
  Names next = {};    // the NextIteration's name
};

class Lowering {
 public:
  Lowering(const Node& node, const Library& library, FreshNames& names, GrowthBudget& budget,
           Payloads& payloads)
      : node_(node), library_(library), fresh_(names), budget_(budget), payloads_(payloads) {
    for (const std::string_view input : node.inputs()) {
      (input.starts_with('^') ? controls_ : inputs_).emplace_back(input);
    }
  }

  Result<CallBody> loop();
  Result<CallBody> branches();

 private:
  std::string name(std::string_view what) { return fresh_.take(cat(node_.name, "/", what)); }
  NodeEditor begin(std::string_view name, std::string_view op, Names inputs) const;
  std::string add(std::string_view what, std::string_view op, Names inputs, int type);
  std::string add_call(std::string_view what, const Callee& callee, Names inputs);
  std::string add_bool(std::string tensor, int type);
  std::string add_merge(std::string_view what, Names inputs, int type);
  Result<Callee> callee(std::string_view func) const;
  Status spend(uint64_t values, uint64_t branches);
  Failure bad_call(std::string_view has) const;

  std::vector<bool> invariants(const Callee& body) const;
  std::string add_enter(size_t i);
  void enter_loop();
  void switch_values(const Callee& cond);
  void go_round(const Callee& body);

  Result<std::vector<Callee>> branch_functions() const;
  Result<std::string> is_branch(const std::string& index, size_t branch, int type);
  void end_branches(const std::vector<Callee>& functions, const Names& calls, const Names& pivots,
                    int pivot_type);

  const Node& node_;
  const Library& library_;
  FreshNames& fresh_;
  GrowthBudget& budget_;
  Payloads& payloads_;
  Names inputs_;
  Names controls_;
  CallBody body_;

  LoopValues loop_;
};

NodeEditor Lowering::begin(std::string_view name, std::string_view op, Names inputs) const {
  NodeEditor editor(name, op);
  editor.set_inputs(std::move(inputs)).set_device(device_of(node_));
  return editor;
}

std::string Lowering::add(std::string_view what, std::string_view op, Names inputs, int type) {
  std::string made = name(what);
  NodeEditor editor = begin(made, op, std::move(inputs));
  body_.nodes.push_back(editor.set_attr("T", type_value(type)).finish());
  return made;
}

std::string Lowering::add_merge(std::string_view what, Names inputs, int type) {
  std::string made = name(what);
  const auto count = static_cast<int64_t>(inputs.size());
  NodeEditor editor = begin(made, "Merge", std::move(inputs));
  editor.set_attr("N", int_value(count)).set_attr("T", type_value(type));
  body_.nodes.push_back(editor.finish());
  return made;
}

std::string Lowering::add_call(std::string_view what, const Callee& callee, Names inputs) {
  std::string made = name(what);
  NodeEditor editor = begin(made, "StatefulPartitionedCall", std::move(inputs));
  body_.nodes.push_back(editor.set_attr("f", callee.func).finish());
  return made;
}

// A condition of another type is true as Python has it: not zero, not empty.
std::string Lowering::add_bool(std::string tensor, int type) {
  return type == kBool ? tensor : add("ToBool", "ToBool", {std::move(tensor)}, type);
}

Result<Callee> Lowering::callee(std::string_view func) const {
  const std::string_view function =
      last_bytes(last_bytes(func, fields::AttrValue::kFunc), fields::NameAttrList::kName);
  Callee callee{std::string(func), library_.find(function)};
  if (callee.function == nullptr) {
    return failure("unknown-function",
                   cat("'", node_.name, "' calls '", function, "', which is not in the library"),
                   {.node = node_.name}, "validate the graph to see all its faults");
  }
  callee.has_effects = !control_returns_of(*callee.function->function).empty();
  return callee;
}

Failure Lowering::bad_call(std::string_view has) const {
  return failure("call-arguments", cat("'", node_.name, "' has ", has), {.node = node_.name},
                 "validate the graph to see all its faults");
}

// Spends what `values` values and a pivot take in each branch: a list of types in a few bytes can
// ask for very many.
Status Lowering::spend(uint64_t values, uint64_t branches) {
  const uint64_t names = kNamesInNode * (node_.name.size() + GrowthBudget::kMaxSuffix);
  uint64_t each = kNodesOfValue * (GrowthBudget::kNodeBytes + device_of(node_).size() + names);
  for (const std::string& control : controls_) each += control.size();  // each value waits for all
  CHECK_OK(budget_.spend(node_.bytes.size(), node_.name));
  return budget_.spend((values + 1) * branches, node_.name, each);
}

// Returns for each value if the body returns it unchanged. A loop in which nothing changes counts
// as having none: one value must be passed on.
std::vector<bool> Lowering::invariants(const Callee& body) const {
  std::vector<bool> invariant(inputs_.size(), false);
  const auto view = resolve_body(*body.function->function);
  const size_t count = inputs_.size();
  if (!view || view->arg_count != count || view->returns.size() != count) return invariant;
  size_t found = 0;
  for (size_t i = 0; i < count; ++i) {
    const Edge at = skip_identities(view->nodes, view->edges, view->returns[i]);
    invariant[i] = at.node == i && !at.control;
    found += invariant[i];
  }
  return found < count ? invariant : std::vector<bool>(count, false);
}

std::string Lowering::add_enter(size_t i) {
  std::string made = name("Enter");
  Names inputs = {inputs_[i]};
  inputs.insert(inputs.end(), controls_.begin(), controls_.end());
  NodeEditor editor = begin(made, "Enter", std::move(inputs));
  editor.set_attr("T", type_value(body_.types[i]));
  editor.set_attr("frame_name", string_value(node_.name));
  editor.set_attr("is_constant", bool_value(loop_.invariant[i]));
  const auto parallel = int_attr(node_, "parallel_iterations");
  editor.set_attr("parallel_iterations", int_value(parallel.value_or(kParallelIterations)));
  body_.nodes.push_back(editor.finish());
  return made;
}

// Makes the Enter of each value and, except for invariants, its Merge with the next iteration.
void Lowering::enter_loop() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    std::string entered = add_enter(i);
    loop_.next.push_back(loop_.invariant[i] ? std::string() : name("NextIteration"));
    if (!loop_.invariant[i]) entered = add_merge("Merge", {entered, loop_.next[i]}, body_.types[i]);
    loop_.values.push_back(std::move(entered));
  }
}

// Switches values by the condition: a value leaves if it is false, else the body gets it.
void Lowering::switch_values(const Callee& cond) {
  const std::string asked = add_call("cond", cond, loop_.values);
  const int type = static_cast<int>(cond.function->signature.outputs.front().type);
  const std::string loop_cond = name("LoopCond");
  NodeEditor editor = begin(loop_cond, "LoopCond", {add_bool(asked, type)});
  if (cond.has_effects) editor.add_input(control(asked));
  body_.nodes.push_back(editor.finish());
  for (size_t i = 0; i < loop_.values.size(); ++i) {
    body_.outputs.push_back(inputs_[i]);
    if (loop_.invariant[i]) continue;
    const std::string taken = add("Switch", "Switch", {loop_.values[i], loop_cond}, body_.types[i]);
    body_.outputs.back() = add("Exit", "Exit", {taken}, body_.types[i]);
    body_.controls = {control(body_.outputs.back())};
    loop_.values[i] = cat(taken, ":1");
  }
}

void Lowering::go_round(const Callee& body) {
  const std::string done = add_call("body", body, loop_.values);
  for (size_t i = 0; i < loop_.values.size(); ++i) {
    if (loop_.invariant[i]) continue;
    NodeEditor editor = begin(loop_.next[i], "NextIteration", {tensor_text(done, i)});
    if (body.has_effects) editor.add_input(control(done));
    body_.nodes.push_back(editor.set_attr("T", type_value(body_.types[i])).finish());
  }
}

Result<CallBody> Lowering::loop() {
  body_.types = types_in(node_, "T");
  TRY(cond, callee(find_attr(node_, "cond").value_or("")));
  TRY(body, callee(find_attr(node_, "body").value_or("")));
  const size_t gives = cond.function->signature.outputs.size();
  if (inputs_.empty() || body_.types.size() != inputs_.size() || gives != 1) {
    return bad_call(cat(inputs_.size(), " inputs for ", body_.types.size(),
                        " types, and a condition that gives ", gives, " values"));
  }
  CHECK_OK(spend(inputs_.size(), 1));
  loop_.invariant = invariants(body);
  enter_loop();
  switch_values(cond);
  go_round(body);
  return std::move(body_);
}

Result<std::vector<Callee>> Lowering::branch_functions() const {
  std::vector<std::string> funcs;
  if (node_.op.ends_with("If")) {
    for (const std::string_view attr : {"then_branch", "else_branch"}) {
      funcs.emplace_back(find_attr(node_, attr).value_or(""));
    }
  } else {
    const AttrValue branches(find_attr(node_, "branches").value_or(""));
    branches.each_bytes(AttrKind::kFunc, [&](std::string_view each) {
      put_bytes_field(funcs.emplace_back(), fields::AttrValue::kFunc, each);
    });
  }
  std::vector<Callee> callees;
  for (const std::string& func : funcs) {
    TRY(function, callee(func));
    callees.push_back(std::move(function));
  }
  return callees;
}

// Returns a test for the selected branch.
Result<std::string> Lowering::is_branch(const std::string& index, size_t branch, int type) {
  if (node_.op.ends_with("If")) return add_bool(index, type);
  std::string content;
  put_fixed32(content, static_cast<uint32_t>(branch));
  TRY(number, const_tensor(DType::kInt32, Shape{}, Splice(fresh(std::move(content))), payloads_));
  const std::string constant = name("Const");
  NodeEditor editor = begin(constant, "Const", {control(index)});
  editor.set_attr("dtype", type_value(kInt32)).set_attr("value", tensor_value(number));
  body_.nodes.push_back(editor.finish());
  return add("Equal", "Equal", {index, constant}, kInt32);
}

// `pivots`: for each branch, a node that is alive if the branch is.
void Lowering::end_branches(const std::vector<Callee>& functions, const Names& calls,
                            const Names& pivots, int pivot_type) {
  for (size_t i = 0; i < body_.types.size(); ++i) {
    Names results;
    for (const std::string& call : calls) results.push_back(tensor_text(call, i));
    body_.outputs.push_back(add_merge("Merge", std::move(results), body_.types[i]));
  }
  Names done;
  for (size_t i = 0; i < calls.size(); ++i) {
    Names after = {pivots[i]};
    if (functions[i].has_effects) after.push_back(control(calls[i]));
    done.push_back(add("done", "Identity", std::move(after), pivot_type));
  }
  body_.controls = {control(add_merge("executed", std::move(done), pivot_type))};
}

Result<CallBody> Lowering::branches() {
  const bool is_if = node_.op.ends_with("If");
  const Types in = types_in(node_, "Tin");
  body_.types = types_in(node_, "Tout");
  TRY(functions, branch_functions());
  if (functions.empty() || inputs_.size() != in.size() + 1) {
    return bad_call(cat(inputs_.size(), " inputs for ", in.size(), " types and its choice, and ",
                        functions.size(), " branches"));
  }
  CHECK_OK(spend(in.size() + body_.types.size(), functions.size()));
  const int type = is_if ? type_attr(node_, "Tcond").value_or(kBool) : kInt32;
  Names values(inputs_.begin() + 1, inputs_.end());
  Names asked = {inputs_.front()};
  asked.insert(asked.end(), controls_.begin(), controls_.end());
  std::string pivot = add("index", "Identity", std::move(asked), type);
  Names calls;
  Names pivots;
  for (size_t k = 0; k < functions.size(); ++k) {
    Names given = values;
    pivots.push_back(pivot);
    if (k + 1 < functions.size()) {
      TRY(chosen, is_branch(pivot, k, type));
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = add("Switch", "Switch", {values[i], chosen}, in[i]);
        given[i] = cat(values[i], ":1");
      }
      const std::string turn = add("pivot", "Switch", {pivot, chosen}, type);
      pivots.back() = add("taken", "Identity", {cat(turn, ":1")}, type);
      pivot = add("not_taken", "Identity", {turn}, type);
    }
    if (given.empty()) given.push_back(control(pivots.back()));
    const std::string what = is_if ? (k == 0 ? "then" : "else") : cat("branch_", k);
    calls.push_back(add_call(what, functions[k], std::move(given)));
  }
  end_branches(functions, calls, pivots, type);
  return std::move(body_);
}

}  // namespace

Result<CallBody> lower_call(const Node& node, const Library& library, FreshNames& names,
                            GrowthBudget& budget, Payloads& payloads) {
  Lowering lowering(node, library, names, budget, payloads);
  return is_while(node.op) ? lowering.loop() : lowering.branches();
}

}  // namespace cryo
