#include "graph/roles.h"

#include <algorithm>
#include <array>

namespace cryo {
namespace {

template <size_t kCount>
bool is_one_of(std::string_view op, const std::array<std::string_view, kCount>& ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

constexpr std::array<std::string_view, 12> kPassThrough = {
    "Identity",    "Enter",    "Exit",      "Switch",    "Merge",   "NextIteration",
    "RefIdentity", "RefEnter", "RefExit",   "RefSwitch", "RefMerge", "RefNextIteration"};

constexpr std::array<std::string_view, 4> kPlaceholders = {"Placeholder", "PlaceholderV2",
                                                           "PlaceholderWithDefault", "_Arg"};

constexpr std::array<std::string_view, 14> kSideEffects = {
    "NoOp",        "Assert",       "Print",         "PrintV2",   "WriteFile",
    "SaveV2",      "Save",         "SaveSlices",    "RestoreV2", "Restore",
    "RestoreSlice", "MergeV2Checkpoints", "ShardedFilename", "ShardedFilespec"};

constexpr std::array<std::string_view, 12> kSideEffectPrefixes = {
    "Assign",        "Apply",         "ResourceApply",   "SparseApply",
    "ResourceSparseApply", "ScatterUpdate", "ScatterAdd", "ScatterSub",
    "ResourceScatter", "InitializeTable", "QueueEnqueue", "LookupTableImport"};

}  // namespace

bool is_ref_variable(std::string_view op) { return op == "VariableV2" || op == "Variable"; }

bool is_resource_variable(std::string_view op) { return op == "VarHandleOp"; }

bool is_pass_through(std::string_view op) { return is_one_of(op, kPassThrough); }

bool is_placeholder(std::string_view op) { return is_one_of(op, kPlaceholders); }

bool is_side_effect(std::string_view op) {
  const auto begins_op = [&](std::string_view prefix) { return op.starts_with(prefix); };
  return is_one_of(op, kSideEffects) || op.find("Summary") != std::string_view::npos ||
         std::any_of(kSideEffectPrefixes.begin(), kSideEffectPrefixes.end(), begins_op);
}

bool in_gradients(std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view scope = name.substr(0, std::min(slash, name.size()));
  return scope == "gradients" || scope.starts_with("gradients_") ||
         name.find("/gradients/") != std::string_view::npos;
}

}  // namespace cryo
