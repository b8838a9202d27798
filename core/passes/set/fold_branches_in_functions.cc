#include "passes/set/fold_branches_in_functions.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/function_editor.h"
#include "graph/functions/functions_needed.h"
#include "graph/node_editor.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "model/model_ops.h"
#include "passes/prune/body_model.h"
#include "passes/set/constant_propagation.h"
#include "passes/set/fold_branches.h"
#include "passes/set/seeds.h"

namespace cryo {
namespace {

// Functions within functions; TensorFlow's own nest a handful deep.
constexpr int kMaxNested = 100;

// Limit on the variants of each function of the library: there can be one for each combination of
// known arguments.
constexpr size_t kMaxTried = 16;

using Values = std::map<uint32_t, KnownValues::Value>;  // by argument

// Returns the graph with new names for the branches that became calls. TensorFlow inlines a node of
// a call as `call/node`, which may clash: a branch "cond" next to a "cond/Identity".
Graph with_named_branches(const Graph& graph, const Graph& before) {
  const NodeNames& names = graph.index().names();
  const NodeNames& names_before = before.index().names();
  FreshNames fresh(names);
  std::map<std::string_view, std::string> renamed;
  for (const Node& node : graph.nodes()) {
    const uint32_t old = names_before.find(node.name);
    if (!is_call(node.op) || old == kNoNode || before.nodes()[old].op == node.op) continue;
    renamed.emplace(node.name, fresh.take(cat(node.name, "/branch")));
  }
  GraphBuilder builder(graph);
  for (const Node& node : graph.nodes()) {
    NodeEditor editor(node);
    for (std::string& input : editor.inputs()) {
      const TensorName name = parse_tensor_name(input);
      const auto found = renamed.find(name.node);
      if (found != renamed.end()) input = to_text({found->second, name.port, name.control});
    }
    std::vector<std::string_view> partners = colocations(node);
    for (std::string_view& partner : partners) {
      const auto found = renamed.find(partner);
      if (found != renamed.end()) partner = found->second;
    }
    if (!partners.empty()) editor.set_colocations(partners);
    const auto found = renamed.find(node.name);
    if (found != renamed.end()) editor.set_name(found->second);
    builder.add(editor.finish());
  }
  return builder.finish();
}

class FunctionBranchFolder {
 public:
  FunctionBranchFolder(const Model& model, const OpRegistry& registry)
      : library_(model.graph), ops_(registry, library_), payloads_(model.payloads) {}

  // Returns the graph with calls of functions rebuilt for their arguments. `set`: "NAME=..." of the
  // constants.
  Graph with_calls(const Graph& graph, const std::vector<std::string>& set);

  const std::vector<std::string>& made() const { return made_; }

 private:
  std::optional<std::string> call(const Node& node, std::span<const Edge> inputs,
                                  const KnownValues& folded);
  std::string name_for(std::string_view name, const Values& values);
  std::optional<std::string> folded_body(const LibraryFunction& function, const Values& values);
  bool is_invariant(std::string_view body, uint32_t place) const;

