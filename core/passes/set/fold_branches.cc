#include "passes/set/fold_branches.h"

#include <algorithm>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "graph/attr_value.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/common/trim_meta.h"
#include "passes/set/constant_propagation.h"
#include "passes/set/seeds.h"
#include "wire/fields.h"

namespace cryo {
namespace {

std::string_view branch_call(std::string_view op) {
  if (op == "If" || op == "Case") return "StatefulPartitionedCall";
  return op == "StatelessIf" || op == "StatelessCase" ? "PartitionedCall" : "";
}

enum class BranchChange { kStays, kBecomesIdentity, kTakesFewer, kBecomesCall };

using MergeIndices = std::map<uint32_t, std::string>;  // Merge -> the constant of its value_index

// Returns the input that a Switch, Select or Merge passes on; -1 if unknown.
int chosen(const Model& model, const KnownValues& values, uint32_t node) {
  const std::string_view op = model.graph.nodes()[node].op;
  const auto inputs = model.graph.index().edges().inputs(node);
  if (op == "Select" || op == "SelectV2") return *values.truth(inputs[0]) ? 1 : 2;
  if (!is_merge(op)) return 0;
  int live = -1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].control || values.is_dead(inputs[i])) continue;
    if (live >= 0) return -1;
    live = static_cast<int>(i);
  }
  return live;
}

BranchChange change_of_merge(const Model& model, const KnownValues& values, uint32_t node) {
  const auto inputs = model.graph.index().edges().inputs(node);
  const auto dead = [&](const Edge& input) { return values.is_dead(input); };
  const auto loops = [&](const Edge& input) {
    return input.node != kNoNode && model.graph.nodes()[input.node].op.ends_with("NextIteration");
  };
  if (std::none_of(inputs.begin(), inputs.end(), dead)) return BranchChange::kStays;
  const bool loop = std::any_of(inputs.begin(), inputs.end(), loops);
  return chosen(model, values, node) < 0 || loop ? BranchChange::kTakesFewer
                                                 : BranchChange::kBecomesIdentity;
}

// The other operand must not determine if the result is alive, nor its shape.
bool is_select_decided(const Model& model, const KnownValues& values, uint32_t node) {
  const auto inputs = model.graph.index().edges().inputs(node);
  if (inputs.size() < 3 || inputs[1].control || inputs[2].control) return false;
  const auto truth = values.truth(inputs[0]);
  if (!truth || values.is_conditional(inputs[0].node)) return false;
  const Edge& taken = inputs[*truth ? 1 : 2];
  const Edge& other = inputs[*truth ? 2 : 1];
  if (other.node == kNoNode || taken.node == kNoNode) return false;
  if (values.is_conditional(other.node)) return false;
  if (model.graph.nodes()[node].op == "Select") return true;
  const Shape shape = output_shape(model.graph.nodes()[other.node], other.port);
  const bool scalar = !shape.unknown_rank && shape.dims.empty();
  const bool same =
      is_fully_defined(shape) && shape == output_shape(model.graph.nodes()[taken.node], taken.port);
  return values.value(inputs[0])->scalar && (scalar || same);
}

BranchChange change_of(const Model& model, const KnownValues& values, uint32_t node) {
  const Node& at = model.graph.nodes()[node];
  const auto inputs = model.graph.index().edges().inputs(node);
  if (is_switch(at.op))
    return values.live_port(node) >= 0 ? BranchChange::kBecomesIdentity : BranchChange::kStays;
  if (is_merge(at.op)) return change_of_merge(model, values, node);
  if (inputs.empty()) return BranchChange::kStays;
  if (at.op == "PlaceholderWithDefault") {
    return values.value({node, 0}) != nullptr ? BranchChange::kBecomesIdentity
                                              : BranchChange::kStays;
  }
  if (at.op == "Select" || at.op == "SelectV2") {
    return is_select_decided(model, values, node) ? BranchChange::kBecomesIdentity
                                                  : BranchChange::kStays;
  }
  if (branch_call(at.op).empty()) return BranchChange::kStays;
  const auto* value = values.value(inputs[0]);
  const bool known = value != nullptr && value->scalar && values.truth(inputs[0]);
  const bool waits = known && values.is_conditional(inputs[0].node);
  return known && !(waits && is_switch(model.graph.nodes()[inputs[0].node].op))
             ? BranchChange::kBecomesCall
             : BranchChange::kStays;
}

