#include "passes/inference/training_switches.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "graph/functions/function_body.h"
#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/inference/batch_statistics.h"
#include "passes/inference/dropout.h"
#include "passes/inference/scalars.h"
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

// Collects what the sides of the conditions do that hang on one placeholder.
class Sides {
 public:
  explicit Sides(const Graph& graph)
      : graph_(graph),
        nodes_(graph.nodes()),
        edges_(graph.index().edges()),
        consumers_(graph.index().consumers()) {}

  void follow(uint32_t placeholder);
  const TrainingWork& when(bool condition) const { return sides_[condition ? 1 : 0].work; }

 private:
  struct Side {
    TrainingWork work = {};
    std::unordered_set<uint32_t> nodes = {};  // counted ones
    std::set<std::string, std::less<>> functions = {};
  };

  void take(const Consumer& consumer, bool negated);
  void take_switch(uint32_t node, bool negated);
  void take_branches(const Node& node, bool negated);
  void run(const Edge& start, Side& side);
  void run_function(std::string_view name, Side& side);
  Side& side(bool condition) { return sides_[condition ? 1 : 0]; }

  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::vector<std::pair<uint32_t, bool>> queue_ = {};  // nodes with the condition, negated or not
  std::unordered_set<uint32_t> seen_ = {};
  std::array<Side, 2> sides_ = {};
};

void Sides::follow(uint32_t placeholder) {
  queue_ = {{placeholder, false}};
  seen_ = {placeholder};
  while (!queue_.empty()) {
    const auto [node, negated] = queue_.back();
    queue_.pop_back();
    for (const Consumer& consumer : consumers_.of(node)) {
      if (!consumer.control) take(consumer, negated);
    }
  }
}

void Sides::take(const Consumer& consumer, bool negated) {
  const Node& node = nodes_[consumer.node];
  if (is_switch(node.op) && consumer.input == 1) take_switch(consumer.node, negated);
  if (is_branch(node.op) && consumer.input == 0) take_branches(node, negated);
  const bool negates = node.op == "LogicalNot";
  const bool hands_on = negates || node.op == "Cast" ||
                        (is_pass_through(node.op) && !is_merge(node.op) && consumer.input == 0);
  if (hands_on && seen_.insert(consumer.node).second) {
    queue_.emplace_back(consumer.node, negated != negates);
  }
}

void Sides::take_switch(uint32_t node, bool negated) {
  const auto inputs = edges_.inputs(node);
  for (const uint32_t port : {0U, 1U}) {
    Side& opened = side((port == 1) != negated);
    const auto all = consumers_.of(node);
    const bool used = std::any_of(all.begin(), all.end(), [&](const Consumer& each) {
      return each.port == port && !in_gradients(nodes_[each.node].name);
    });
    if (used && is_batch_statistic(nodes_, edges_, inputs[0])) ++opened.work.batches;
    run({node, port}, opened);
  }
}

// Counts all that runs after a Switch's output, as far as the Merges.
void Sides::run(const Edge& start, Side& side) {
  std::vector<uint32_t> queue;
  const auto enter = [&](uint32_t node) {
    if (is_merge(nodes_[node].op) || !side.nodes.insert(node).second) return;
    count(nodes_[node], side.work);
    queue.push_back(node);
  };
  for (const Consumer& consumer : consumers_.of(start.node)) {
    if (!consumer.control && consumer.port == start.port) enter(consumer.node);
  }
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Consumer& consumer : consumers_.of(node)) enter(consumer.node);
  }
}

// The functions of an If: `then` first. Case chooses by a number.
void Sides::take_branches(const Node& node, bool negated) {
  const FunctionCaller* caller = find_caller(node.op);
  if (caller == nullptr || node.op == "Case" || node.op == "StatelessCase") return;
  const std::vector<std::string_view> functions = functions_of(node, *caller);
  if (functions.size() != 2) return;
  run_function(functions[0], side(!negated));
  run_function(functions[1], side(negated));
}

void Sides::run_function(std::string_view name, Side& side) {
  if (!side.functions.emplace(name).second) return;
  const Result<FunctionBody> body = body_of_function(graph_, name);
  if (!body) return;
  for (const Node& node : body->nodes) {
    count(node, side.work);
    for (const std::string_view function : functions_named_by(node)) run_function(function, side);
  }
}

bool is_scalar_placeholder(const Node& node) {
  const Shape shape = output_shape(node, 0);
  return is_placeholder(node.op) && (shape.unknown_rank || shape.dims.empty());
}

bool can_be_condition(DType dtype) {
  return dtype == DType::kBool || dtype == DType::kInt32 || dtype == DType::kInt64 ||
         dtype == DType::kUint8;
}

void find_conditions(const Graph& graph, std::vector<TrainingSwitch>& found,
                     std::vector<std::string>& unclear) {
  const std::vector<Node>& nodes = graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_scalar_placeholder(nodes[i])) continue;
    const auto dtype = static_cast<DType>(type_attr(nodes[i], "dtype").value_or(0));
    if (!can_be_condition(dtype)) continue;
    Sides sides(graph);
    sides.follow(i);
    const TrainingWork& when_true = sides.when(true);
    const TrainingWork& when_false = sides.when(false);
    if (!when_true.any() && !when_false.any()) continue;
    const bool both = when_true.any() && when_false.any();
    const bool lasting = when_true.lasting() != when_false.lasting();
    if (both && !lasting) {
      unclear.emplace_back(nodes[i].name);
      continue;
    }
    const bool training = both ? when_true.lasting() : when_true.any();
    const bool plain = dtype == DType::kBool;
    found.push_back({i, plain ? (training ? "false" : "true") : (training ? "0" : "1"),
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
  find_conditions(graph, found, unclear);
  find_rates(graph, payloads, found);
  return found;
}

}  // namespace cryo