  const Library library_;
  KnownOps ops_;
  const std::shared_ptr<Payloads> payloads_;
  std::map<std::string, std::string> names_;  // by function and values
  std::vector<std::string> made_;             // FunctionDefs
  int depth_ = 0;
};

// Returns true if a loop's body passes an argument on to the next iteration unchanged.
bool FunctionBranchFolder::is_invariant(std::string_view body, uint32_t place) const {
  const LibraryFunction* function = library_.find(body);
  if (function == nullptr) return false;
  const Result<FunctionBody> view = resolve_body(*function->function);
  if (!view || place >= view->returns.size()) return false;
  const Edge from = skip_identities(view->nodes, view->edges, view->returns[place]);
  return !from.control && from.node == place && place < view->arg_count;
}

// Returns the changed NodeDef of a call; nullopt if it is not a call or nothing changes.
std::optional<std::string> FunctionBranchFolder::call(const Node& node,
                                                      std::span<const Edge> inputs,
                                                      const KnownValues& folded) {
  const FunctionCaller* caller = find_caller(node.op);
  if (caller == nullptr && library_.find(node.op) == nullptr) return std::nullopt;
  const auto functions = caller == nullptr ? std::vector{node.op} : functions_of(node, *caller);
  const uint32_t first = caller == nullptr ? 0 : caller->first;
  Values values;
  for (uint32_t i = first; i < inputs.size(); ++i) {
    const KnownValues::Value* value = folded.value(inputs[i]);
    if (value == nullptr || !value->scalar) continue;
    const bool loop = caller != nullptr && caller->loop();
    if (loop && (functions.size() != 2 || !is_invariant(functions[1], i - first))) continue;
    values.emplace(i - first, *value);
  }
  if (values.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string_view function : functions) names.push_back(name_for(function, values));
  if (std::equal(names.begin(), names.end(), functions.begin())) return std::nullopt;
  NodeEditor editor(node);
  if (caller == nullptr) return editor.set_op(names.front()).finish();
  for (const std::string_view key : caller->functions) {
    const auto attr = key.empty() ? std::nullopt : find_attr(node, key);
    if (attr) editor.set_attr(key, renamed_functions(*attr, functions, names));
  }
  return editor.finish();
}

// Returns the body with its branches folded; nullopt if nothing changes.
std::optional<std::string> FunctionBranchFolder::folded_body(const LibraryFunction& function,
                                                             const Values& values) {
  const auto body = BodyModel::of(*function.function, ops_, payloads_);
  if (!body || values.rbegin()->first >= body->arg_count()) return std::nullopt;
  std::vector<std::string> set;
  std::map<std::string_view, std::string> constants;
  for (const auto& [place, value] : values) {
    const std::string_view arg = body->arg(place);
    const auto proto = const_tensor(value.dtype, Shape{}, Splice(fresh(value.content)), *payloads_);
    if (!proto) return std::nullopt;
    constants.emplace(arg, constant_node(arg, value.dtype, *proto).finish());
    set.push_back(cat(arg, "="));
  }
  Model handed = body->model();
  GraphBuilder builder(handed.graph);
  for (const Node& node : handed.graph.nodes()) {
    const auto constant = constants.find(node.name);
    constant == constants.end() ? builder.add(node) : builder.add(constant->second);
  }
  handed.graph = builder.finish();
  Diagnostics diagnostics;
  const auto folded = fold_branches(handed, set, {}, diagnostics);
  const auto pruned = folded ? body->pruned(folded->model) : Result<Model>(folded.error());
  if (!pruned) return std::nullopt;
  const Graph named = with_named_branches(pruned->graph, handed.graph);
  auto made = body->function_def(with_calls(named, set));
  const bool same = made == body->function_def(body->model().graph);
  return same ? std::nullopt : made;
}

std::string FunctionBranchFolder::name_for(std::string_view name, const Values& values) {
  std::string key(name);
  for (const auto& [place, value] : values) {
    key += cat("|", place, ":", static_cast<int>(value.dtype), ":", value.content);
  }
  const bool enough = depth_ == kMaxNested || names_.size() > kMaxTried * library_.all().size();
  const LibraryFunction* function = library_.find(name);
  const auto [known, fresh] = names_.try_emplace(std::move(key), name);
  if (!fresh || enough || function == nullptr) return known->second;
  ++depth_;
  const auto made = folded_body(*function, values);
  --depth_;
  if (!made) return known->second;
  size_t number = made_.size();
  std::string wanted = cat(without_number(name), "_set_", number);
  while (library_.find(wanted) != nullptr) wanted = cat(without_number(name), "_set_", ++number);
  FunctionEditor editor(scan_function(*made));
  editor.name = wanted;
  made_.push_back(editor.finish());
  return known->second = wanted;
}

Graph FunctionBranchFolder::with_calls(const Graph& graph, const std::vector<std::string>& set) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  const KnownValues folded(nodes, edges, *payloads_, find_seeds(graph.index().names(), set));
  GraphBuilder builder(graph);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto made = call(nodes[i], edges.inputs(i), folded);
    made ? builder.add(*made) : builder.add(nodes[i]);
  }
  builder.add_functions_of(graph);
  return builder.finish();
}

}  // namespace

const LibraryFunction* inlinable_function(const Node& node, const Library& library,
                                          const Graph& graph) {
  const LibraryFunction* function =
      library.find(is_call(node.op) ? called_function(node) : node.op);
  const bool plain = function != nullptr && !is_recursive(*function->function, graph);
  return plain ? function : nullptr;
}

std::vector<std::string> calls_with_folded_branches(const Model& model,
                                                    const std::vector<std::string>& set,
                                                    const OpRegistry& ops) {
  std::vector<std::string> calls;
  if (model.graph.functions().empty()) return calls;
  const OpRegistry registry = with_model_ops(model, ops);
  FunctionBranchFolder decider(model, registry);
  const Graph graph = decider.with_calls(model.graph, set);
  if (decider.made().empty()) return calls;
  const Library library(model.graph);
  const std::vector<Node>& before = model.graph.nodes();
  for (size_t i = 0; i < before.size(); ++i) {
    const bool same = before[i].bytes == graph.nodes()[i].bytes;
    if (same || inlinable_function(before[i], library, model.graph) == nullptr) continue;
    calls.emplace_back(before[i].name);
  }
  return calls;
}

Model fold_branches_in_functions(const Model& model, const std::vector<std::string>& set,
                                 const OpRegistry& ops) {
  if (model.graph.functions().empty()) return model;
  const OpRegistry registry = with_model_ops(model, ops);
  FunctionBranchFolder decider(model, registry);
  const Graph graph = decider.with_calls(model.graph, set);
  if (decider.made().empty()) return model;
  GraphBuilder builder(graph);
  for (const Node& node : graph.nodes()) builder.add(node);
  builder.add_functions_of(graph);
  for (const std::string& function : decider.made()) builder.add_function(function);
  Model folded = model;
  folded.graph = builder.finish();
  return folded;
}

}  // namespace cryo