Failure decided_away(const std::string& cause, const std::string& end, std::string_view why) {
  return failure("output-removed", cat("'", end, "' ", why, " ", cause), {.node = end},
                 "leave it out, or set another value");
}

// `cause`: what decides, in messages.
Status check_ends(const Model& model, const KnownValues& values, const std::string& cause,
                  const std::vector<std::string>& ends) {
  for (const std::string& end : ends) {
    const TensorName name = parse_tensor_name(end);
    const uint32_t node = model.graph.index().names().find(name.node);
    if (node == kNoNode) continue;
    if (values.is_dead(Edge{node, name.port})) return decided_away(cause, end, "never runs with");
    if (change_of(model, values, node) == BranchChange::kBecomesIdentity && name.port > 0) {
      return decided_away(cause, end, "is decided by");
    }
  }
  return Unit{};
}

// Adds a constant in place of a Merge's value_index; it is alive if the Merge is.
Status add_merge_index(const Model& model, const KnownValues& values, GraphBuilder& builder,
                       uint32_t merge, MergeIndices& indices) {
  const auto index = indices.find(merge);
  if (index == indices.end()) return Unit{};
  std::string content;
  put_fixed32(content, static_cast<uint32_t>(chosen(model, values, merge)));
  TRY(proto,
      const_tensor(DType::kInt32, Shape{}, Splice(fresh(std::move(content))), *model.payloads));
  NodeEditor editor = constant_node(index->second, DType::kInt32, proto);
  editor.add_input(cat("^", model.graph.nodes()[merge].name))
      .set_device(device_of(model.graph.nodes()[merge]));
  builder.add(editor.finish());
  return Unit{};
}

// Returns the replacement of an input; empty to remove it.
std::string rewired_input(const Model& model, const KnownValues& values, const Edge& edge,
                          std::string_view input, MergeIndices& indices) {
  if (edge.node == kNoNode) return std::string(input);
  const Node& from = model.graph.nodes()[edge.node];
  if (values.is_dead(edge)) return {};
  if (edge.control) return values.is_settled(edge.node) ? std::string() : std::string(input);
  if (edge.port == 0 || change_of(model, values, edge.node) != BranchChange::kBecomesIdentity)
    return std::string(input);
  if (is_switch(from.op)) return std::string(from.name);
  return is_merge(from.op) ? indices.at(edge.node) : std::string(input);
}

// Returns the control edge that makes a node dead if its former condition is; empty if that is
// always alive.
std::string wait_for(const Model& model, const KnownValues& values, const Edge& condition) {
  if (!values.is_conditional(condition.node)) return {};
  return is_switch(model.graph.nodes()[condition.node].op)
             ? std::string()
             : cat("^", model.graph.nodes()[condition.node].name);
}

Result<std::vector<std::string>> folded_inputs(const Model& model, const KnownValues& values,
                                               uint32_t node, MergeIndices& indices) {
  std::vector<std::string> inputs;
  auto edge = model.graph.index().edges().inputs(node).begin();
  for (const std::string_view input : model.graph.nodes()[node].inputs()) {
    const uint32_t from = edge->node;
    const bool index = from != kNoNode && is_merge(model.graph.nodes()[from].op) &&
                       edge->port == 1 && !edge->control;
    if (index && change_of(model, values, from) == BranchChange::kTakesFewer) {
      return failure("merge-index",
                     cat("'", model.graph.nodes()[node].name, "' asks which input '",
                         model.graph.nodes()[from].name,
                         "' takes, and some of several go with " OPTION("--set", "")),
                     {.node = model.graph.nodes()[node].name}, "feed the value instead");
    }
    inputs.push_back(rewired_input(model, values, *edge++, input, indices));
  }
  return inputs;
}

