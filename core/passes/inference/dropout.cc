#include "passes/inference/dropout.h"

#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "passes/inference/scalars.h"

namespace cryo {
namespace {

constexpr double kMaxScaleError = 1e-3;  // of the product of scale and share kept, which is 1

bool is_random_uniform(std::string_view op) {
  return op == "RandomUniform" || op == "StatelessRandomUniform" ||
         op == "StatelessRandomUniformV2";
}

bool is_division(std::string_view op) { return op == "RealDiv" || op == "Div"; }

// Ops between random numbers of [0, 1) and the comparison that makes a mask of them.
bool keeps_random(std::string_view op) {
  return op == "Mul" || op == "Add" || op == "AddV2" || op == "Identity" || op == "Cast";
}

class DropoutFinder {
 public:
  DropoutFinder(const Graph& graph, const Payloads& payloads)
      : nodes_(graph.nodes()),
        edges_(graph.index().edges()),
        consumers_(graph.index().consumers()),
        scalars_(nodes_, edges_, payloads) {}

  std::vector<Dropout> find() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_random_uniform(nodes_[i].op)) follow(i);
    }
    std::vector<Dropout> all;
    for (const auto& [output, dropout] : found_) all.push_back(dropout);
    return all;
  }

 private:
  struct Scaled {
    Edge input = {};
    Edge scale = {};
    bool divides = false;
  };

  void follow(uint32_t random);
  void follow_mask(uint32_t mask, Dropout dropout);
  void add_product(uint32_t node, const Edge& other, Dropout dropout);
  void add(uint32_t output, const Scaled& scaled, Dropout dropout);
  std::optional<Scaled> scaled(const Edge& tensor) const;
  bool is_fed(const Edge& input) const { return is_placeholder(nodes_[input.node].op); }
  Edge other_input(uint32_t node, uint32_t mask) const;

  // The consumers of a node's values, without those of the backward half.
  std::vector<uint32_t> users(uint32_t node) const;

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  const Scalars scalars_;
  std::map<uint32_t, Dropout> found_;
};

std::vector<uint32_t> DropoutFinder::users(uint32_t node) const {
  std::vector<uint32_t> all;
  for (const Consumer& consumer : consumers_.of(node)) {
    if (!consumer.control && !in_gradients(nodes_[consumer.node].name)) {
      all.push_back(consumer.node);
    }
  }
  return all;
}

void DropoutFinder::follow(uint32_t random) {
  std::vector<uint32_t> queue = {random};
  std::set<uint32_t> seen = {random};
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t node = queue[at];
    for (const uint32_t user : users(node)) {
      const std::string_view op = nodes_[user].op;
      const auto inputs = edges_.inputs(user);
      if (op == "Floor" && nodes_[node].op.starts_with("Add")) {
        const auto terms = edges_.inputs(node);
        const bool first = seen.contains(terms[0].node);
        follow_mask(user, {.amount = terms[first ? 1 : 0], .is_rate = false});
      } else if ((op == "GreaterEqual" || op == "Less") && inputs[0].node == node) {
        follow_mask(user, {.amount = inputs[1], .is_rate = op == "GreaterEqual"});
      } else if (keeps_random(op) && seen.insert(user).second) {
        queue.push_back(user);
      }
    }
  }
}

void DropoutFinder::follow_mask(uint32_t mask, Dropout dropout) {
  if (!scalars_.is_scalar(dropout.amount)) return;
  for (const uint32_t user : users(mask)) {
    const std::string_view op = nodes_[user].op;
    const auto inputs = edges_.inputs(user);
    if (op == "Cast" || op == "Identity") {
      follow_mask(user, dropout);
    } else if (op == "Mul") {
      add_product(user, other_input(user, mask), dropout);
    } else if (op.starts_with("Select") && inputs.size() >= 3 && inputs[0].node == mask) {
      const auto chosen = scaled(inputs[1]);
      if (chosen && scalars_.value(inputs[2]) == 0.0) add(user, *chosen, dropout);
    }
  }
}

Edge DropoutFinder::other_input(uint32_t node, uint32_t mask) const {
  const auto inputs = edges_.inputs(node);
  return inputs[inputs[0].node == mask ? 1 : 0];
}

// The scale is in the product's other factor, or it follows the product.
void DropoutFinder::add_product(uint32_t node, const Edge& other, Dropout dropout) {
  if (const auto before = scaled(other)) return add(node, *before, dropout);
  for (const uint32_t user : users(node)) {
    const auto after = scaled({user, 0});
    if (after && after->input.node == node) {
      add(user, {other, after->scale, after->divides}, dropout);
    }
  }
}

std::optional<DropoutFinder::Scaled> DropoutFinder::scaled(const Edge& tensor) const {
  if (tensor.node == kNoNode) return std::nullopt;
  const std::string_view op = nodes_[tensor.node].op;
  const auto inputs = edges_.inputs(tensor.node);
  if (!(op == "Mul" || is_division(op)) || inputs.size() < 2) return std::nullopt;
  // An input of unknown rank may look like a scalar, but is no computed factor.
  const auto is_factor = [&](const Edge& input) {
    return scalars_.is_scalar(input) && (is_division(op) || !is_fed(input));
  };
  if (is_factor(inputs[1])) return Scaled{inputs[0], inputs[1], is_division(op)};
  if (op == "Mul" && is_factor(inputs[0])) return Scaled{inputs[1], inputs[0], false};
  return std::nullopt;
}

void DropoutFinder::add(uint32_t output, const Scaled& scaled, Dropout dropout) {
  const std::optional<double> amount = scalars_.value(dropout.amount);
  const std::optional<double> scale = scalars_.value(scaled.scale);
  if (amount && scale) {
    const double kept = dropout.is_rate ? 1 - *amount : *amount;
    const double product = scaled.divides ? kept / *scale : kept * *scale;
    if (!(std::abs(product - 1) < kMaxScaleError)) return;
  }
  dropout.output = output;
  dropout.input = scaled.input;
  found_.emplace(output, dropout);
}

}  // namespace

std::vector<Dropout> find_dropouts(const Graph& graph, const Payloads& payloads) {
  return DropoutFinder(graph, payloads).find();
}

Model without_dropout(const Model& model, GraphChanges& changes) {
  const std::vector<Dropout> dropouts = find_dropouts(model.graph, *model.payloads);
  if (dropouts.empty()) return model;
  const std::vector<Node>& nodes = model.graph.nodes();
  std::map<uint32_t, std::string> identities;
  for (const Dropout& each : dropouts) {
    const Node& node = nodes[each.output];
    std::vector<std::string> inputs = {
        to_text(TensorName{nodes[each.input.node].name, each.input.port})};
    for (const std::string_view input : node.inputs()) {
      if (input.starts_with('^')) inputs.emplace_back(input);
    }
    identities[each.output] = NodeEditor(node).set_op("Identity").set_inputs(inputs).finish();
    changes.push_back({std::string(node.name), kDropoutRemoved,
                       cat("a mask of random numbers; its input is ", inputs[0]), true});
  }
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, identities);
  return made;
}

}  // namespace cryo
