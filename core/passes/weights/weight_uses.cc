#include "passes/weights/weight_uses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>

#include "graph/functions/function_callers.h"
#include "graph/op_def.h"
#include "graph/op_facts.h"

namespace cryo {
namespace {

// Inputs of ops that take weights, as bits: 0b10 is input 1.
struct Slot {
  std::string_view op;
  uint32_t inputs;
  uint32_t statistics;  // not changed by gradients
};

constexpr std::array<Slot, 39> kSlots = {{
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
    {"QuantizedConv2D", 0b10, 0},
    {"QuantizedDepthwiseConv2D", 0b10, 0},
    {"QuantizedMatMul", 0b10, 0},
    {"QuantizedBiasAdd", 0b10, 0},
    {"FusedBatchNorm", 0b11110, 0b11000},
    {"FusedBatchNormV2", 0b11110, 0b11000},
    {"FusedBatchNormV3", 0b11110, 0b11000},
    {"_FusedBatchNormEx", 0b11110, 0b11000},
    {"BatchNormWithGlobalNormalization", 0b11110, 0b00110},
    {"Gather", 0b1, 0},
    {"GatherV2", 0b1, 0},
    {"GatherNd", 0b1, 0},
    {"ResourceGather", 0b1, 0},
    {"ResourceGatherNd", 0b1, 0},
    {"LSTMBlockCell", 0b11111000, 0},
    {"BlockLSTM", 0b111110000, 0},
    {"CudnnRNN", 0b1000, 0},
}};

// Returns true if an op hands a weight on, perhaps in another form: those that join take it at any
// input, the others at their first.
bool hands_weight_on(std::string_view op, uint32_t input) {
  if (has_fact(op, kJoins) || op == "Split" || op == "SplitV") return true;
  return input == 0 &&
         has_fact(op, kReads | kHandsOn | kReshapes | kRearranges | kPicks | kConverts);
}

// The name of a function's argument; empty if it has not so many.
std::string_view argument_name(const Function& function, uint32_t argument) {
  const OpDef signature = read_op_def(signature_of(function));
  return argument < signature.inputs.size() ? signature.inputs[argument].name : std::string_view();
}

// Returns the part before the first colon: "node:out:0", "argument".
std::string_view source_of(std::string_view input) { return input.substr(0, input.find(':')); }

// How many of a call's inputs come before its function's arguments; nothing for what calls none.
std::optional<uint32_t> first_argument(std::string_view op) {
  if (const FunctionCaller* caller = find_caller(op)) return caller->first;
  return op == "TPUPartitionedCall" ? std::optional<uint32_t>(0) : std::nullopt;
}

// Returns the use of an input by a known op.
WeightUse of_op(const Node& node, uint32_t input) {
  const auto same = [&](const Slot& slot) { return slot.op == node.op; };
  const auto slot = std::find_if(kSlots.begin(), kSlots.end(), same);
  const uint32_t bit = input < 32 ? uint32_t{1} << input : 0;
  WeightUse use{WeightUse::kNone, node.op, node.name, input};
  if (slot != kSlots.end() && (slot->inputs & bit) != 0) {
    use.kind = (slot->statistics & bit) != 0 ? WeightUse::kStatistics : WeightUse::kWeight;
  } else if (input > 0 && has_fact(node.op, kTakesRange)) {
    use.kind = WeightUse::kRange;
  } else if (has_fact(node.op, kArithmetic)) {
    use.kind = WeightUse::kOperand;
  } else if (hands_weight_on(node.op, input)) {
    use.kind = WeightUse::kHandedOn;
  }
  if (was_read(node)) use.read = node.name;
  return use;
}

}  // namespace

bool was_read(const Node& node) {
  std::string_view name = node.name.substr(node.name.rfind('/') + 1);
  constexpr std::string_view kRead = "ReadVariableOp";
  if (node.op != "Identity" || !name.starts_with(kRead)) return false;
  name.remove_prefix(kRead.size());
  if (name.empty()) return true;
  const auto digits = name.find_first_not_of("0123456789", 1);
  return name.front() == '_' && name.size() > 1 && digits == std::string_view::npos;
}

WeightUses::WeightUses(const Graph& graph) {
  for (const Function& function : graph.functions()) functions_.emplace(function.name, &function);
}

WeightUse WeightUses::of(const Node& node, uint32_t input) {
  const WeightUse use = of_op(node, input);
  return use.kind != WeightUse::kNone || functions_.empty() ? use : in_calls(node, input);
}

// A function is called by its name as an op, or as an attribute of an op that calls.
WeightUse WeightUses::in_calls(const Node& node, uint32_t input) {
  if (functions_.contains(node.op)) return in_function(node.op, input);
  const std::optional<uint32_t> first = first_argument(node.op);
  if (!first || input < *first) return {};
  for (const std::string_view function : functions_named_by(node)) {
    const WeightUse use = in_function(function, input - *first);
    if (use.kind != WeightUse::kNone) return use;
  }
  return {};
}

WeightUse WeightUses::in_function(std::string_view name, uint32_t argument) {
  const auto function = functions_.find(name);
  if (function == functions_.end()) return {};
  // A use that is being determined counts as none: this ends recursive calls.
  const auto [known, fresh] = known_.try_emplace({function->first, argument});
  if (!fresh) return known->second;
  const std::string_view arg = argument_name(*function->second, argument);
  const WeightUse use = arg.empty() ? WeightUse() : in_body(*function->second, arg);
  known_[{function->first, argument}] = use;
  return use;
}

// Follows the argument through the body, in the body's order: what hands it on comes before what
// takes it.
WeightUse WeightUses::in_body(const Function& function, std::string_view argument) {
  std::unordered_set<std::string_view> carriers = {argument};
  const Result<std::vector<Node>> nodes = body_nodes(function);
  if (!nodes) return {};
  std::string_view read;
  for (const Node& node : *nodes) {
    uint32_t at = 0;
    for (const std::string_view input : node.inputs()) {
      const uint32_t index = at++;
      if (!carriers.contains(source_of(input))) continue;
      WeightUse use = of(node, index);
      if (read.empty()) read = use.read;
      if (use.kind == WeightUse::kRead) continue;
      if (use.kind == WeightUse::kHandedOn) carriers.insert(node.name);
      if (use.kind != WeightUse::kHandedOn && use.kind != WeightUse::kNone) return use;
    }
  }
  for (const FunctionReturn& each : returns_of(function)) {
    if (!carriers.contains(source_of(each.source))) continue;
    return {.kind = WeightUse::kHandedOn, .read = read};
  }
  return {.kind = read.empty() ? WeightUse::kNone : WeightUse::kRead, .read = read};
}

}  // namespace cryo
