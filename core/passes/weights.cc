#include "passes/weights.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/glob.h"
#include "base/text.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

// Inputs of ops that take weights, as bits: 0b10 is input 1.
struct Slot {
  std::string_view op;
  uint32_t inputs;
  uint32_t statistics;  // those that training does not change by gradient
};

constexpr std::array<Slot, 33> kSlots = {{
    {"Conv2D", 0b10, 0},
    {"Conv3D", 0b10, 0},
    {"DepthwiseConv2dNative", 0b10, 0},
    {"DepthwiseConv2d", 0b10, 0},
    {"Conv2DBackpropInput", 0b10, 0},
    {"Conv3DBackpropInput", 0b10, 0},
    {"Conv3DBackpropInputV2", 0b10, 0},
    {"_FusedConv2D", 0b111110, 0},
    {"_FusedMatMul", 0b111110, 0},
    {"FusedPadConv2D", 0b1000, 0},
    {"FusedResizeAndPadConv2D", 0b1000, 0},
    {"Dilation2D", 0b10, 0},
    {"MatMul", 0b11, 0},
    {"BatchMatMul", 0b11, 0},
    {"BatchMatMulV2", 0b11, 0},
    {"BatchMatMulV3", 0b11, 0},
    {"SparseMatMul", 0b11, 0},
    {"SparseTensorDenseMatMul", 0b1000, 0},
    {"Einsum", 0b11, 0},
    {"BiasAdd", 0b10, 0},
    {"BiasAddV1", 0b10, 0},
    {"Prelu", 0b10, 0},
    {"FusedBatchNorm", 0b11110, 0b11000},
    {"FusedBatchNormV2", 0b11110, 0b11000},
    {"FusedBatchNormV3", 0b11110, 0b11000},
    {"_FusedBatchNormEx", 0b11110, 0b11000},
    {"BatchNormWithGlobalNormalization", 0b11110, 0b00110},
    {"Gather", 0b1, 0},
    {"GatherV2", 0b1, 0},
    {"GatherNd", 0b1, 0},
    {"LSTMBlockCell", 0b11111000, 0},
    {"BlockLSTM", 0b111110000, 0},
    {"CudnnRNN", 0b1000, 0},
}};

// Arithmetic takes weights too (a bias written as Add, a scale written as Mul), but its scalars are
// constants of the model.
constexpr std::array<std::string_view, 7> kArithmetic = {"Add", "AddV2",   "Sub",    "Mul",
                                                         "Div", "RealDiv", "Maximum"};

// Hand a weight on, perhaps in another form. Those that join take it at any input, the others at
// their first.
constexpr std::array<std::string_view, 14> kHandOn = {
    "Identity", "Enter", "Switch", "ExpandDims", "Reshape", "Transpose",    "Squeeze",
    "Cast",     "Split", "SplitV", "Unpack",     "Slice",   "StridedSlice", "Tile"};
constexpr std::array<std::string_view, 3> kJoin = {"ConcatV2", "Pack", "Merge"};

template <size_t kCount>
bool contains(const std::array<std::string_view, kCount>& ops, std::string_view op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

bool is_float(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kHalf ||
         dtype == DType::kBfloat16;
}

// 0 where the shape cannot be told.
uint64_t element_count_of(const Node& node) {
  const Result<uint64_t> count = element_count(output_shape(node, 0));
  return count ? *count : 0;
}

// A weight's way ends after so many nodes; longer ones are computations.
constexpr int kMaxSteps = 6;

class WeightFinder {
 public:
  WeightFinder(const Graph& graph, const Consumers& consumers)
      : nodes_(graph.nodes()), consumers_(consumers) {}

  std::optional<Weight> judge(uint32_t node) const;

 private:
  std::optional<Weight> by_read_name(uint32_t node) const;
  std::optional<Weight> by_use(uint32_t start, bool many) const;
  std::optional<Weight> in_slot(uint32_t start, const Consumer& consumer) const;

  const std::vector<Node>& nodes_;
  const Consumers& consumers_;
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

std::optional<Weight> WeightFinder::in_slot(uint32_t start, const Consumer& consumer) const {
  const Node& node = nodes_[consumer.node];
  const auto same = [&](const Slot& slot) { return slot.op == node.op; };
  const auto slot = std::find_if(kSlots.begin(), kSlots.end(), same);
  if (slot == kSlots.end() || consumer.input >= 32) return std::nullopt;
  const uint32_t bit = uint32_t{1} << consumer.input;
  if ((slot->inputs & bit) == 0) return std::nullopt;
  return Weight{start, cat("input ", consumer.input, " of ", node.op, " '", node.name, "'"),
                (slot->statistics & bit) == 0};
}

// `many`: the constant has more than one element, so that arithmetic with it is a weight's.
std::optional<Weight> WeightFinder::by_use(uint32_t start, bool many) const {
  std::vector<uint32_t> level = {start};
  for (int step = 0; step < kMaxSteps && !level.empty(); ++step) {
    std::vector<uint32_t> next;
    for (const uint32_t at : level) {
      for (const Consumer& consumer : consumers_.of(at)) {
        if (consumer.control) continue;
        if (auto weight = in_slot(start, consumer)) return weight;
        const Node& node = nodes_[consumer.node];
        if (many && contains(kArithmetic, node.op)) {
          return Weight{start, cat("operand of ", node.op, " '", node.name, "'")};
        }
        const bool first = consumer.input == 0 || node.op == "Split" || node.op == "SplitV";
        if (contains(kJoin, node.op) || (first && contains(kHandOn, node.op))) {
          next.push_back(consumer.node);
        }
      }
    }
    level = std::move(next);
  }
  return std::nullopt;
}

std::optional<Weight> WeightFinder::judge(uint32_t index) const {
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

std::vector<Weight> find_weights(const Graph& graph, const Consumers& consumers,
                                 const PassOptions& options) {
  const WeightFinder finder(graph, consumers);
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
