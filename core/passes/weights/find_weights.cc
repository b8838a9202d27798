#include "passes/weights/find_weights.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/text.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/common/unmatched.h"
#include "passes/weights/layer_operands.h"
#include "passes/weights/weight_names.h"

namespace cryo {
namespace {

bool is_quantized(DType dtype) {
  return dtype == DType::kQint8 || dtype == DType::kQuint8 || dtype == DType::kQint16 ||
         dtype == DType::kQuint16 || dtype == DType::kQint32;
}

DType dtype_of(const Node& constant) {
  return static_cast<DType>(type_attr(constant, "dtype").value_or(0));
}

// 0 if the shape is unknown.
uint64_t element_count_of(const Node& node) {
  const Result<uint64_t> count = element_count(output_shape(node, 0));
  return count ? *count : 0;
}

// All weights that a graph can spell out are below protobuf's 2 GiB.
constexpr uint64_t kMaxAnnounced = 4 * kMaxMessageBytes;

// An option with more names is no help.
constexpr size_t kMaxInFix = 20;

// A weight's way ends after so many nodes; longer ones are computations.
constexpr int kMaxStepsToUse = 6;

bool has_reads(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return was_read(node) || (node.op == "Identity" && node.name.ends_with("/read"));
  });
}

class WeightFinder {
 public:
  WeightFinder(const std::vector<Node>& nodes, const Edges& edges, WeightUses& uses)
      : nodes_(nodes),
        edges_(edges),
        consumers_(edges.consumers()),
        uses_(uses),
        has_reads_(has_reads(nodes)) {}

  std::optional<Weight> judge(uint32_t index);
  bool is_trainable(uint32_t variable);

 private:
  std::optional<Weight> by_read_name(uint32_t node) const;
  struct Ways {
    std::optional<Weight> use = {};
    std::optional<Weight> read = {};  // by an Identity that was a ReadVariableOp
  };
  Ways ways_of(uint32_t start, bool many);
  Weight in_place(uint32_t constant, const WeightUse& use) const;
  Weight in_arithmetic(uint32_t constant, const Consumer& taker, const WeightUse& use) const;
  std::optional<Weight> as_weight(uint32_t constant, const Consumer& taker, const WeightUse& use,
                                  bool many) const;

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Consumers& consumers_;
  WeightUses& uses_;
  const bool has_reads_;  // the graph was frozen with the variables' reads
};

// Returns a constant that is used as a weight. A constant of the program may be used so as well: a
// list to look up in, a literal in a graph whose variables have their reads.
Weight WeightFinder::in_place(uint32_t constant, const WeightUse& use) const {
  Weight weight{constant, cat("input ", use.input, " of ", use.op, " '", use.node, "'"),
                use.kind == WeightUse::kWeight};
  const NameHint hint = name_hint(nodes_[constant].name);
  const bool list = use.op.starts_with("Gather") &&
                    output_shape(nodes_[constant], 0).dims.size() < 2 && hint != NameHint::kWeight;
  if (list || (has_reads_ && hint == NameHint::kLiteral)) weight.confidence = Weight::kFair;
  return weight;
}

Weight WeightFinder::in_arithmetic(uint32_t constant, const Consumer& taker,
                                   const WeightUse& use) const {
  Weight weight{constant, cat("operand of ", use.op, " '", use.node, "'"), true, Weight::kFair};
  const NameHint hint = name_hint(nodes_[constant].name);
  const bool literal = hint == NameHint::kLiteral;
  const LayerOperand operand = layer_operand(nodes_, edges_, consumers_, constant, taker, literal);
  const bool named = hint == NameHint::kWeight || hint == NameHint::kStatistics;
  if (operand.is_weight) weight.why = operand.why;
  if (!operand.is_weight && named) weight.why += ", and named as a weight";
  if (operand.is_weight || named) weight.confidence = Weight::kHigh;
  weight.trainable = !operand.statistics && hint != NameHint::kStatistics;
  return weight;
}

