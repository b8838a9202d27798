#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// One thing that changed its nature: a variable that became a constant, or the other way.
struct Conversion {
  std::string name;
  std::string from;  // op
  std::string to;    // op
  DType dtype;
  Shape shape;
  uint64_t bytes;
  std::string why = {};
  std::string_view confidence =
      {};  // unfreeze: "certain", "high", "fair" (passes/weights/find_weights.h)
};

// The outcome for a variable of a transfer.
struct VariableMatch {
  enum Kind { kMatched, kExcluded, kMismatched, kUnmatched };
  Kind kind = kUnmatched;
  std::string name = {};  // the variable's
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::string from = {};  // the weight found for it
  std::string why = {};
  uint64_t bytes = 0;  // of the weight's part that it took
};

// The kinds of changes that make a graph ready to serve, and faster, and that edit makes.
constexpr std::string_view kSwitchSet = "set";
constexpr std::string_view kDropoutRemoved = "dropout";
constexpr std::string_view kBatchNormalized = "batch-normalization";
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

// A node of a damaged model that needs what is not there.
struct IncompleteNode {
  std::string name = {};
  std::vector<std::string> needs = {};  // nodes that are its inputs, and functions
};

// A variable that transfer gave the value of its own initializer.
struct InitialValue {
  std::string name = {};
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::vector<std::string> from = {};  // the nodes that hold the value
};

// The counts of edit with `redact`.
struct RedactedCounts {
  uint64_t names = 0;    // words of names
  uint64_t tensors = 0;  // whose values are gone
  uint64_t bytes = 0;    // that these took
};

// The report of a verb that makes a model, in addition to the model.
struct PassLog {
  Diagnostics diagnostics = {};
  std::vector<Conversion> converted = {};
  std::vector<Conversion> candidates = {};      // unfreeze: possible weights that remain constants
  std::vector<std::string> outputs = {};        // the outputs of the result
  std::vector<VariableMatch> matches = {};      // transfer: of each variable, in the graph's order
  std::vector<InitialValue> initial = {};       // transfer: variables that took an initial value
  std::vector<std::string> unused = {};         // transfer: weights that no variable took
  LostParts lost = {};                          // convert, weights: with `salvage`
  std::vector<IncompleteNode> incomplete = {};  // the same
  std::vector<GraphChange> changes = {};        // edit; prune, freeze: `inference`, optimizations
  std::optional<RedactedCounts> redacted = {};  // edit: with `redact`
};

}  // namespace cryo
