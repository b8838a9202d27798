#include "graph/roles.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 12> kPassThrough = {
    "Identity",    "Enter",    "Exit",    "Switch",    "Merge",    "NextIteration",
    "RefIdentity", "RefEnter", "RefExit", "RefSwitch", "RefMerge", "RefNextIteration"};

constexpr std::array<std::string_view, 4> kPlaceholders = {"Placeholder", "PlaceholderV2",
                                                           "PlaceholderWithDefault", "_Arg"};

constexpr std::array<std::string_view, 4> kSteps = {"Apply", "ResourceApply", "SparseApply",
                                                    "ResourceSparseApply"};

constexpr std::array<std::string_view, 3> kUpdates = {"Assign", "ResourceScatter", "CountUpTo"};

constexpr std::array<std::string_view, 9> kRefScatters = {
    "ScatterUpdate", "ScatterAdd", "ScatterSub",   "ScatterMul",     "ScatterDiv",
    "ScatterMin",    "ScatterMax", "ScatterNdAdd", "ScatterNdUpdate"};

constexpr std::array<std::string_view, 17> kNoValues = {"MakeIterator",
                                                        "DisableCopyOnRead",
                                                        "ControlTrigger",
                                                        "DestroyResourceOp",
                                                        "Abort",
                                                        "TensorArray",
                                                        "TensorArrayV2",
                                                        "TensorArrayV3",
                                                        "Stack",
                                                        "StackV2",
                                                        "StackPush",
                                                        "StackPushV2",
                                                        "StackClose",
                                                        "StackCloseV2",
                                                        "SaveDataset",
                                                        "EmptyTensorList",
                                                        "TensorListReserve"};

// Endings of ops that give a handle, without the version.
constexpr std::array<std::string_view, 9> kHandleEndings = {
    "Dataset", "Iterator",           "Queue",      "Reader", "HashTable", "TensorArrayClose",
    "Barrier", "HashTableOfTensors", "Accumulator"};

constexpr std::array<std::string_view, 5> kNoValuePrefixes = {
    "DeleteIterator", "Anonymous", "IteratorFromStringHandle", "WriteSummary", "BarrierInsert"};

constexpr std::array<std::string_view, 20> kTests = {"Equal",
                                                     "NotEqual",
                                                     "Less",
                                                     "LessEqual",
                                                     "Greater",
                                                     "GreaterEqual",
                                                     "ApproximateEqual",
                                                     "LogicalAnd",
                                                     "LogicalOr",
                                                     "LogicalNot",
                                                     "All",
                                                     "Any",
                                                     "IsFinite",
                                                     "IsNan",
                                                     "IsInf",
                                                     "LoopCond",
                                                     "InTopK",
                                                     "InTopKV2",
                                                     "RegexFullMatch",
                                                     "StaticRegexFullMatch"};

// Without "Stateless" and what follows.
constexpr std::array<std::string_view, 10> kRandom = {
    "RandomUniform",  "RandomStandardNormal", "RandomNormal",
    "RandomShuffle",  "RandomGamma",          "RandomPoisson",
    "RandomBinomial", "TruncatedNormal",      "ParameterizedTruncatedNormal",
    "Multinomial"};

constexpr std::array<std::string_view, 7> kPipelineReads = {
    "IteratorGetNext", "QueueDequeue",     "ReaderRead",
    "Unstage",         "OptionalGetValue", "MultiDeviceIteratorGetNext",
    "RecordInput"};

constexpr std::array<std::string_view, 5> kDecoders = {"ParseExample", "ParseSingleExample",
                                                       "ParseSequenceExample",
                                                       "ParseSingleSequenceExample", "Decode"};

constexpr std::array<std::string_view, 5> kLayers = {"Conv2D", "Conv3D", "MatMul", "BiasAdd",
                                                     "DepthwiseConv2dNative"};

constexpr std::array<std::string_view, 9> kSavers = {"SaveV2",
                                                     "Save",
                                                     "SaveSlices",
                                                     "RestoreV2",
                                                     "Restore",
                                                     "RestoreSlice",
                                                     "ShardedFilename",
                                                     "ShardedFilespec",
                                                     "MergeV2Checkpoints"};

constexpr std::array<std::string_view, 5> kEffects = {"NoOp", "Assert", "Print", "PrintV2",
                                                      "WriteFile"};

constexpr std::array<std::string_view, 4> kEffectPrefixes = {"InitializeTable", "QueueEnqueue",
                                                             "QueueClose", "LookupTableImport"};

template <size_t kCount>
bool begins_with_one_of(std::string_view op, const std::array<std::string_view, kCount>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return op.starts_with(prefix); });
}

}  // namespace

bool is_ref_variable(std::string_view op) { return op == "VariableV2" || op == "Variable"; }

bool is_resource_variable(std::string_view op) { return op == "VarHandleOp"; }

bool is_switch(std::string_view op) { return op == "Switch" || op == "RefSwitch"; }
bool is_merge(std::string_view op) { return op == "Merge" || op == "RefMerge"; }

bool is_pass_through(std::string_view op) { return is_one_of(op, kPassThrough); }

bool is_placeholder(std::string_view op) { return is_one_of(op, kPlaceholders); }

bool is_assignment(std::string_view op) { return op == "Assign" || op == "AssignVariableOp"; }

bool is_update(std::string_view op) {
  return is_training_step(op) || begins_with_one_of(op, kUpdates) || is_one_of(op, kRefScatters);
}

bool is_training_step(std::string_view op) { return begins_with_one_of(op, kSteps); }

bool is_random(std::string_view op) {
  constexpr std::string_view kStateless = "Stateless";
  if (op.starts_with(kStateless)) op.remove_prefix(kStateless.size());
  return begins_with_one_of(op, kRandom);
}

bool is_saver_op(std::string_view op) { return is_one_of(op, kSavers); }

bool is_side_effect(std::string_view op) {
  return is_update(op) || is_saver_op(op) || is_one_of(op, kEffects) ||
         begins_with_one_of(op, kEffectPrefixes) || op.find("Summary") != std::string_view::npos;
}

bool gives_no_value(std::string_view op) {
  std::string_view plain = op;
  while (plain.size() > 2 && plain.back() >= '2' && plain.back() <= '4' &&
         plain[plain.size() - 2] == 'V') {
    plain.remove_suffix(2);
  }
  return is_one_of(op, kNoValues) || begins_with_one_of(op, kNoValuePrefixes) ||
         std::any_of(kHandleEndings.begin(), kHandleEndings.end(),
                     [&](std::string_view ending) { return plain.ends_with(ending); });
}

bool is_test(std::string_view op) {
  return is_one_of(op, kTests) || op.ends_with("IsInitialized") || op.ends_with("IsInitializedOp");
}

bool is_pipeline_read(std::string_view op) { return begins_with_one_of(op, kPipelineReads); }

bool is_decoder(std::string_view op) { return begins_with_one_of(op, kDecoders); }

bool is_layer(std::string_view op) {
  return std::any_of(kLayers.begin(), kLayers.end(), [&](std::string_view layer) {
    return op.find(layer) != std::string_view::npos;
  });
}

bool in_gradients(std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view scope = name.substr(0, std::min(slash, name.size()));
  return scope == "gradients" || scope.starts_with("gradients_") ||
         name.find("/gradients/") != std::string_view::npos;
}

}  // namespace cryo
