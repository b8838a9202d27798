#include "passes/inference/training_switches.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "graph/evaluate/known_tensor.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/inference/dropout.h"
#include "passes/inference/moving_averages.h"
#include "passes/inference/scalars.h"
#include "tensor/content.h"
#include "tensor/dtype.h"

namespace cryo {
namespace {

// The nodes of one side of a condition that only training needs.
struct TrainingWork {
  size_t random = 0;
  size_t updates = 0;
  size_t batches = 0;
  bool any() const { return random + updates + batches > 0; }
  bool lasting() const { return updates + batches > 0; }
};

void count(const Node& node, TrainingWork& work) {
  if (in_gradients(node.name)) return;
  if (is_random(node.op)) ++work.random;
  if (is_update(node.op) && !is_training_step(node.op)) ++work.updates;
  if (normalizes_by_batch(node)) ++work.batches;
}

std::string to_text(const TrainingWork& work) {
  std::vector<std::string> parts;
  if (work.random > 0) parts.push_back(plural(work.random, "random op"));
  if (work.updates > 0) parts.push_back(plural(work.updates, "update"));
  if (work.batches > 0) parts.push_back(plural(work.batches, "batch statistic"));
  return parts.empty() ? "nothing of training" : join(parts, ", ");
}

// The work of one side of the conditions that hang on one node.
struct Side {
  TrainingWork work = {};
  std::unordered_set<uint32_t> nodes = {};  // counted ones
  std::set<std::string, std::less<>> functions = {};
};

// Both sides, and whether the node is anything but a condition.
struct Sides {
  std::array<Side, 2> of = {};
  bool is_value = false;  // something else takes it, too

  Side& when(bool condition) { return of[condition ? 1 : 0]; }
  const TrainingWork& work(bool condition) const { return of[condition ? 1 : 0].work; }
};

// Counts all that runs after a Switch's output, as far as the Merges.
void count_after(const Graph& graph, const Edge& start, Side& side) {
  const std::vector<Node>& nodes = graph.nodes();
  const Consumers& consumers = graph.index().consumers();
  std::vector<uint32_t> queue;
  const auto enter = [&](uint32_t node) {
    if (is_merge(nodes[node].op) || !side.nodes.insert(node).second) return;
    count(nodes[node], side.work);
    queue.push_back(node);
  };
  for (const Consumer& consumer : consumers.of(start.node)) {
    if (!consumer.control && consumer.port == start.port) enter(consumer.node);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : consumers.of(node)) enter(consumer.node);
  }
}

void count_function(const Graph& graph, std::string_view name, Side& side) {
  if (!side.functions.emplace(name).second) return;
  const Result<FunctionBody> body = body_of_function(graph, name);
  if (!body) return;
  for (const Node& node : body->nodes) {
    count(node, side.work);
    for (const std::string_view function : functions_named_by(node)) {
      count_function(graph, function, side);
    }
  }
}

void count_switch(const Graph& graph, uint32_t node, bool negated, Sides& sides) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  for (const uint32_t port : {0U, 1U}) {
    Side& opened = sides.when((port == 1) != negated);
    const auto all = edges.consumers().of(node);
    const bool used = std::any_of(all.begin(), all.end(), [&](const Consumer& each) {
      return each.port == port && !in_gradients(nodes[each.node].name);
    });
    if (used && is_batch_statistic(nodes, edges, edges.inputs(node)[0])) ++opened.work.batches;
    count_after(graph, {node, port}, opened);
  }
}

// The functions of an If: `then` first. Case chooses by a number.
void count_branches(const Graph& graph, const Node& node, bool negated, Sides& sides) {
  const FunctionCaller* caller = find_caller(node.op);
  if (caller == nullptr || node.op == "Case" || node.op == "StatelessCase") return;
  const std::vector<std::string_view> functions = functions_of(node, *caller);
  if (functions.size() != 2) return;
  count_function(graph, functions[0], sides.when(!negated));
  count_function(graph, functions[1], sides.when(negated));
}

// Returns true if the consumer hands the condition on: as it is, or negated.
bool hands_condition_on(const Node& node, uint32_t input) {
  if (node.op == "LogicalNot" || node.op == "Cast") return true;
  return input == 0 &&
         (has_fact(node.op, kReads) || (is_pass_through(node.op) && !is_merge(node.op)));
}

