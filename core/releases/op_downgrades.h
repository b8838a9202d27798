#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/fresh_names.h"
#include "graph/graph.h"
#include "graph/rewrite/rewrite_nodes.h"
#include "releases/op_histories.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

// The data about a graph, in addition to it, by which nodes have older forms.
struct DowngradeContext {
  const Payloads& payloads;  // of the graph
  TensorShapes shapes = {};  // of deciding_shapes(); without them some forms are not found
  std::vector<std::string> outputs = {};  // tensors that are used outside of the graph
};

// A node as an earlier release has it.
struct OpDowngrade {
  std::string node_def = {};
  std::vector<std::string> added = {};  // NodeDefs of further nodes, that it takes
  std::string why = {};  // "AddV2 is Add", "without index_type, which has its default"
};

// Returns the nodes of a main graph as earlier releases have them: with the same outputs, the same
// inputs or the first of them, and the same values, bit for bit, where one release has both forms.
// The older op has a kernel on the CPU for the node's types.
//
//     AddV2              Add
//     BatchMatMulV3      BatchMatMulV2    if its three types are one
//     BatchMatMulV2      BatchMatMul      of inputs whose batches are broadcast
//     BroadcastTo        Tile
//     FusedBatchNormV3   FusedBatchNormV2 -> FusedBatchNorm, of float32, unless reserve_space_3 or
//                                         another factor than 1 is used
//     GatherV2           Gather           along axis 0, without batch_dims
//     DivNoNan           Select           of float32 and float64: (y == 0) ? 0 : x / y
//     SelectV2           Select           of broadcast inputs
//     attributes that the release does not have are removed: if they have their default, only check
//     something, or if the input whose type they give can be converted
//
// releases/downgrade_rules.h has the rules. Further nodes broadcast an input, unless known shapes
// make that needless.
class OpDowngrades {
 public:
  // REQUIRES: all outlive it.
  OpDowngrades(const Graph& graph, const OpHistories& histories, const DowngradeContext& context);

  // `release`: a place in histories.releases(). Returns nullopt if the release has the node as it
  // is, or no form of it is known. `names`: of the graph, for added nodes.
  std::optional<OpDowngrade> of(uint32_t index, size_t release, FreshNames& names) const;

  // Returns true if of() returns a form, without making it.
  bool has(uint32_t index, size_t release) const;

  // Returns the tensors whose shapes decide whether a node has an older form; of unknown shape.
  static TensorShapes deciding_shapes(const Graph& graph);

 private:
  const OpDef* definition(std::string_view op, size_t release) const;
  // Returns the rule by which a node, as an op that it is or becomes, has an older form; nullptr if
  // there is none.
  const RewriteRule* rule_of(const Node& node, uint32_t index, std::string_view op) const;
  // Returns what rules ask of a node.
  std::optional<bool> fact(const Node& node, uint32_t index, std::string_view name) const;
  // Returns the op that a node has in a release; empty if none is known.
  std::string_view older_op(uint32_t index, size_t release) const;
  // Returns true if a release has a kernel on the CPU for the node as this op.
  bool runs_as(const Node& node, std::string_view op, size_t release) const;
  bool normalizes_alike(uint32_t index) const;
  bool has_unused_reserve(uint32_t node) const;
  bool has_zero_axis(uint32_t node) const;
  bool has_equal_batches(uint32_t node) const;
  bool selects_without_broadcast(uint32_t node) const;
  const Shape* input_shape(uint32_t node, size_t place) const;
  // Returns for each of the first inputs whether it has the shape that all have together, without
  // the `inner` last axes; false if one is not known.
  std::vector<bool> whole_inputs(uint32_t node, size_t count, size_t inner) const;
  bool is_replaced(uint32_t index, std::string_view op, std::string_view attr) const;
  // Returns the node as an older op.
  OpDowngrade rewritten(uint32_t index, std::string_view op, FreshNames& names) const;
  bool runs_rewritten(uint32_t index, std::string_view op, size_t release) const;
  bool run_in(const std::vector<std::string>& node_defs, size_t release) const;
  // Returns the rule that converts the input whose type an attribute gives; nullptr if there is
  // none.
  const RewriteRule* conversion_of(const Node& node, std::string_view attr) const;
  bool remove_unknown(const Node& node, const OpDef& op, OpDowngrade& form,
                      FreshNames& names) const;

  const Graph& graph_;
  const OpHistories& histories_;
  const DowngradeContext& context_;
  RewriteRules rules_;
  RewriteRules conversions_;
  // True where an op of some types runs in a release as an older one.
  mutable std::map<std::pair<std::string_view, std::vector<int>>, bool> runs_;
};

}  // namespace cryo
