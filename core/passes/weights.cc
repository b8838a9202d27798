#include "passes/weights.h"

#include <optional>
#include <unordered_set>

#include "base/glob.h"
#include "base/text.h"
#include "graph/tensor_info.h"
#include "passes/weight_uses.h"

namespace cryo {
namespace {

bool is_float(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kHalf ||
         dtype == DType::kBfloat16;
}

// 0 where the shape cannot be told.
uint64_t element_count_of(const Node& node) {
  const Result<uint64_t> count = element_count(output_shape(node, 0));
  return count ? *count : 0;
}

// All weights that a graph can spell out are below protobuf's 2 GiB.
constexpr uint64_t kMaxAnnounced = 4 * kMaxMessageBytes;

// A weight's way ends after so many nodes; longer ones are computations.
constexpr int kMaxSteps = 6;

// So many takers are looked at: where one of the first thousand takes no weight, it is none. Many
// constants in a list that many nodes take would be a way from each to each.
constexpr int kMaxConsumers = 1000;

std::optional<Weight> as_weight(uint32_t constant, const WeightUse& use, bool many) {
  switch (use.kind) {
    case WeightUse::kWeight:
    case WeightUse::kStatistics:
      return Weight{constant, cat("input ", use.input, " of ", use.op, " '", use.node, "'"),
                    use.kind == WeightUse::kWeight};
    case WeightUse::kOperand:
      if (!many) return std::nullopt;
      return Weight{constant, cat("operand of ", use.op, " '", use.node, "'")};
    default:
      return std::nullopt;
  }
}

class WeightFinder {
 public:
  WeightFinder(const Graph& graph, const Consumers& consumers)
      : nodes_(graph.nodes()), consumers_(consumers), uses_(graph) {}

  std::optional<Weight> judge(uint32_t index);

 private:
  std::optional<Weight> by_read_name(uint32_t node) const;
  std::optional<Weight> by_use(uint32_t start, bool many);

  const std::vector<Node>& nodes_;
  const Consumers& consumers_;
  WeightUses uses_;
};

// "w/read" and "w/Read/ReadVariableOp" are what TensorFlow calls the reads of a variable w.
std::optional<Weight> WeightFinder::by_read_name(uint32_t node) const {
  for (const Consumer& consumer : consumers_.of(node)) {
    const Node& read = nodes_[consumer.node];
    if (read.op != "Identity" || !read.name.starts_with(nodes_[node].name)) continue;
    const std::string_view rest = read.name.substr(nodes_[node].name.size());
    if (rest == "/read" || rest.starts_with("/Read/ReadVariableOp")) {
      return Weight{node, cat("it is read as ", read.name)};
    }
  }
  return std::nullopt;
}

// `many`: the constant has more than one element, so that arithmetic with it is a weight's.
std::optional<Weight> WeightFinder::by_use(uint32_t start, bool many) {
  std::vector<uint32_t> level = {start};
  std::unordered_set<uint32_t> seen;
  int looked_at = 0;
  for (int step = 0; step < kMaxSteps && !level.empty(); ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t at : level) {
      for (const Consumer& consumer : consumers_.of(at)) {
        if (consumer.control) continue;
        if (++looked_at > kMaxConsumers) return std::nullopt;
        const WeightUse use = uses_.of(nodes_[consumer.node], consumer.input);
        if (auto weight = as_weight(start, use, many)) return weight;
        const bool goes_on = use.kind == WeightUse::kHandedOn;
        if (goes_on && seen.insert(consumer.node).second) next.push_back(consumer.node);
      }
    }
    level = std::move(next);
  }
  return std::nullopt;
}

std::optional<Weight> WeightFinder::judge(uint32_t index) {
  const Node& node = nodes_[index];
  const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
  std::optional<Weight> weight = by_read_name(index);
  if (!weight && is_float(dtype)) weight = by_use(index, element_count_of(node) > 1);
  if (weight && is_float(dtype)) {
    const auto use = by_use(index, true);
    weight->trainable = use ? use->trainable : weight->trainable;
  }
  if (weight && !is_float(dtype)) weight->trainable = false;
  return weight;
}

}  // namespace

Status announce_weight(const Node& node, uint64_t bytes, uint64_t& announced) {
  announced += bytes;
  if (bytes <= kMaxMessageBytes && announced <= kMaxAnnounced) return Unit{};
  return failure("too-large", cat("the constant '", node.name, "' says it is ", human_bytes(bytes)),
                 {.node = std::string(node.name)},
                 "choose the weights by hand: unfreeze --exclude GLOB, or --constants GLOB");
}

std::vector<Weight> find_weights(const Graph& graph, const Consumers& consumers,
                                 const PassOptions& options) {
  WeightFinder finder(graph, consumers);
  std::vector<Weight> weights;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    // A constant that waits for something lives in a branch or a loop, where a variable cannot.
    if (node.op != "Const" || node.input_count > 0) continue;
    if (matches_any(options.exclude, node.name)) continue;
    std::optional<Weight> weight = finder.judge(i);
    if (!options.constants.empty()) {
      if (!matches_any(options.constants, node.name)) continue;
      const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
      if (!weight) weight = Weight{i, "asked for", is_float(dtype)};
    }
    if (weight) weights.push_back(std::move(*weight));
  }
  return weights;
}

}  // namespace cryo
