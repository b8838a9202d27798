#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/pattern/globs.h"
#include "model/model.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

class OpRegistry;

// The options of the command line and of the JavaScript API, for the passes that know them. Lists
// hold one name an element.
struct PassOptions {
  std::vector<std::string> outputs = {};  // nodes or tensors; empty: the model's own likely outputs
  std::vector<std::string> inputs = {};   // the inputs of the kept graph
  std::vector<std::string> signatures = {};  // keys: their outputs, where none are given
  std::vector<std::string> keep = {};  // between passes: nodes that stay too, and may be missing
  std::vector<std::string> set = {};   // prune, freeze: "NAME=VALUE" (passes/set/set_values.h)
  std::vector<std::string> placeholders = {};   // edit: "x=uint8[1,8,?]" (passes/edit/edit.h)
  std::vector<std::string> constants_set = {};  // edit: "NAME=VALUE"
  std::string batch = {};                       // edit: "8", "?"
  Globs variables = {};                         // freeze, weights: the selected ones; none: all
  Globs keep_variables = {};                    // freeze: those that stay variables
  // Edit: "KEY=x,y->z" (passes/edit/added_signatures.h)
  std::vector<std::string> added_signatures = {};
  // Edit, of the model `other`: "TENSOR=PLACEHOLDER", its scope (passes/edit/join.h).
  std::vector<std::string> connect = {};
  std::string scope = {};
  bool redact = false;  // edit: for a bug report (passes/redact/redact.h)
  // Unfreeze: "ref", "resource", "" for the style of the original graph.
  std::string style = {};
  bool resource_gather = false;          // unfreeze: GatherV2 of a resource becomes ResourceGather
  bool initial_values = false;           // unfreeze: the graph itself holds the values, too
  Globs constants = {};                  // constants that are weights, instead of detection
  Globs exclude = {};                    // weights to leave alone; transfer: variables
  std::vector<std::string> rename = {};  // "FROM=TO" (base/pattern/rename.h)
  bool no_slots = false;                 // excludes optimizer state
  bool weights_alone = false;            // diff: the weights, without structure and slots
  std::vector<std::string> match = {};   // transfer, diff: "value", "shape" pair the rest
  bool strict = false;                   // transfer: fails unless all are matched or excluded
  bool partial = false;                  // transfer: the matched variables alone, as a checkpoint
  // Freeze, transfer, weights: "FROM=TO" (passes/weights/casts.h).
  std::vector<std::string> cast = {};
  const Model* other = nullptr;         // transfer: whose weights are taken; diff: B; edit: joined
  std::vector<const Model*> more = {};  // weights: models whose weights are added
  bool salvage = false;                 // convert, weights: of a damaged model what is whole
  bool average = false;                 // weights: the mean of these models and the first
  bool ema = false;                     // freeze, weights: moving averages instead of weights
  bool like_tensorflow = false;         // prune, freeze: as TensorFlow's own tools
  bool no_inline = false;               // freeze: calls of functions stay calls
  bool lower_control_flow = false;      // freeze: While, If, Case become plain nodes
  bool no_record = false;               // freeze: constants have no record of their variables
  bool fold_assets = false;             // freeze: tables are filled from constants, not from files
  bool drop_checks = false;  // prune, freeze: and these four clean (passes/prune/cleanup.h)
  bool splice_identities = false;
  bool clear_devices = false;
  bool strip_defaults = false;
  bool fold_batch_norm = false;  // freeze, and these three too (passes/optimize/optimize.h)
  bool fold_constants = false;
  bool merge_duplicates = false;
  bool quantize_weights = false;
  bool inference = false;           // prune, freeze: ready to serve (passes/inference/inference.h)
  std::string for_release = {};     // freeze: "tensorflow-1.15" (passes/freeze/for_release.h)
  const OpRegistry* ops = nullptr;  // the known ops; may be null
  std::string_view histories = {};  // core/data/op_histories.bin; empty: not loaded
};

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

// The report of a pass, in addition to its result. Passes write it and do not read it.
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

// A pass returns a new Model and leaves the old one unchanged. A pass on two models returns a new
// version of the first; the other is an option.
struct Pass {
  std::string_view name;     // "freeze"
  std::string_view summary;  // one line, for help and menus
  Result<Model> (*run)(const Model&, const PassOptions&, PassLog&);
  bool needs_graph = true;
  bool needs_other = false;  // REQUIRES: PassOptions::other is there; others may take it
};

// All passes: the command line, the JavaScript API, the page and the documentation are made from
// this table.
std::span<const Pass> passes();

// nullptr if there is none of the name.
const Pass* find_pass(std::string_view name);

// Runs a pass. A debug build checks its result.
Result<Model> run_pass(const Pass& pass, const Model& model, const PassOptions& options,
                       PassLog& log);

// Fails if TensorFlow would import the graph before a pass, and not the graph after it: a bug. The
// error has the name of the pass, and the fault.
Status check_made(const Pass& pass, const Model& model, const Model& made, const OpRegistry* ops);

}  // namespace cryo
