#include "graph/analysis/batch_error.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "graph/attr_value.h"
#include "graph/node_attrs.h"
#include "graph/op_facts.h"
#include "graph/walk.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// Nodes of a loss are few.
constexpr size_t kMaxVisited = 200;

// An error of each element becomes one of the batch by summing over this many axes.
constexpr size_t kAxesOfError = 2;

constexpr std::array<std::string_view, 8> kErrors = {
    "SquaredDifference", "Square", "Pow", "Abs", "Log", "Log1p", "Xlogy", "Softplus"};

bool between_errors_and_sum(std::string_view op) {
  return has_fact(op, kElementwise | kHandsOn | kReshapes) || op == "Cast";
}

bool is_cross_entropy(std::string_view op) {
  return op.find("CrossEntropy") != std::string_view::npos || op.starts_with("CTCLoss");
}

// TensorFlow has no tensor of more axes.
constexpr uint64_t kMaxAxes = 254;

// The axes that a constant names.
std::optional<std::vector<int64_t>> axes_in(const Node& constant) {
  const auto message = tensor_attr(constant, "value");
  if (constant.op != "Const" || !message) return std::nullopt;
  const auto tensor = read_tensor(*message, Payloads());
  return tensor && tensor->count <= kMaxAxes ? integers_of(*tensor) : std::nullopt;
}

enum class LossPart { kOther, kNumber, kError };

LossPart classify(const std::vector<Node>& nodes, const Edges& edges, uint32_t node,
                  FunctionRef<bool(uint32_t)> is_number, std::vector<uint32_t>& found);

bool visit_loss(uint32_t node, std::vector<uint32_t>& found) {
  found.push_back(node);
  return found.size() < kMaxVisited;
}

// prediction - target, of which the node is an error.
void visit_difference(const std::vector<Node>& nodes, const Edges& edges, uint32_t node,
                      std::vector<uint32_t>& found) {
  const auto inputs = edges.inputs(node);
  if (inputs.empty() || inputs[0].node == kNoNode) return;
  if (nodes[inputs[0].node].op == "Sub") visit_loss(inputs[0].node, found);
}

// Returns over how many axes a node sums up if the batch is one of them, else 0. All axes, if their
// number is not known, are at least two.
size_t summed_axes(const std::vector<Node>& nodes, const Edges& edges, uint32_t node) {
  const Node& at = nodes[node];
  const auto inputs = edges.inputs(node);
  const bool sums = at.op == "Mean" || at.op == "Sum";
  if (!sums || inputs.size() < 2 || inputs[1].node == kNoNode) return 0;
  const auto keeps = find_attr(at, "keep_dims");
  if (keeps && AttrValue(*keeps).number() != 0) return 0;
  if (nodes[inputs[1].node].op == "Range") return kAxesOfError;
  const auto numbers = axes_in(nodes[inputs[1].node]);
  if (!numbers || std::find(numbers->begin(), numbers->end(), 0) == numbers->end()) return 0;
  return numbers->size();
}

LossPart sum_of_numbers(const std::vector<Node>& nodes, const Edges& edges, uint32_t node,
                        FunctionRef<bool(uint32_t)> is_number, std::vector<uint32_t>& found) {
  LossPart kind = LossPart::kNumber;
  for (const Edge& input : edges.inputs(node)) {
    if (input.control) continue;
    const LossPart of_input = input.node == kNoNode
                                  ? LossPart::kOther
                                  : classify(nodes, edges, input.node, is_number, found);
    if (of_input == LossPart::kOther) return LossPart::kOther;
    if (of_input == LossPart::kError) kind = LossPart::kError;
  }
  return kind;
}

bool holds_errors(const std::vector<Node>& nodes, const Edges& edges, uint32_t node, size_t summed,
                  FunctionRef<bool(uint32_t)> is_number, std::vector<uint32_t>& found) {
  const std::string_view op = nodes[node].op;
  const auto inputs = edges.inputs(node);
  if (is_cross_entropy(op)) return visit_loss(node, found);
  if (is_one_of(op, kErrors)) {
    if (summed < kAxesOfError || !visit_loss(node, found)) return false;
    visit_difference(nodes, edges, node, found);
    return true;
  }
  // A product with ones is a sum over rows.
  const bool of_ones =
      op == "MatMul" && inputs.size() > 1 && inputs[1].node != kNoNode && is_number(inputs[1].node);
  const bool sums = of_ones || ((op == "Sum" || op == "Mean") && inputs.size() > 1);
  if (!sums && !between_errors_and_sum(op)) return false;
  if (!visit_loss(node, found)) return false;
  bool errs = false;
  for (const Edge& input : DataInputs(inputs.first(sums ? 1 : inputs.size()))) {
    errs =
        holds_errors(nodes, edges, input.node, summed + (sums ? 1 : 0), is_number, found) || errs;
  }
  return errs;
}

LossPart classify(const std::vector<Node>& nodes, const Edges& edges, uint32_t node,
                  FunctionRef<bool(uint32_t)> is_number, std::vector<uint32_t>& found) {
  const std::string_view op = nodes[node].op;
  if (is_number(node)) return LossPart::kNumber;
  if (!visit_loss(node, found)) return LossPart::kOther;
  if (op == "L2Loss") {
    visit_difference(nodes, edges, node, found);
    return LossPart::kError;
  }
  if (const size_t count = summed_axes(nodes, edges, node)) {
    const Edge& input = edges.inputs(node)[0];
    const bool errs =
        input.node != kNoNode && holds_errors(nodes, edges, input.node, count, is_number, found);
    return errs ? LossPart::kError : LossPart::kNumber;
  }
  return has_fact(op, kElementwise | kHandsOn)
             ? sum_of_numbers(nodes, edges, node, is_number, found)
             : LossPart::kOther;
}

}  // namespace

std::vector<uint32_t> batch_error(const std::vector<Node>& nodes, const Edges& edges,
                                  FunctionRef<bool(uint32_t)> is_number, uint32_t node) {
  std::vector<uint32_t> found;
  if (classify(nodes, edges, node, is_number, found) != LossPart::kError) found.clear();
  return found;
}

}  // namespace cryo
