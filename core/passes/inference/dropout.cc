#include "passes/inference/dropout.h"

#include <cmath>
#include <map>
#include <set>

#include "base/text.h"
#include "graph/roles.h"
#include "passes/common/graph_editor.h"
#include "passes/inference/scalars.h"
#include "passes/inference/variable_reads.h"

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

// A main graph whose dropouts are being found.
struct Search {
  const std::vector<Node>& nodes;
  const Edges& edges;
  const Scalars scalars;
  std::map<uint32_t, Dropout> found = {};  // by output
};

// A tensor that a scalar multiplies or divides.
struct Scaled {
  Edge input = {};
  Edge scale = {};
  bool divides = false;
};

// The consumers of a node's values, without those of the backward half.
std::vector<uint32_t> users_of(const Search& search, uint32_t node) {
  std::vector<uint32_t> all;
  for (const Consumer& consumer : search.edges.consumers().of(node)) {
    if (!consumer.control && !in_gradients(search.nodes[consumer.node].name)) {
      all.push_back(consumer.node);
    }
  }
  return all;
}

std::optional<Scaled> scaled_by(const Search& search, const Edge& tensor) {
  if (tensor.node == kNoNode) return std::nullopt;
  const std::string_view op = search.nodes[tensor.node].op;
  const auto inputs = search.edges.inputs(tensor.node);
  if (!(op == "Mul" || is_division(op)) || inputs.size() < 2) return std::nullopt;
  // An input of unknown rank may look like a scalar, but is no computed factor; nor is a weight.
  const auto is_factor = [&](const Edge& input) {
    if (!search.scalars.is_scalar(input)) return false;
    const bool given = is_placeholder(search.nodes[input.node].op) ||
                       variable_of(search.nodes, search.edges, input) != kNoNode;
    return is_division(op) || !given;
  };
  if (is_factor(inputs[1])) return Scaled{inputs[0], inputs[1], is_division(op)};
  if (op == "Mul" && is_factor(inputs[0])) return Scaled{inputs[1], inputs[0], false};
  return std::nullopt;
}

void add_dropout(Search& search, uint32_t output, const Scaled& scaled, Dropout dropout) {
  const std::optional<double> amount = search.scalars.value(dropout.amount);
  const std::optional<double> scale = search.scalars.value(scaled.scale);
  if (amount.has_value() != scale.has_value()) return;  // the scale is of something else
  if (amount && scale) {
    const double kept = dropout.is_rate ? 1 - *amount : *amount;
    const double product = scaled.divides ? kept / *scale : kept * *scale;
    if (!(std::abs(product - 1) < kMaxScaleError)) return;
  }
  dropout.output = output;
  dropout.input = scaled.input;
  search.found.emplace(output, dropout);
}

// Adds the dropout of a mask's product with `other`. The scale is in that factor, or it follows the
// product.
void add_product(Search& search, uint32_t node, const Edge& other, const Dropout& dropout) {
  if (const auto before = scaled_by(search, other)) {
    return add_dropout(search, node, *before, dropout);
  }
  for (const uint32_t user : users_of(search, node)) {
    const auto after = scaled_by(search, {user, 0});
    if (after && after->input.node == node) {
      add_dropout(search, user, {other, after->scale, after->divides}, dropout);
    }
  }
}

void follow_mask(Search& search, uint32_t mask, const Dropout& dropout) {
  if (!search.scalars.is_scalar(dropout.amount)) return;
  for (const uint32_t user : users_of(search, mask)) {
    const std::string_view op = search.nodes[user].op;
    const auto inputs = search.edges.inputs(user);
    if (op == "Cast" || op == "Identity") {
      follow_mask(search, user, dropout);
    } else if (op == "Mul") {
      add_product(search, user, inputs[inputs[0].node == mask ? 1 : 0], dropout);
    } else if (op.starts_with("Select") && inputs.size() >= 3 && inputs[0].node == mask) {
      const auto chosen = scaled_by(search, inputs[1]);
      if (chosen && search.scalars.value(inputs[2]) == 0.0) {
        add_dropout(search, user, *chosen, dropout);
      }
    }
  }
}

// Follows random numbers to the comparisons that make masks of them.
void follow_random(Search& search, uint32_t random) {
  std::vector<uint32_t> queue = {random};
  std::set<uint32_t> seen = {random};
  for (size_t at = 0; at < queue.size(); ++at) {
    const uint32_t node = queue[at];
    for (const uint32_t user : users_of(search, node)) {
      const std::string_view op = search.nodes[user].op;
      const auto inputs = search.edges.inputs(user);
      if (op == "Floor" && search.nodes[node].op.starts_with("Add")) {
        const auto terms = search.edges.inputs(node);
        const bool first = seen.contains(terms[0].node);
        follow_mask(search, user, {.amount = terms[first ? 1 : 0], .is_rate = false});
      } else if ((op == "GreaterEqual" || op == "Less") && inputs[0].node == node) {
        follow_mask(search, user, {.amount = inputs[1], .is_rate = op == "GreaterEqual"});
      } else if (keeps_random(op) && seen.insert(user).second) {
        queue.push_back(user);
      }
    }
  }
}

}  // namespace

std::vector<Dropout> find_dropouts(const Graph& graph, const Payloads& payloads) {
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  Search search{nodes, edges, Scalars(nodes, edges, payloads)};
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (is_random_uniform(nodes[i].op)) follow_random(search, i);
  }
  std::vector<Dropout> all;
  for (const auto& [output, dropout] : search.found) all.push_back(dropout);
  return all;
}

Model without_dropout(const Model& model, GraphChanges& changes) {
  const std::vector<Dropout> dropouts = find_dropouts(model.graph, *model.payloads);
  if (dropouts.empty()) return model;
  const std::vector<Node>& nodes = model.graph.nodes();
  GraphEditor editor(model.graph);
  for (const Dropout& each : dropouts) {
    const Node& node = nodes[each.output];
    std::vector<std::string> inputs = {
        to_text(TensorName{nodes[each.input.node].name, each.input.port})};
    for (const std::string_view input : node.inputs()) {
      if (input.starts_with('^')) inputs.emplace_back(input);
    }
    editor.node(each.output).set_op("Identity").set_inputs(inputs);
    changes.push_back({std::string(node.name), kDropoutRemoved,
                       cat("a mask of random numbers; its input is ", inputs[0]), true});
  }
  Model made = model;
  made.graph = editor.finish();
  return made;
}

}  // namespace cryo
