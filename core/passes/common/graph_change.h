#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// The kinds of changes that make a graph ready to serve, and faster, and that edit makes.
constexpr std::string_view kSwitchSet = "set";
constexpr std::string_view kBranchTaken = "branch";
constexpr std::string_view kDropoutRemoved = "dropout";
constexpr std::string_view kBatchNormalized = "batch-normalization";
constexpr std::string_view kRangeStored = "range";
constexpr std::string_view kStepTaken = "training-loop";
constexpr std::string_view kReplicaTaken = "replica";
constexpr std::string_view kInputCut = "input";
constexpr std::string_view kBatchNormFolded = "folded-batch-normalization";
constexpr std::string_view kConstantFolded = "folded-constant";
constexpr std::string_view kMerged = "merged";
constexpr std::string_view kStoredSmaller = "stored-smaller";
constexpr std::string_view kRenamed = "renamed";
constexpr std::string_view kConstantChanged = "constant";
constexpr std::string_view kPlaceholderChanged = "placeholder";
constexpr std::string_view kSizesChanged = "sizes";
constexpr std::string_view kSignatureAdded = "signature";
constexpr std::string_view kJoined = "joined";
constexpr std::string_view kConnected = "connected";
constexpr std::string_view kOlderForm = "older-form";

// One of them, with its evidence.
struct GraphChange {
  std::string node;
  std::string_view what;
  std::string why;
  bool changes_numbers;  // also for an original whose training switches are fed
};

using GraphChanges = std::vector<GraphChange>;

}  // namespace cryo