std::optional<Weight> WeightFinder::as_weight(uint32_t constant, const Consumer& taker,
                                              const WeightUse& use, bool many) const {
  switch (use.kind) {
    case WeightUse::kWeight:
    case WeightUse::kStatistics:
      return in_place(constant, use);
    case WeightUse::kOperand:
      if (!many) return std::nullopt;
      return in_arithmetic(constant, taker, use);
    case WeightUse::kRange:
      if (!many) return std::nullopt;
      return Weight{constant, cat("range of ", use.op, " '", use.node, "'"), false, Weight::kFair};
    default:
      return std::nullopt;
  }
}

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
  for (int step = 0; step < kMaxStepsToUse && !level.empty(); ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t at : level) {
      for (const Consumer& consumer : consumers_.of(at)) {
        if (consumer.control) continue;
        if (++looked_at > kMaxConsumers) return {};
        const WeightUse use = uses_.of(nodes_[consumer.node], consumer.input);
        const std::optional<Weight> weight = as_weight(start, consumer, use, many);
        if (weight && (!ways.use || weight->confidence == Weight::kHigh)) ways.use = weight;
        if (weight && weight->confidence == Weight::kHigh) return ways;
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
  const bool is_number = is_floating(dtype) || is_quantized(dtype);
  // A string that is read in passing is a path: what held it was assigned when the model was
  // loaded.
  if (!weight && dtype != DType::kString) {
    Ways ways = ways_of(index, element_count_of(node) > 1);
    const bool used = is_number && ways.use;
    const bool sure = used && ways.use->confidence == Weight::kHigh;
    weight = std::move(used && (sure || !ways.read) ? ways.use : ways.read);
  }
  if (weight && is_floating(dtype)) {
    const auto use = ways_of(index, true).use;
    weight->trainable = use ? use->trainable : weight->trainable;
  }
  const bool statistics = name_hint(node.name) == NameHint::kStatistics;
  if (weight && (statistics || !is_floating(dtype))) weight->trainable = false;
  return weight;
}

bool WeightFinder::is_trainable(uint32_t variable) {
  const Node& node = nodes_[variable];
  if (!is_floating(dtype_of(node)) || name_hint(node.name) == NameHint::kStatistics) return false;
  const auto use = ways_of(variable, true).use;
  return !use || use->trainable;
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
                 "choose the weights by hand: unfreeze " OPTION("--exclude", "GLOB") ", or " OPTION(
                     "--constants", "GLOB"));
}

bool detects_weights(const WeightSelection& selection) {
  return selection.constants.empty() ||
         named_constants(selection).size() < selection.constants.size();
}

std::vector<Weight> find_weights(const Graph& graph, const WeightSelection& selection) {
  WeightUses uses(graph);
  return find_weights(graph.nodes(), graph.index().edges(), uses, selection);
}

std::vector<Weight> find_weights(const std::vector<Node>& nodes, const Edges& edges,
                                 WeightUses& uses, const WeightSelection& selection) {
  WeightFinder finder(nodes, edges, uses);
  const bool recorded = has_records(nodes);
  const bool detects = detects_weights(selection);
  std::vector<Weight> weights;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op != "Const" || selection.exclude.any_names(node.name)) continue;
    const bool asked = selection.constants.any_names(node.name);
    if (!asked && (!detects || in_gradients(node.name))) continue;
    std::optional<FreezeRecord> record = recorded ? record_of(node) : std::nullopt;
    // A constant that waits for something lives in a branch or a loop, where a variable cannot.
    if (!record && (node.input_count > 0 || (recorded && !asked))) continue;
    std::optional<Weight> weight = finder.judge(i);
    if (record || (asked && !weight)) {
      const bool trainable = weight ? weight->trainable : is_floating(dtype_of(node));
      weight = Weight{i, record ? "freezing left a record of it" : "requested", trainable};
    }
    if (!weight) continue;
    if (record && record->trainable) weight->trainable = *record->trainable;
    if (record || asked) weight->confidence = Weight::kCertain;
    weight->record = std::move(record);
    weights.push_back(std::move(*weight));
  }
  return weights;
}

std::set<uint32_t> trainable_by_use(const std::vector<Node>& nodes, const Edges& edges,
                                    WeightUses& uses) {
  WeightFinder finder(nodes, edges, uses);
  std::set<uint32_t> trainable;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (is_variable(nodes[i].op) && finder.is_trainable(i)) trainable.insert(i);
  }
  return trainable;
}

std::vector<Weight> take_out_fair(std::vector<Weight>& weights) {
  std::vector<Weight> taken;
  std::vector<Weight> fair;
  for (Weight& each : weights) {
    (each.confidence == Weight::kFair ? fair : taken).push_back(std::move(each));
  }
  weights = std::move(taken);
  return fair;
}

void report_fair(const std::vector<Node>& nodes, const std::vector<Weight>& fair,
                 const std::vector<std::string>& in_bodies, Conversions& candidates,
                 Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Weight& each : fair) {
    const Node& node = nodes[each.node];
    const DTypeInfo* type = find_dtype(dtype_of(node));
    names.emplace_back(node.name);
    candidates.push_back({names.back(), "Const", "Const", dtype_of(node), output_shape(node, 0),
                          type == nullptr ? 0 : element_count_of(node) * type->size, each.why,
                          each.confidence});
  }
  names.insert(names.end(), in_bodies.begin(), in_bodies.end());
  if (names.empty()) return;
  diagnostics.note(
      "maybe-weights",
      cat(plural(names.size(), "constant"),
          " may be weights, and stay constants: ", join(names, ", ", 10)),
      {},
      names.size() > kMaxInFix
          ? "take some as well: " OPTION("--constants", "auto,GLOB") "; " ADVICE("full-list")
          : cat("take them as well: ", setting("--constants", cat("auto,", join(names, ",")))));
}

}  // namespace cryo
