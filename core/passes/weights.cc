#include "passes/weights.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/text.h"
#include "base/weight_name.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

bool is_float(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kHalf ||
         dtype == DType::kBfloat16;
}

DType dtype_of(const Node& constant) {
  return static_cast<DType>(type_attr(constant, "dtype").value_or(0));
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
      return Weight{constant, cat("operand of ", use.op, " '", use.node, "'"), true, Weight::kFair};
    default:
      return std::nullopt;
  }
}

class WeightFinder {
 public:
  WeightFinder(const std::vector<Node>& nodes, const Consumers& consumers, WeightUses& uses)
      : nodes_(nodes), consumers_(consumers), uses_(uses) {}

  std::optional<Weight> judge(uint32_t index);

 private:
  std::optional<Weight> by_read_name(uint32_t node) const;
  struct Ways {
    std::optional<Weight> use = {};
    std::optional<Weight> read = {};  // by an Identity that was a ReadVariableOp
  };
  Ways ways_of(uint32_t start, bool many);

  const std::vector<Node>& nodes_;
  const Consumers& consumers_;
  WeightUses& uses_;
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
WeightFinder::Ways WeightFinder::ways_of(uint32_t start, bool many) {
  Ways ways;
  std::vector<uint32_t> level = {start};
  std::unordered_set<uint32_t> seen;
  int looked_at = 0;
  for (int step = 0; step < kMaxSteps && !level.empty(); ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t at : level) {
      for (const Consumer& consumer : consumers_.of(at)) {
        if (consumer.control) continue;
        if (++looked_at > kMaxConsumers) return {};
        const WeightUse use = uses_.of(nodes_[consumer.node], consumer.input);
        ways.use = as_weight(start, use, many);
        if (ways.use) return ways;
        if (!ways.read && !use.read.empty())
          ways.read = Weight{start, cat("it is read as ", use.read)};
        const bool goes_on = use.kind == WeightUse::kHandedOn;
        if (goes_on && seen.insert(consumer.node).second) next.push_back(consumer.node);
      }
    }
    level = std::move(next);
  }
  return ways;
}

std::optional<Weight> WeightFinder::judge(uint32_t index) {
  const Node& node = nodes_[index];
  const DType dtype = dtype_of(node);
  std::optional<Weight> weight = by_read_name(index);
  // A string that is read in passing is a path: what held it was assigned when the model was
  // loaded.
  if (!weight && dtype != DType::kString) {
    Ways ways = ways_of(index, element_count_of(node) > 1);
    weight = std::move(is_float(dtype) && ways.use ? ways.use : ways.read);
  }
  if (weight && is_float(dtype)) {
    const auto use = ways_of(index, true).use;
    weight->trainable = use ? use->trainable : weight->trainable;
  }
  if (weight && !is_float(dtype)) weight->trainable = false;
  return weight;
}

}  // namespace

bool has_records(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return node.op == "Const" && record_of(node).has_value();
  });
}

Status announce_weight(const Node& node, uint64_t bytes, uint64_t& announced) {
  announced += bytes;
  if (bytes <= kMaxMessageBytes && announced <= kMaxAnnounced) return Unit{};
  return failure("too-large", cat("the constant '", node.name, "' says it is ", human_bytes(bytes)),
                 {.node = node.name},
                 "choose the weights by hand: unfreeze --exclude GLOB, or --constants GLOB");
}

std::vector<Weight> find_weights(const Graph& graph, const Consumers& consumers,
                                 const PassOptions& options) {
  WeightUses uses(graph);
  return find_weights(graph.nodes(), consumers, uses, options);
}

std::vector<Weight> find_weights(const std::vector<Node>& nodes, const Consumers& consumers,
                                 WeightUses& uses, const PassOptions& options) {
  WeightFinder finder(nodes, consumers, uses);
  const bool recorded = has_records(nodes);
  std::vector<Weight> weights;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op != "Const" || any_names_weight(options.exclude, node.name)) continue;
    const bool asked = any_names_weight(options.constants, node.name);
    if (!asked && !options.constants.empty()) continue;
    std::optional<FreezeRecord> record = recorded ? record_of(node) : std::nullopt;
    // A constant that waits for something lives in a branch or a loop, where a variable cannot.
    if (!record && (node.input_count > 0 || (recorded && !asked))) continue;
    std::optional<Weight> weight = finder.judge(i);
    if (record || (asked && !weight)) {
      const bool trainable = weight ? weight->trainable : is_float(dtype_of(node));
      weight = Weight{i, record ? "freezing left a record of it" : "asked for", trainable};
    }
    if (!weight) continue;
    if (record && record->trainable) weight->trainable = *record->trainable;
    if (record || asked) weight->confidence = Weight::kCertain;
    weight->record = std::move(record);
    weights.push_back(std::move(*weight));
  }
  return weights;
}

}  // namespace cryo
