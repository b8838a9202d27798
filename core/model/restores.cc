#include "model/restores.h"

#include <algorithm>
#include <list>
#include <map>
#include <unordered_map>
#include <vector>

#include "graph/edges.h"
#include "graph/functions/function_body.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "model/init_op.h"
#include "model/restore_ops.h"

namespace cryo {
namespace {

constexpr int kMaxCalls = 100;  // nested
constexpr int kMaxSteps = 16;   // handing a value on

bool is_assign(std::string_view op) { return is_assignment(op) || imports_table(op); }

bool assigns_or_calls(const Node& node) {
  return is_assign(node.op) || !called_function(node).empty();
}

// The nodes of a main graph or of a function's body, and their edges.
struct Body {
  const std::vector<Node>& nodes;
  const Edges& edges;

  // Back through nodes that hand a value on. Chains are short.
  Edge source_of(Edge edge) const;
  const Node* input_of(uint32_t node, size_t place) const;
};

Edge Body::source_of(Edge edge) const {
  return cryo::skip_pass_through(nodes, edges, edge, kMaxSteps, hands_value_on);
}

const Node* Body::input_of(uint32_t node, size_t place) const {
  const auto inputs = edges.inputs(node);
  const bool there = place < inputs.size() && inputs[place].node != kNoNode;
  return there ? &nodes[inputs[place].node] : nullptr;
}

// The assigned value of a node; of a table the values, whose keys are `keys`.
struct Restored {
  const RestoredFrom* value = nullptr;
  const RestoredFrom* keys = nullptr;
};

// The nodes that are assigned a restored value: variables and tables, and of a function the
// arguments. The first assignment counts.
using Found = std::map<uint32_t, Restored>;

// Each function is read once, however often it is called: calls branch.
class RestoreReader {
 public:
  RestoreReader(const Graph& graph, const Payloads& payloads) : ops_(payloads) {
    for (const Function& each : graph.functions()) functions_.emplace(each.name, &each);
  }

  // Returns the values that these nodes, assignments and calls, assign.
  Found read(const Body& body, const std::vector<uint32_t>& nodes);

 private:
  const RestoredFrom* restored(const Body& body, const Edge& edge);
  void read_assignment(const Body& body, uint32_t node, Found& found);
  void read_call(const Body& body, uint32_t node, Found& found);
  const Found& read_function(std::string_view name);

