#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/reference.h"
#include "graph/node_attrs.h"
#include "releases/op_histories.h"

namespace cryo {

// The options of our own that remove a fault (base/reference.h).
constexpr std::string_view kFreezeWith = "freeze with ";
constexpr std::string_view kFreezeIt = "freeze it: ";
constexpr char kFixByStripping[] = "freeze with " SETTING("--strip-defaults", "");
constexpr char kFixByLowering[] = "freeze with " SETTING("--lower-control-flow", "");
constexpr char kFixByDropping[] = "freeze with " SETTING("--drop-checks", "");
constexpr char kFixByClearing[] = "freeze with " SETTING("--clear-devices", "");
constexpr char kFixBySplicing[] = "freeze with " SETTING("--splice-identities", "");
constexpr char kFixByFolding[] = "freeze with " SETTING("--fold-constants", "");
constexpr char kFixByFoldingAll[] =
    "freeze with " SETTING("--fold-constants", "") " and " SETTING("--fold-batch-norm", "");
constexpr char kFixByInference[] = "freeze with " SETTING("--inference", "");
constexpr char kFixByFreezing[] = "freeze it: " RUN("freeze", "OUT.pb");
constexpr char kFixByForm[] = "freeze with " OPTION("--for", "RELEASE");

// A fault of a node with one definition of its op.
struct NodeFault {
  std::string_view attr = {};
  std::string why = {};
  std::string fix = {};
  bool stops_loading = true;           // false: it loads, and does not run
  bool Release::*rule = nullptr;       // only releases with this rule refuse it; null: all do
  DType unknown_to = DType::kInvalid;  // only releases without this type refuse it
};

NodeFault unknown_op(std::string_view op);
NodeFault missing_attr(std::string_view attr);
NodeFault unknown_attr(std::string_view attr);  // that a function's body has: it loads
NodeFault other_device();                       // than the CPU of a session's own process

// Returns true if a node has an attribute of the op, and its default as the value.
bool is_default(const Node& node, std::string_view attr, const OpDef& op);

// Returns the faults of a node of a main graph. `attrs` is bound to the definition. `latest`: the
// op of the latest release, null if it has none.
std::vector<NodeFault> node_faults(const Node& node, const NodeAttrs& attrs, const OpDef* latest,
                                   int producer);

// Returns why a release has no kernel on the CPU that runs a node. `kernels`: of its op; null if it
// has none.
std::optional<NodeFault> kernel_fault(const Node& node, const NodeAttrs& attrs,
                                      const std::vector<AttrLimits>* kernels);

// Returns the fault of a node that calls a Python function: no other process than the one that made
// the graph has it.
std::optional<NodeFault> python_fault(const Node& node);

// Returns the option of our own that removes nodes of the op from a graph; empty if none does.
std::string fix_of_op(std::string_view op);

}  // namespace cryo
