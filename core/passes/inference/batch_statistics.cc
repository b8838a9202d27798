#include "passes/inference/batch_statistics.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/op_facts.h"
#include "graph/pass_through.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr int kMaxFollowed = 8;

// Changes a statistic's shape or type alone.
bool reshapes(std::string_view op) { return has_fact(op, kHandsOn | kReshapes) || op == "Cast"; }

// Returns the tensor that reshapes() make this one of.
Edge statistic_of(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  return skip_pass_through(nodes, edges, tensor, kMaxFollowed, reshapes);
}

// The mean that a variance is taken around; kNoNode if the node is no Mean of squared differences.
uint32_t mean_of_variance(const std::vector<Node>& nodes, const Edges& edges, uint32_t variance) {
  const auto inputs = edges.inputs(variance);
  if (nodes[variance].op != "Mean" || inputs.empty() || inputs[0].node == kNoNode) return kNoNode;
  const uint32_t squares = inputs[0].node;
  if (nodes[squares].op != "SquaredDifference") return kNoNode;
  for (const Edge& input : edges.inputs(squares)) {
    const Edge mean = statistic_of(nodes, edges, input);
    if (mean.node != kNoNode && nodes[mean.node].op == "Mean") return mean.node;
  }
  return kNoNode;
}

// A tensor and the variable that holds its moving average.
struct Tracked {
  Edge tensor = {};  // as the update takes it
  uint32_t update = kNoNode;
  uint32_t variable = kNoNode;
};

class Averages {
 public:
  explicit Averages(const Model& model)
      : model_(model),
        nodes_(model.graph.nodes()),
        edges_(model.graph.index().edges()),
        consumers_(model.graph.index().consumers()),
        fresh_(model.graph.index().names()) {}

  Model replaced(GraphChanges& changes);

 private:
  void find_tracked();
  std::optional<Tracked> tracked_by(uint32_t update) const;
  const Tracked* average_of(const Edge& statistic) const;
  uint32_t variable_of(Edge tensor) const;
  std::string read_of(uint32_t variable);
  void replace_fused(uint32_t node, GraphChanges& changes);
  void replace_moments(uint32_t variance, GraphChanges& changes);
  void redirect(const Tracked& tracked);

  const Model& model_;
  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  FreshNames fresh_;
  std::map<std::pair<uint32_t, uint32_t>, Tracked> tracked_;  // by statistic: node, port
  std::map<uint32_t, NodeEditor> edited_;
  std::map<uint32_t, std::string> reads_;  // by variable
  std::vector<std::string> added_;
};

uint32_t Averages::variable_of(Edge tensor) const {
  const auto reads = [](std::string_view op) {
    return op == "ReadVariableOp" || is_pass_through(op);
  };
  const uint32_t source = skip_pass_through(nodes_, edges_, tensor, kMaxFollowed, reads).node;
  return source != kNoNode && is_variable(nodes_[source].op) ? source : kNoNode;
}

// The forms of moving averages, `v` the variable and `s` the statistic:
//
//     AssignSub(v, Mul(Sub(v, s), rate))             assign_moving_average
//     AssignAdd(v, Mul(Sub(s, v), rate))
//     Assign(v, Add(Mul(v, decay), Mul(s, rate)))    by hand
std::optional<Tracked> Averages::tracked_by(uint32_t update) const {
  const std::string_view op = nodes_[update].op;
  const auto inputs = edges_.inputs(update);
  if (inputs.size() < 2) return std::nullopt;
  const uint32_t variable = variable_of(inputs[0]);
  const uint32_t value = inputs[1].node;
  if (variable == kNoNode || value == kNoNode) return std::nullopt;
  const auto factors = edges_.inputs(value);
  const bool moves = op.starts_with("AssignSub") || op.starts_with("AssignAdd");
  if (!moves && !is_assignment(op)) return std::nullopt;
  const std::string_view outer = nodes_[value].op;
  if (moves ? outer != "Mul" : !outer.starts_with("Add")) return std::nullopt;
  for (const Edge& factor : factors) {
    if (factor.node == kNoNode || factor.control) continue;
    const std::string_view inner = nodes_[factor.node].op;
    if (inner != (moves ? "Sub" : "Mul")) continue;
    const auto terms = edges_.inputs(factor.node);
    const bool has_variable = std::any_of(terms.begin(), terms.end(), [&](const Edge& term) {
      return variable_of(term) == variable;
    });
    // In the form by hand the statistic's product is the one without the variable.
    if (has_variable != moves) continue;
    for (const Edge& term : terms) {
      if (term.control || variable_of(term) == variable) continue;
      if (is_batch_statistic(nodes_, edges_, term)) return Tracked{term, factor.node, variable};
    }
  }
  return std::nullopt;
}

void Averages::find_tracked() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_update(nodes_[i].op) || is_training_step(nodes_[i].op)) continue;
    if (const auto tracked = tracked_by(i)) {
      const Edge statistic = statistic_of(nodes_, edges_, tracked->tensor);
      tracked_.emplace(std::pair(statistic.node, statistic.port), *tracked);
    }
  }
}