  RestoreOps ops_;
  std::unordered_map<std::string_view, const Function*> functions_;
  std::map<std::string_view, Found> read_;
  std::list<RestoredFrom> all_;
  int depth_ = 0;
  const Found nothing_ = {};
};

// Returns the checkpoint's tensor that arrives on an edge; null if it is not one.
const RestoredFrom* RestoreReader::restored(const Body& body, const Edge& edge) {
  const Edge value = body.source_of(edge);
  if (value.node == kNoNode) return nullptr;
  const Node& restore = body.nodes[value.node];
  if (!is_restore(restore.op)) return nullptr;
  auto from =
      ops_.read(restore, value.port, body.input_of(value.node, 1), body.input_of(value.node, 2));
  return from ? &all_.emplace_back(std::move(*from)) : nullptr;
}

// AssignVariableOp(variable, value).
void RestoreReader::read_assignment(const Body& body, uint32_t node, Found& found) {
  const auto inputs = body.edges.inputs(node);
  const bool import = imports_table(body.nodes[node].op);
  if (inputs.size() < (import ? 3U : 2U)) return;
  const uint32_t target = body.source_of(inputs[0]).node;
  if (target == kNoNode || found.count(target) > 0) return;
  const Restored from{restored(body, inputs[import ? 2 : 1]),
                      import ? restored(body, inputs[1]) : nullptr};
  if (from.value != nullptr && import == (from.keys != nullptr)) found.emplace(target, from);
}

void RestoreReader::read_call(const Body& body, uint32_t node, Found& found) {
  const auto inputs = body.edges.inputs(node);
  for (const auto& [arg, from] : read_function(called_function(body.nodes[node]))) {
    if (arg < inputs.size()) found.emplace(body.source_of(inputs[arg]).node, from);
  }
}

// Reads a function, by the argument's number: arguments are a view's first nodes. A recursive call
// has no results yet.
const Found& RestoreReader::read_function(std::string_view name) {
  const auto function = functions_.find(name);
  if (function == functions_.end() || depth_ == kMaxCalls) return nothing_;
  const auto [slot, fresh] = read_.try_emplace(name);
  Found& found = slot->second;  // stays where it is
  if (!fresh) return found;
  const auto view = resolve_body(*function->second);
  if (!view) return found;
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < view->nodes.size(); ++i) {
    if (assigns_or_calls(view->nodes[i])) nodes.push_back(i);
  }
  ++depth_;
  found = read({view->nodes, view->edges}, nodes);
  --depth_;
  found.erase(found.lower_bound(static_cast<uint32_t>(view->arg_count)), found.end());
  return found;
}

Found RestoreReader::read(const Body& body, const std::vector<uint32_t>& nodes) {
  Found found;
  for (const uint32_t node : nodes) {
    is_assign(body.nodes[node].op) ? read_assignment(body, node, found)
                                   : read_call(body, node, found);
  }
  return found;
}

// The assignments, and the calls of functions that assign, which the saver's restore op is or waits
// for; without a saver, all assignments.
std::vector<uint32_t> assignments(const Body& body, uint32_t restore_op) {
  std::vector<uint32_t> found;
  if (restore_op == kNoNode) {
    for (uint32_t i = 0; i < body.nodes.size(); ++i) {
      if (is_assign(body.nodes[i].op)) found.push_back(i);
    }
    return found;
  }
  std::vector<bool> seen(body.nodes.size(), false);
  std::vector<uint32_t> queue = {restore_op};
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    if (seen[node]) continue;
    seen[node] = true;
    if (assigns_or_calls(body.nodes[node])) found.push_back(node);
    for (const Edge& edge : body.edges.inputs(node)) {
      if (edge.control && edge.node != kNoNode) queue.push_back(edge.node);
    }
  }
  return found;
}

// Visits restored variables by the name of the main graph's node. Most graphs restore nothing, and
// their edges are not read.
template <typename Add>
void for_each_restored(const Graph& graph, const std::string& restore_op, const Payloads& payloads,
                       Add add) {
  const std::vector<Node>& nodes = graph.nodes();
  if (std::none_of(nodes.begin(), nodes.end(), assigns_or_calls)) return;
  const NodeNames& names = graph.index().names();
  const Edges& edges = graph.index().edges();
  const Body body{nodes, edges};
  const uint32_t start = restore_op.empty() ? kNoNode : names.find(restore_op);
  RestoreReader reader(graph, payloads);
  for (const auto& [node, from] : reader.read(body, assignments(body, start))) {
    if (node != kNoNode) add(nodes[node], from);
  }
}

}  // namespace

Restores find_restores(const Graph& graph, const std::string& restore_op,
                       const Payloads& payloads) {
  Restores restores;
  for_each_restored(graph, restore_op, payloads, [&](const Node& node, const Restored& from) {
    if (is_variable(node.op)) restores.emplace(std::string(node.name), *from.value);
  });
  return restores;
}

std::map<std::string, RestoredTable> find_restored_tables(const Graph& graph,
                                                          const std::string& restore_op,
                                                          const Payloads& payloads) {
  std::map<std::string, RestoredTable> tables;
  for_each_restored(graph, restore_op, payloads, [&](const Node& node, const Restored& from) {
    if (from.keys == nullptr) return;
    tables.emplace(std::string(node.name), RestoredTable{*from.keys, *from.value});
  });
  return tables;
}

}  // namespace cryo