void become_identity(const Model& model, const KnownValues& values, uint32_t node,
                     NodeEditor& editor) {
  const std::string_view op = model.graph.nodes()[node].op;
  const auto edges = model.graph.index().edges().inputs(node);
  std::vector<std::string> inputs = {
      editor.inputs()[static_cast<size_t>(chosen(model, values, node))]};
  if (is_switch(op)) inputs.push_back(wait_for(model, values, edges[1]));
  for (size_t i = 0; i < edges.size(); ++i) {
    // A Merge waits for those, and lives where they are dead.
    const bool may_die =
        is_merge(op) && edges[i].node != kNoNode && values.is_conditional(edges[i].node);
    if (edges[i].control && !may_die) inputs.push_back(editor.inputs()[i]);
  }
  editor.set_inputs(std::move(inputs)).set_op(op.starts_with("Ref") ? "RefIdentity" : "Identity");
  editor.erase_attr("N").erase_attr("_output_shapes");
  if (op == "PlaceholderWithDefault") editor.rename_attr("dtype", "T").erase_attr("shape");
}

void become_call(const Model& model, const KnownValues& values, uint32_t node, NodeEditor& editor) {
  const Node& at = model.graph.nodes()[node];
  const Edge& condition = model.graph.index().edges().inputs(node)[0];
  editor.inputs().front() = wait_for(model, values, condition);
  std::rotate(editor.inputs().begin(), editor.inputs().begin() + 1, editor.inputs().end());
  std::string function;
  if (at.op.ends_with("If")) {
    function = find_attr(at, *values.truth(condition) ? "then_branch" : "else_branch").value_or("");
  } else {
    const auto branches = find_attr(at, "branches");
    const std::string& content = values.value(condition)->content;
    const auto wanted = content.size() == 4 ? get_fixed32(content.data()) : ~uint32_t{0};
    uint32_t place = 0;
    AttrValue(branches.value_or("")).each_bytes(AttrKind::kFunc, [&](std::string_view each) {
      if (place++ > wanted) return;  // one that is not there, also a negative one, is the last
      function.clear();
      put_bytes_field(function, fields::AttrValue::kFunc, each);
    });
  }
  for (const std::string_view attr :
       {"Tcond", "then_branch", "else_branch", "branches", "output_shapes", "_output_shapes",
        "_lower_using_switch_merge", "_read_only_resource_inputs"}) {
    editor.erase_attr(attr);
  }
  editor.set_op(branch_call(at.op)).set_attr("f", std::move(function));
}

std::vector<std::string_view> living_partners(const Model& model, const KnownValues& values,
                                              uint32_t node) {
  std::vector<std::string_view> partners = colocations(model.graph.nodes()[node]);
  const auto is_dead = [&](std::string_view partner) {
    const uint32_t found = model.graph.index().names().find(partner);
    return found != kNoNode && values.is_dead(found);
  };
  partners.erase(std::remove_if(partners.begin(), partners.end(), is_dead), partners.end());
  return partners;
}

Status add_folded(const Model& model, const KnownValues& values, GraphBuilder& builder,
                  uint32_t node, MergeIndices& indices) {
  const Node& at = model.graph.nodes()[node];
  TRY(inputs, folded_inputs(model, values, node, indices));
  const BranchChange change = change_of(model, values, node);
  auto now = inputs.begin();
  bool same = true;
  for (const std::string_view old : at.inputs()) same = *now++ == old && same;
  const auto partners = living_partners(model, values, node);
  if (change == BranchChange::kStays && same && partners.size() == colocations(at).size()) {
    builder.add(at);
    return Unit{};
  }
  NodeEditor editor(at);
  editor.set_inputs(std::move(inputs));
  if (partners.size() < colocations(at).size()) editor.set_colocations(partners);
  if (change == BranchChange::kBecomesIdentity) become_identity(model, values, node, editor);
  if (change == BranchChange::kBecomesCall) become_call(model, values, node, editor);
  auto& kept = editor.inputs();
  kept.erase(std::remove(kept.begin(), kept.end(), ""), kept.end());
  if (change == BranchChange::kTakesFewer) {
    const auto data = std::count_if(kept.begin(), kept.end(),
                                    [](const std::string& input) { return input[0] != '^'; });
    editor.set_attr("N", int_value(data));
  }
  builder.add(editor.finish());
  return add_merge_index(model, values, builder, node, indices);
}

