#include "graph/analysis/batch_error.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "graph/attr_value.h"
#include "graph/node_attrs.h"
#include "graph/op_facts.h"
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

class ErrorFinder {
 public:
  ErrorFinder(const std::vector<Node>& nodes, const Edges& edges,
              FunctionRef<bool(uint32_t)> numbers)
      : nodes_(nodes), edges_(edges), is_number_(numbers) {}

  std::vector<uint32_t> find(uint32_t node) {
    if (number(node) != Kind::kError) found_.clear();
    return std::move(found_);
  }

 private:
  enum class Kind { kOther, kNumber, kError };

  bool visit(uint32_t node);
  void visit_difference(uint32_t node);
  Kind number(uint32_t node);
  Kind sum_of_numbers(uint32_t node);
  size_t axes(uint32_t node) const;
  bool holds_errors(uint32_t node, size_t summed);

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  FunctionRef<bool(uint32_t)> is_number_;
  std::vector<uint32_t> found_;
};

bool ErrorFinder::visit(uint32_t node) {
  found_.push_back(node);
  return found_.size() < kMaxVisited;
}

// prediction - target, of which the node is an error.
void ErrorFinder::visit_difference(uint32_t node) {
  const auto inputs = edges_.inputs(node);
  if (inputs.empty() || inputs[0].node == kNoNode) return;
  if (nodes_[inputs[0].node].op == "Sub") visit(inputs[0].node);
}

// Returns over how many axes a node sums up if the batch is one of them, else 0. All axes, if their
// number is not known, are at least two.
size_t ErrorFinder::axes(uint32_t node) const {
  const Node& at = nodes_[node];
  const auto inputs = edges_.inputs(node);
  const bool sums = at.op == "Mean" || at.op == "Sum";
  if (!sums || inputs.size() < 2 || inputs[1].node == kNoNode) return 0;
  const auto keeps = find_attr(at, "keep_dims");
  if (keeps && AttrValue(*keeps).number() != 0) return 0;
  if (nodes_[inputs[1].node].op == "Range") return kAxesOfError;
  const auto numbers = axes_in(nodes_[inputs[1].node]);
  if (!numbers || std::find(numbers->begin(), numbers->end(), 0) == numbers->end()) return 0;
  return numbers->size();
}

ErrorFinder::Kind ErrorFinder::sum_of_numbers(uint32_t node) {
  Kind kind = Kind::kNumber;
  for (const Edge& input : edges_.inputs(node)) {
    if (input.control) continue;
    const Kind of_input = input.node == kNoNode ? Kind::kOther : number(input.node);
    if (of_input == Kind::kOther) return Kind::kOther;
    if (of_input == Kind::kError) kind = Kind::kError;
  }
  return kind;
}

ErrorFinder::Kind ErrorFinder::number(uint32_t node) {
  const std::string_view op = nodes_[node].op;
  if (is_number_(node)) return Kind::kNumber;
  if (!visit(node)) return Kind::kOther;
  if (op == "L2Loss") {
    visit_difference(node);
    return Kind::kError;
  }
  if (const size_t count = axes(node)) {
    const Edge& input = edges_.inputs(node)[0];
    const bool errs = input.node != kNoNode && holds_errors(input.node, count);
    return errs ? Kind::kError : Kind::kNumber;
  }
  return has_fact(op, kElementwise | kHandsOn) ? sum_of_numbers(node) : Kind::kOther;
}

bool ErrorFinder::holds_errors(uint32_t node, size_t summed) {
  const std::string_view op = nodes_[node].op;
  const auto inputs = edges_.inputs(node);
  if (is_cross_entropy(op)) return visit(node);
  if (is_one_of(op, kErrors)) {
    if (summed < kAxesOfError || !visit(node)) return false;
    visit_difference(node);
    return true;
  }
  // A product with ones is a sum over rows.
  const bool of_ones = op == "MatMul" && inputs.size() > 1 && inputs[1].node != kNoNode &&
                       is_number_(inputs[1].node);
  const bool sums = of_ones || ((op == "Sum" || op == "Mean") && inputs.size() > 1);
  if (!sums && !between_errors_and_sum(op)) return false;
  if (!visit(node)) return false;
  bool errs = false;
  for (const Edge& input : inputs.first(sums ? 1 : inputs.size())) {
    if (input.control || input.node == kNoNode) continue;
    errs = holds_errors(input.node, summed + (sums ? 1 : 0)) || errs;
  }
  return errs;
}

}  // namespace

std::vector<uint32_t> batch_error(const std::vector<Node>& nodes, const Edges& edges,
                                  FunctionRef<bool(uint32_t)> is_number, uint32_t node) {
  return ErrorFinder(nodes, edges, is_number).find(node);
}

}  // namespace cryo