const Tracked* Averages::average_of(const Edge& statistic) const {
  const auto found = tracked_.find({statistic.node, statistic.port});
  return found == tracked_.end() ? nullptr : &found->second;
}

// Returns a tensor with the variable's value: of the read that was made with it, or of a new one.
std::string Averages::read_of(uint32_t variable) {
  std::string& read = reads_[variable];
  if (!read.empty()) return read;
  const Node& node = nodes_[variable];
  const bool ref = is_ref_variable(node.op);
  const std::string usual = cat(node.name, ref ? "/read" : "/Read/ReadVariableOp");
  const uint32_t found = model_.graph.index().names().find(usual);
  const bool is_its = found != kNoNode && variable_of({found, 0}) == variable;
  if (is_its) return read = usual;
  read = fresh_.take(usual);
  const int dtype = type_attr(node, "dtype").value_or(0);
  NodeEditor editor(read, ref ? "Identity" : "ReadVariableOp");
  editor.add_input(node.name).set_attr(ref ? "T" : "dtype", type_value(dtype));
  added_.push_back(editor.finish());
  return read;
}

void Averages::replace_fused(uint32_t node, GraphChanges& changes) {
  const Tracked* mean = average_of({node, 1});
  const Tracked* variance = average_of({node, 2});
  if (mean == nullptr || variance == nullptr) return;
  NodeEditor editor(nodes_[node]);
  if (editor.inputs().size() < 5) return;
  editor.inputs()[3] = read_of(mean->variable);
  editor.inputs()[4] = read_of(variance->variable);
  editor.set_attr("is_training", bool_value(false));
  edited_.insert_or_assign(node, std::move(editor));
  changes.push_back({std::string(nodes_[node].name), kBatchNormalized,
                     cat("the batch's own statistics; now the moving averages ",
                         nodes_[mean->variable].name, " and ", nodes_[variance->variable].name),
                     true});
}

// All consumers of the tensor but its moving average take the variable's value.
void Averages::redirect(const Tracked& tracked) {
  const std::string read = read_of(tracked.variable);
  for (const Consumer& consumer : consumers_.of(tracked.tensor.node)) {
    const Node& node = nodes_[consumer.node];
    const bool takes = !consumer.control && consumer.port == tracked.tensor.port;
    if (!takes || consumer.node == tracked.update || in_gradients(node.name)) continue;
    const auto [editor, added] = edited_.try_emplace(consumer.node, node);
    editor->second.inputs()[consumer.input] = read;
  }
}

void Averages::replace_moments(uint32_t variance, GraphChanges& changes) {
  const uint32_t mean = mean_of_variance(nodes_, edges_, variance);
  if (mean == kNoNode) return;
  const Tracked* tracked_mean = average_of({mean, 0});
  const Tracked* tracked_variance = average_of({variance, 0});
  if (tracked_mean == nullptr || tracked_variance == nullptr) return;
  // The variance is computed of the Mean itself: it takes the batch's, and is not needed any more.
  if (tracked_mean->tensor.node == mean) return;
  redirect(*tracked_mean);
  redirect(*tracked_variance);
  changes.push_back(
      {std::string(nodes_[tracked_mean->tensor.node].name), kBatchNormalized,
       cat("the batch's own statistics; now the moving averages ",
           nodes_[tracked_mean->variable].name, " and ", nodes_[tracked_variance->variable].name),
       true});
}

Model Averages::replaced(GraphChanges& changes) {
  find_tracked();
  if (tracked_.empty()) return model_;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (in_gradients(nodes_[i].name)) continue;
    if (normalizes_by_batch(nodes_[i])) replace_fused(i, changes);
    if (nodes_[i].op == "Mean") replace_moments(i, changes);
  }
  if (edited_.empty()) return model_;
  std::map<uint32_t, std::string> edited;
  for (const auto& [node, editor] : edited_) edited.emplace(node, editor.finish());
  Model made = model_;
  made.graph = with_replaced_nodes(model_.graph, edited, added_);
  return made;
}

}  // namespace

bool normalizes_by_batch(const Node& node) {
  // The op's default is true.
  return has_fact(node.op, kBatchNorm) && bool_attr(node, "is_training").value_or(true);
}

bool is_batch_statistic(const std::vector<Node>& nodes, const Edges& edges, Edge tensor) {
  const Edge statistic = statistic_of(nodes, edges, tensor);
  if (statistic.node == kNoNode || statistic.control) return false;
  const Node& node = nodes[statistic.node];
  if (normalizes_by_batch(node)) return statistic.port == 1 || statistic.port == 2;
  if (node.op != "Mean") return false;
  if (mean_of_variance(nodes, edges, statistic.node) != kNoNode) return true;
  std::vector<uint32_t> queue = {statistic.node};
  for (size_t at = 0; at < queue.size() && at < kMaxFollowed; ++at) {
    for (const Consumer& consumer : edges.consumers().of(queue[at])) {
      const std::string_view op = nodes[consumer.node].op;
      if (op == "SquaredDifference" && !consumer.control) return true;
      if (reshapes(op)) queue.push_back(consumer.node);
    }
  }
  return false;
}

Model with_moving_averages(const Model& model, GraphChanges& changes) {
  return Averages(model).replaced(changes);
}

}  // namespace cryo
