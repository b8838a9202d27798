#include "graph/op_facts.h"

#include <algorithm>
#include <array>

namespace cryo {
namespace {

constexpr std::array kNamed = std::to_array<OpRow>({
    {"Abort", kNoValue},
    {"Abs", kElementwise | kJudges | kLossOp | kStatistic},
    {"Add", kElementwise | kArithmetic | kStatistic},
    {"AddN", kElementwise | kJudges | kLossOp | kStatistic},
    {"AddV2", kElementwise | kArithmetic | kStatistic},
    {"All", kTests},
    {"Any", kTests},
    {"ApproximateEqual", kTests},
    {"ArgMax", kJudges | kMinor},
    {"Assert", kEffect},
    {"BatchToSpaceND", kRearranges},
    {"BiasAdd", kElementwise},
    {"Cast", kConverts | kStatistic | kMinor},
    {"ConcatV2", kJoins | kMinor},
    {"ControlTrigger", kNoValue},
    {"Dequantize", kConverts | kTakesRange},
    {"DestroyResourceOp", kNoValue},
    {"DisableCopyOnRead", kNoValue},
    {"Div", kElementwise | kArithmetic | kStatistic},
    {"DivNoNan", kElementwise},
    {"EagerPyFunc", kPython},
    {"Elu", kElementwise},
    {"EmptyTensorList", kNoValue},
    {"Enter", kPassesOn | kHandsOn | kEnter},
    {"Equal", kTests | kJudges},
    {"Exit", kPassesOn | kHandsOn | kExit},
    {"Exp", kElementwise},
    {"ExpandDims", kReshapes | kMinor},
    {"FakeQuantWithMinMaxVars", kConverts | kTakesRange},
    {"FakeQuantWithMinMaxVarsPerChannel", kConverts | kTakesRange},
    {"FusedBatchNorm", kBatchNorm},
    {"FusedBatchNormV2", kBatchNorm},
    {"FusedBatchNormV3", kBatchNorm},
    {"Greater", kTests},
    {"GreaterEqual", kTests},
    {"Identity", kPassesOn | kHandsOn | kStatistic},
    {"InTopK", kTests},
    {"InTopKV2", kTests},
    {"IsFinite", kTests},
    {"IsInf", kTests},
    {"IsNan", kTests},
    {"L2Loss", kJudges | kLossOp | kStatistic},
    {"LeakyRelu", kElementwise},
    {"Less", kTests},
    {"LessEqual", kTests | kStatistic},
    {"Log", kJudges | kLossOp},
    {"LogicalAnd", kTests},
    {"LogicalNot", kTests},
    {"LogicalOr", kTests},
    {"LoopCond", kTests},
    {"MakeIterator", kNoValue},
    {"Max", kStatistic},
    {"Maximum", kElementwise | kArithmetic | kStatistic},
    {"Mean", kJudges | kLossOp | kStatistic},
    {"Merge", kPassesOn | kJoins | kBranches},
    {"MergeV2Checkpoints", kSaves},
    {"Min", kStatistic},
    {"Minimum", kElementwise | kStatistic},
    {"Mul", kElementwise | kArithmetic | kStatistic},
    {"Neg", kElementwise | kJudges | kLossOp},
    {"NextIteration", kPassesOn | kHandsOn | kNext},
    {"NoOp", kEffect},
    {"NotEqual", kTests | kJudges | kStatistic},
    {"OnesLike", kFills},
    {"Pack", kJoins | kMinor},
    {"Placeholder", kPlaceholderOp},
    {"PlaceholderV2", kPlaceholderOp},
    {"PlaceholderWithDefault", kPlaceholderOp | kHandsOn},
    {"Pow", kJudges | kLossOp},
    {"PreventGradient", kHandsOn},
    {"Print", kEffect},
    {"PrintV2", kEffect},
    {"Prod", kStatistic},
    {"PyFunc", kPython},
    {"PyFuncStateless", kPython},
    {"QuantizeAndDequantize", kTakesRange},
    {"QuantizeAndDequantizeV2", kTakesRange},
    {"QuantizeAndDequantizeV3", kTakesRange},
    {"QuantizeAndDequantizeV4", kTakesRange},
    {"QuantizeV2", kTakesRange},
    {"Range", kMinor},
    {"Rank", kAsksShape | kMinor},
    {"ReadVariableOp", kReads},
    {"RealDiv", kElementwise | kArithmetic | kStatistic},
    {"RefEnter", kPassesOn | kHandsOn | kEnter},
    {"RefExit", kPassesOn | kHandsOn | kExit},
    {"RefIdentity", kPassesOn | kHandsOn},
    {"RefMerge", kPassesOn | kBranches},
    {"RefNextIteration", kPassesOn | kHandsOn | kNext},
    {"RefSwitch", kPassesOn | kHandsOn | kBranches},
    {"RegexFullMatch", kTests},
    {"Relu", kElementwise},
    {"Relu6", kElementwise},
    {"Reshape", kReshapes | kMinor},
    {"Restore", kSaves},
    {"RestoreSlice", kSaves},
    {"RestoreV2", kSaves},
    {"Save", kSaves},
    {"SaveDataset", kNoValue},
    {"SaveSlices", kSaves},
    {"SaveV2", kSaves},
    {"ScatterAdd", kUpdates},
    {"ScatterDiv", kUpdates},
    {"ScatterMax", kUpdates},
    {"ScatterMin", kUpdates},
    {"ScatterMul", kUpdates},
    {"ScatterNdAdd", kUpdates},
    {"ScatterNdUpdate", kUpdates},
    {"ScatterSub", kUpdates},
    {"ScatterUpdate", kUpdates},
    {"Select", kElementwise},
    {"SelectV2", kElementwise},
    {"Selu", kElementwise},
    {"Shape", kAsksShape | kMinor},
    {"ShapeN", kAsksShape},
    {"ShardedFilename", kSaves},
    {"ShardedFilespec", kSaves},
    {"Sigmoid", kElementwise},
    {"Size", kAsksShape | kStatistic | kMinor},
    {"Slice", kPicks | kMinor},
    {"Softplus", kElementwise},
    {"Softsign", kElementwise},
    {"SpaceToBatchND", kRearranges},
    {"Split", kPicks},
    {"SplitV", kPicks},
    {"Sqrt", kElementwise | kStatistic},
    {"Square", kElementwise | kJudges | kLossOp | kStatistic},
    {"SquaredDifference", kElementwise | kJudges | kLossOp},
    {"Squeeze", kReshapes | kMinor},
    {"Stack", kNoValue},
    {"StackClose", kNoValue},
    {"StackCloseV2", kNoValue},
    {"StackPush", kNoValue},
    {"StackPushV2", kNoValue},
    {"StackV2", kNoValue},
    {"StaticRegexFullMatch", kTests},
    {"StopGradient", kHandsOn | kMinor},
    {"StridedSlice", kPicks | kStatistic | kMinor},
    {"Sub", kElementwise | kArithmetic | kJudges | kLossOp | kStatistic},
    {"Sum", kJudges | kLossOp | kStatistic},
    {"Switch", kPassesOn | kHandsOn | kBranches},
    {"TPUReplicateMetadata", kNoValue},
    {"TPUReplicatedInput", kHandsOn},
    {"TPUReplicatedOutput", kHandsOn},
    {"Tanh", kElementwise},
    {"TensorArray", kNoValue},
    {"TensorArrayV2", kNoValue},
    {"TensorArrayV3", kNoValue},
    {"TensorListReserve", kNoValue},
    {"Tile", kPicks},
    {"Transpose", kRearranges},
    {"Unpack", kPicks},
    {"VarHandleOp", kVariable},
    {"Variable", kVariable},
    {"VariableShape", kAsksShape},
    {"VariableV2", kVariable},
    {"WriteFile", kEffect},
    {"ZerosLike", kFills},
    {"_Arg", kPlaceholderOp},
});

constexpr std::array kPatterns = std::to_array<OpRow>({
    {"*Accumulator", kNoValue},
    {"*Barrier", kNoValue},
    {"*BiasAdd*", kLayer},
    {"*Conv2D*", kLayer},
    {"*Conv3D*", kLayer},
    {"*CrossEntropy*", kJudges},
    {"*Dataset", kNoValue},
    {"*DepthwiseConv2dNative*", kLayer},
    {"*HashTable", kNoValue},
    {"*HashTableOfTensors", kNoValue},
    {"*IsInitializedOp", kTests},
    {"*Iterator", kNoValue},
    {"*MatMul*", kLayer},
    {"*Queue", kNoValue},
    {"*Reader", kNoValue},
    {"*Summary*", kEffect | kSummary},
    {"*TensorArrayClose", kNoValue},
    {"Anonymous*", kNoValue},
    {"Apply*", kUpdates | kStep},
    {"Assign*", kUpdates},
    {"BarrierInsert*", kNoValue},
    {"CTC*", kJudges},
    {"CountUpTo*", kUpdates},
    {"Decode*", kDecodes},
    {"DeleteIterator*", kNoValue},
    {"InTopK*", kJudges},
    {"InfeedDequeue*", kReadsPipeline},
    {"InfeedEnqueue*", kEffect | kEnqueues},
    {"InitializeTable*", kEffect},
    {"IteratorFromStringHandle*", kNoValue},
    {"IteratorGetNext*", kReadsPipeline},
    {"LookupTableImport*", kEffect},
    {"MultiDeviceIteratorGetNext*", kReadsPipeline},
    {"Multinomial*", kRandom},
    {"OptionalGetValue*", kReadsPipeline},
    {"OutfeedDequeue*", kReadsPipeline},
    {"OutfeedEnqueue*", kEffect | kEnqueues},
    {"ParameterizedTruncatedNormal*", kRandom},
    {"ParseExample*", kDecodes},
    {"ParseSequenceExample*", kDecodes},
    {"ParseSingleExample*", kDecodes},
    {"ParseSingleSequenceExample*", kDecodes},
    {"QueueClose*", kEffect},
    {"QueueDequeue*", kReadsPipeline},
    {"QueueEnqueue*", kEffect | kEnqueues},
    {"RandomGamma*", kRandom},
    {"RandomPoisson*", kRandom},
    {"RandomShuffle*", kRandom},
    {"RandomStandardNormal*", kRandom},
    {"RandomUniform*", kRandom},
    {"ReaderRead*", kReadsPipeline},
    {"RecordInput*", kReadsPipeline},
    {"ResourceApply*", kUpdates | kStep},
    {"ResourceScatter*", kUpdates},
    {"ResourceSparseApply*", kUpdates | kStep},
    {"SparseApply*", kUpdates | kStep},
    {"StatelessMultinomial*", kRandom},
    {"StatelessParameterizedTruncatedNormal*", kRandom},
    {"StatelessRandomBinomial*", kRandom},
    {"StatelessRandomGamma*", kRandom},
    {"StatelessRandomNormal*", kRandom},
    {"StatelessRandomPoisson*", kRandom},
    {"StatelessRandomUniform*", kRandom},
    {"StatelessShuffle*", kRandom},
    {"StatelessTruncatedNormal*", kRandom},
    {"TruncatedNormal*", kRandom},
    {"Unstage*", kReadsPipeline},
    {"WriteSummary*", kNoValue},
});

constexpr OpFacts facts_of_patterns() {
  OpFacts facts = 0;
  for (const OpRow& row : kPatterns) facts |= row.facts;
  return facts;
}

// "BatchDatasetV2" -> "BatchDataset".
std::string_view without_version(std::string_view op) {
  while (op.size() > 2 && op.back() >= '2' && op.back() <= '4' && op[op.size() - 2] == 'V') {
    op.remove_suffix(2);
  }
  return op;
}

OpFacts named_facts(std::string_view op) {
  const auto row = std::lower_bound(kNamed.begin(), kNamed.end(), op,
                                    [](const OpRow& a, std::string_view b) { return a.op < b; });
  return row == kNamed.end() || row->op != op ? 0 : row->facts;
}

// Returns the facts of those patterns that have any of `wanted`.
OpFacts pattern_facts(std::string_view op, OpFacts wanted) {
  OpFacts facts = 0;
  for (const OpRow& row : kPatterns) {
    if ((row.facts & wanted) != 0 && fits_op_pattern(op, row.op)) facts |= row.facts;
  }
  return facts;
}

}  // namespace

std::span<const OpRow> named_op_rows() { return kNamed; }
std::span<const OpRow> op_pattern_rows() { return kPatterns; }

bool fits_op_pattern(std::string_view op, std::string_view pattern) {
  const bool any_start = pattern.starts_with('*');
  const bool any_end = pattern.ends_with('*');
  const std::string_view part =
      pattern.substr(any_start ? 1 : 0, pattern.size() - (any_start ? 1 : 0) - (any_end ? 1 : 0));
  if (any_start && any_end) return op.find(part) != std::string_view::npos;
  return any_end ? op.starts_with(part) : without_version(op).ends_with(part);
}

OpFacts facts_of(std::string_view op) { return named_facts(op) | pattern_facts(op, ~OpFacts{0}); }

bool has_fact(std::string_view op, OpFacts facts) {
  if ((named_facts(op) & facts) != 0) return true;
  return (facts & facts_of_patterns()) != 0 && (pattern_facts(op, facts) & facts) != 0;
}

}  // namespace cryo