// Names the indices of Merges for live consumers of value_index.
void name_indices(const Model& model, const KnownValues& values, FreshNames& fresh,
                  MergeIndices& indices) {
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (values.is_dead(i)) continue;
    for (const Edge& edge : model.graph.index().edges().inputs(i)) {
      if (edge.node == kNoNode || edge.control || edge.port != 1) continue;
      if (!is_merge(model.graph.nodes()[edge.node].op) || indices.count(edge.node) > 0) continue;
      if (change_of(model, values, edge.node) != BranchChange::kBecomesIdentity) continue;
      indices.emplace(edge.node,
                      fresh.take(cat(model.graph.nodes()[edge.node].name, "/value_index")));
    }
  }
}

bool folds_any(const Model& model, const KnownValues& values) {
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (values.is_dead(i) || change_of(model, values, i) != BranchChange::kStays) return true;
  }
  return false;
}

Result<FoldedBranches> fold_by(const Model& model, const KnownValues& values,
                               const std::string& cause, const Selection& ends,
                               Diagnostics& diagnostics) {
  FoldedBranches folded{model};
  if (!folds_any(model, values)) return folded;
  for (const auto* each : {&ends.inputs, &ends.outputs})
    CHECK_OK(check_ends(model, values, cause, *each));
  FreshNames fresh(model.graph.index().names());
  MergeIndices indices;
  name_indices(model, values, fresh, indices);
  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (values.is_dead(i)) continue;
    CHECK_OK(add_folded(model, values, builder, i, indices));
    if (change_of(model, values, i) == BranchChange::kBecomesCall)
      folded.calls.emplace_back(model.graph.nodes()[i].name);
  }
  builder.add_functions_of(model.graph);
  folded.model.graph = builder.finish();
  if (folded.model.graph.nodes().size() < model.graph.nodes().size()) {
    trim_meta(folded.model, model.graph, false, diagnostics);
  }
  return folded;
}

// Returns nullopt if no condition is computed of constants.
std::optional<KnownValues> known_by_constants(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const Edges& edges = model.graph.index().edges();
  const std::vector<uint32_t> seeds = constants_of_conditions(nodes, edges);
  if (seeds.empty()) return {};
  return std::optional<KnownValues>(std::in_place, nodes, edges, *model.payloads, seeds,
                                    KnownValues::Defaults::kMayBeFed);
}

}  // namespace

Result<FoldedBranches> fold_branches(const Model& model, const std::vector<std::string>& set,
                                     const Selection& ends, Diagnostics& diagnostics) {
  const GraphIndex& index = model.graph.index();
  const KnownValues values(model.graph.nodes(), index.edges(), *model.payloads,
                           find_seeds(index.names(), set));
  return fold_by(model, values, setting("--set", join(set, ",", 5)), ends, diagnostics);
}

Result<FoldedBranches> fold_constant_branches(const Model& model, const Selection& ends,
                                              Diagnostics& diagnostics) {
  const auto values = known_by_constants(model);
  if (!values) return FoldedBranches{model};
  return fold_by(model, *values, "constants of the graph", ends, diagnostics);
}

std::vector<bool> ruled_out_by_constants(const Model& model) {
  std::vector<bool> ruled_out(model.graph.nodes().size());
  const auto values = known_by_constants(model);
  for (uint32_t i = 0; values && i < ruled_out.size(); ++i) ruled_out[i] = values->is_dead(i);
  return ruled_out;
}

}  // namespace cryo