// Collects what the sides of the conditions do that hang on one node.
Sides sides_of(const Graph& graph, uint32_t condition) {
  const std::vector<Node>& nodes = graph.nodes();
  Sides sides;
  std::vector<std::pair<uint32_t, bool>> queue = {{condition, false}};  // with: is it negated
  std::unordered_set<uint32_t> seen = {condition};
  while (!queue.empty()) {
    const auto [node, negated] = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : graph.index().consumers().of(node)) {
      const Node& user = nodes[consumer.node];
      if (consumer.control || in_gradients(user.name)) continue;
      const bool switches = is_switch(user.op) && consumer.input == 1;
      const bool branches = is_branch(user.op) && consumer.input == 0;
      const bool hands_on = hands_condition_on(user, consumer.input);
      if (switches) count_switch(graph, consumer.node, negated, sides);
      if (branches) count_branches(graph, user, negated, sides);
      if (!switches && !branches && !hands_on) sides.is_value = true;
      if (hands_on && seen.insert(consumer.node).second) {
        queue.emplace_back(consumer.node, negated != (user.op == "LogicalNot"));
      }
    }
  }
  return sides;
}

bool can_be_condition(DType dtype) {
  return dtype == DType::kBool || dtype == DType::kInt32 || dtype == DType::kInt64 ||
         dtype == DType::kUint8;
}

// A placeholder, variable or constant of one value. Placeholders of unknown rank count.
bool may_switch(const Node& node) {
  const bool fed = is_placeholder(node.op);
  if (!fed && !is_variable(node.op) && node.op != "Const") return false;
  if (!can_be_condition(static_cast<DType>(type_attr(node, "dtype").value_or(0)))) return false;
  return is_scalar(node) || (fed && output_shape(node, 0).unknown_rank);
}

std::string value_text(DType dtype, bool value) {
  if (dtype == DType::kBool) return value ? "true" : "false";
  return value ? "1" : "0";
}

// Returns the value of a constant of one whole number, as a condition.
std::optional<bool> truth_of(const Node& constant, const Payloads& payloads) {
  const Result<Tensor> tensor = read_tensor(tensor_attr(constant, "value").value_or(""), payloads);
  const auto known = tensor ? read_known(*tensor, 1) : std::nullopt;
  return known && known->whole.size() == 1 ? std::optional(known->whole[0] != 0) : std::nullopt;
}

void find_conditions(const Graph& graph, const Payloads& payloads,
                     std::vector<TrainingSwitch>& found, std::vector<std::string>& unclear) {
  const std::vector<Node>& nodes = graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!may_switch(nodes[i])) continue;
    const Sides sides = sides_of(graph, i);
    const TrainingWork& when_true = sides.work(true);
    const TrainingWork& when_false = sides.work(false);
    if (!when_true.any() && !when_false.any()) continue;
    const bool both = when_true.any() && when_false.any();
    const bool lasting = when_true.lasting() != when_false.lasting();
    if (both && !lasting) {
      if (is_placeholder(nodes[i].op)) unclear.emplace_back(nodes[i].name);
      continue;
    }
    const bool inference = !(both ? when_true.lasting() : when_true.any());
    const bool constant = nodes[i].op == "Const";
    const auto own = constant ? truth_of(nodes[i], payloads) : std::nullopt;
    // A constant may be shared by what is no condition; and it may be right as it is.
    if (constant && (sides.is_value || !own || *own == inference)) continue;
    const auto dtype = static_cast<DType>(type_attr(nodes[i], "dtype").value_or(0));
    found.push_back({i, value_text(dtype, inference),
                     cat("true runs ", to_text(when_true), "; false ", to_text(when_false))});
  }
}

// The rates of dropout that are fed.
void find_rates(const Graph& graph, const Payloads& payloads, std::vector<TrainingSwitch>& found) {
  const std::vector<Node>& nodes = graph.nodes();
  const Scalars scalars(nodes, graph.index().edges(), payloads);
  std::map<uint32_t, std::vector<std::string>> uses;  // placeholder -> dropouts
  std::map<uint32_t, bool> rates;
  for (const Dropout& dropout : find_dropouts(graph, payloads)) {
    const Scalars::Source source = scalars.source(dropout.amount);
    if (source.node == kNoNode) continue;
    rates.emplace(source.node, dropout.is_rate != source.from_one);
    uses[source.node].emplace_back(nodes[dropout.output].name);
  }
  for (const auto& [node, dropouts] : uses) {
    const bool is_rate = rates[node];
    found.push_back({node, is_rate ? "0" : "1",
                     cat("the share that dropout ", is_rate ? "clears" : "keeps", ": ",
                         join(dropouts, ", ", kMaxListed))});
  }
}

}  // namespace

std::vector<TrainingSwitch> find_training_switches(const Graph& graph, const Payloads& payloads,
                                                   std::vector<std::string>& unclear) {
  std::vector<TrainingSwitch> found;
  find_conditions(graph, payloads, found, unclear);
  find_rates(graph, payloads, found);
  return found;
}

}  // namespace cryo
