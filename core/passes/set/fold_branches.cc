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

class BranchFolder {
 public:
  // `set`: of messages. `seeds`: the constants to start from.
  BranchFolder(const Model& model, const std::vector<std::string>& set, const Selection& ends,
               const std::vector<uint32_t>& seeds, KnownValues::Defaults defaults,
               Diagnostics& diagnostics)
      : model_(model),
        set_(set),
        ends_(ends),
        diagnostics_(diagnostics),
        nodes_(model.graph.nodes()),
        names_(model.graph.index().names()),
        edges_(model.graph.index().edges()),
        known_(nodes_, edges_, *model.payloads, seeds, defaults),
        fresh_names_(names_) {}

  Result<FoldedBranches> run();

 private:
  enum Change { kStays, kBecomesIdentity, kTakesFewer, kBecomesCall };
  bool folds_any() const;
  Change change_of(uint32_t node) const;
  Change change_of_merge(uint32_t node) const;
  bool is_select_decided(uint32_t node) const;
  int chosen(uint32_t node) const;
  Status check_ends(const std::vector<std::string>& ends) const;
  Failure decided_away(const std::string& end, std::string_view why) const;
  Status add(GraphBuilder& builder, uint32_t node);
  Result<std::vector<std::string>> inputs_of(uint32_t node);
  std::vector<std::string_view> living_partners(uint32_t node) const;
  std::string rewired(const Edge& edge, std::string_view input);
  std::string wait_for(const Edge& condition) const;
  void name_indices();
  void become_identity(uint32_t node, NodeEditor& editor);
  void become_call(uint32_t node, NodeEditor& editor);
  Status add_index(GraphBuilder& builder, uint32_t merge);

  const Model& model_;
  const std::vector<std::string>& set_;
  const Selection& ends_;
  Diagnostics& diagnostics_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  const KnownValues known_;
  FreshNames fresh_names_;
  std::map<uint32_t, std::string> indices_;  // Merge -> the constant of its value_index
};

bool BranchFolder::folds_any() const {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (known_.is_dead(i) || change_of(i) != kStays) return true;
  }
  return false;
}

// Returns the input that a Switch, Select or Merge passes on; -1 if unknown.
int BranchFolder::chosen(uint32_t node) const {
  const std::string_view op = nodes_[node].op;
  const auto inputs = edges_.inputs(node);
  if (op == "Select" || op == "SelectV2") return *known_.truth(inputs[0]) ? 1 : 2;
  if (!is_merge(op)) return 0;
  int live = -1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].control || known_.is_dead(inputs[i])) continue;
    if (live >= 0) return -1;
    live = static_cast<int>(i);
  }
  return live;
}

BranchFolder::Change BranchFolder::change_of_merge(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  const auto dead = [&](const Edge& input) { return known_.is_dead(input); };
  const auto loops = [&](const Edge& input) {
    return input.node != kNoNode && nodes_[input.node].op.ends_with("NextIteration");
  };
  if (std::none_of(inputs.begin(), inputs.end(), dead)) return kStays;
  const bool loop = std::any_of(inputs.begin(), inputs.end(), loops);
  return chosen(node) < 0 || loop ? kTakesFewer : kBecomesIdentity;
}

// The other operand must not determine if the result is alive, nor its shape.
bool BranchFolder::is_select_decided(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.size() < 3 || inputs[1].control || inputs[2].control) return false;
  const auto truth = known_.truth(inputs[0]);
  if (!truth || known_.is_conditional(inputs[0].node)) return false;
  const Edge& taken = inputs[*truth ? 1 : 2];
  const Edge& other = inputs[*truth ? 2 : 1];
  if (other.node == kNoNode || taken.node == kNoNode) return false;
  if (known_.is_conditional(other.node)) return false;
  if (nodes_[node].op == "Select") return true;
  const Shape shape = output_shape(nodes_[other.node], other.port);
  const bool scalar = !shape.unknown_rank && shape.dims.empty();
  const bool same =
      is_fully_defined(shape) && shape == output_shape(nodes_[taken.node], taken.port);
  return known_.value(inputs[0])->scalar && (scalar || same);
}

BranchFolder::Change BranchFolder::change_of(uint32_t node) const {
  const Node& at = nodes_[node];
  const auto inputs = edges_.inputs(node);
  if (is_switch(at.op)) return known_.live_port(node) >= 0 ? kBecomesIdentity : kStays;
  if (is_merge(at.op)) return change_of_merge(node);
  if (inputs.empty()) return kStays;
  if (at.op == "PlaceholderWithDefault") {
    return known_.value({node, 0}) != nullptr ? kBecomesIdentity : kStays;
  }
  if (at.op == "Select" || at.op == "SelectV2") {
    return is_select_decided(node) ? kBecomesIdentity : kStays;
  }
  if (branch_call(at.op).empty()) return kStays;
  const auto* value = known_.value(inputs[0]);
  const bool known = value != nullptr && value->scalar && known_.truth(inputs[0]);
  const bool waits = known && known_.is_conditional(inputs[0].node);
  return known && !(waits && is_switch(nodes_[inputs[0].node].op)) ? kBecomesCall : kStays;
}

Failure BranchFolder::decided_away(const std::string& end, std::string_view why) const {
  const std::string cause =
      set_.empty() ? "constants of the graph" : setting("--set", join(set_, ",", 5));
  return failure("output-removed", cat("'", end, "' ", why, " ", cause), {.node = end},
                 "leave it out, or set another value");
}

Status BranchFolder::check_ends(const std::vector<std::string>& ends) const {
  for (const std::string& end : ends) {
    const TensorName name = parse_tensor_name(end);
    const uint32_t node = names_.find(name.node);
    if (node == kNoNode) continue;
    if (known_.is_dead(Edge{node, name.port})) return decided_away(end, "never runs with");
    if (change_of(node) == kBecomesIdentity && name.port > 0) {
      return decided_away(end, "is decided by");
    }
  }
  return Unit{};
}

// Adds a constant in place of a Merge's value_index; it is alive if the Merge is.
Status BranchFolder::add_index(GraphBuilder& builder, uint32_t merge) {
  const auto index = indices_.find(merge);
  if (index == indices_.end()) return Unit{};
  std::string content;
  put_fixed32(content, static_cast<uint32_t>(chosen(merge)));
  TRY(proto,
      const_tensor(DType::kInt32, Shape{}, Splice(fresh(std::move(content))), *model_.payloads));
  NodeEditor editor = constant_node(index->second, DType::kInt32, proto);
  editor.add_input(cat("^", nodes_[merge].name)).set_device(device_of(nodes_[merge]));
  builder.add(editor.finish());
  return Unit{};
}

// Returns the replacement of an input; empty to remove it.
std::string BranchFolder::rewired(const Edge& edge, std::string_view input) {
  if (edge.node == kNoNode) return std::string(input);
  const Node& from = nodes_[edge.node];
  if (known_.is_dead(edge)) return {};
  if (edge.control) return known_.is_settled(edge.node) ? std::string() : std::string(input);
  if (edge.port == 0 || change_of(edge.node) != kBecomesIdentity) return std::string(input);
  if (is_switch(from.op)) return std::string(from.name);
  return is_merge(from.op) ? indices_.at(edge.node) : std::string(input);
}

// Returns the control edge that makes a node dead if its former condition is; empty if that is
// always alive.
std::string BranchFolder::wait_for(const Edge& condition) const {
  if (!known_.is_conditional(condition.node)) return {};
  return is_switch(nodes_[condition.node].op) ? std::string()
                                              : cat("^", nodes_[condition.node].name);
}

Result<std::vector<std::string>> BranchFolder::inputs_of(uint32_t node) {
  std::vector<std::string> inputs;
  auto edge = edges_.inputs(node).begin();
  for (const std::string_view input : nodes_[node].inputs()) {
    const uint32_t from = edge->node;
    const bool index =
        from != kNoNode && is_merge(nodes_[from].op) && edge->port == 1 && !edge->control;
    if (index && change_of(from) == kTakesFewer) {
      return failure("merge-index",
                     cat("'", nodes_[node].name, "' asks which input '", nodes_[from].name,
                         "' takes, and some of several go with " OPTION("--set", "")),
                     {.node = nodes_[node].name}, "feed the value instead");
    }
    inputs.push_back(rewired(*edge++, input));
  }
  return inputs;
}

void BranchFolder::become_identity(uint32_t node, NodeEditor& editor) {
  const std::string_view op = nodes_[node].op;
  const auto edges = edges_.inputs(node);
  std::vector<std::string> inputs = {editor.inputs()[static_cast<size_t>(chosen(node))]};
  if (is_switch(op)) inputs.push_back(wait_for(edges[1]));
  for (size_t i = 0; i < edges.size(); ++i) {
    // A Merge waits for those, and lives where they are dead.
    const bool may_die =
        is_merge(op) && edges[i].node != kNoNode && known_.is_conditional(edges[i].node);
    if (edges[i].control && !may_die) inputs.push_back(editor.inputs()[i]);
  }
  editor.set_inputs(std::move(inputs)).set_op(op.starts_with("Ref") ? "RefIdentity" : "Identity");
  editor.erase_attr("N").erase_attr("_output_shapes");
  if (op == "PlaceholderWithDefault") editor.rename_attr("dtype", "T").erase_attr("shape");
}

void BranchFolder::become_call(uint32_t node, NodeEditor& editor) {
  const Node& at = nodes_[node];
  const Edge& condition = edges_.inputs(node)[0];
  editor.inputs().front() = wait_for(condition);
  std::rotate(editor.inputs().begin(), editor.inputs().begin() + 1, editor.inputs().end());
  std::string function;
  if (at.op.ends_with("If")) {
    function = find_attr(at, *known_.truth(condition) ? "then_branch" : "else_branch").value_or("");
  } else {
    const auto branches = find_attr(at, "branches");
    const std::string& content = known_.value(condition)->content;
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

Status BranchFolder::add(GraphBuilder& builder, uint32_t node) {
  const Node& at = nodes_[node];
  TRY(inputs, inputs_of(node));
  const Change change = change_of(node);
  auto now = inputs.begin();
  bool same = true;
  for (const std::string_view old : at.inputs()) same = *now++ == old && same;
  const auto partners = living_partners(node);
  if (change == kStays && same && partners.size() == colocations(at).size()) {
    builder.add(at);
    return Unit{};
  }
  NodeEditor editor(at);
  editor.set_inputs(std::move(inputs));
  if (partners.size() < colocations(at).size()) editor.set_colocations(partners);
  if (change == kBecomesIdentity) become_identity(node, editor);
  if (change == kBecomesCall) become_call(node, editor);
  auto& kept = editor.inputs();
  kept.erase(std::remove(kept.begin(), kept.end(), ""), kept.end());
  if (change == kTakesFewer) {
    const auto data = std::count_if(kept.begin(), kept.end(),
                                    [](const std::string& input) { return input[0] != '^'; });
    editor.set_attr("N", int_value(data));
  }
  builder.add(editor.finish());
  return add_index(builder, node);
}

std::vector<std::string_view> BranchFolder::living_partners(uint32_t node) const {
  std::vector<std::string_view> partners = colocations(nodes_[node]);
  const auto is_dead = [&](std::string_view partner) {
    const uint32_t found = names_.find(partner);
    return found != kNoNode && known_.is_dead(found);
  };
  partners.erase(std::remove_if(partners.begin(), partners.end(), is_dead), partners.end());
  return partners;
}

// Names the indices of Merges for live consumers of value_index.
void BranchFolder::name_indices() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (known_.is_dead(i)) continue;
    for (const Edge& edge : edges_.inputs(i)) {
      if (edge.node == kNoNode || edge.control || edge.port != 1) continue;
      if (!is_merge(nodes_[edge.node].op) || indices_.count(edge.node) > 0) continue;
      if (change_of(edge.node) != kBecomesIdentity) continue;
      indices_.emplace(edge.node, fresh_names_.take(cat(nodes_[edge.node].name, "/value_index")));
    }
  }
}

Result<FoldedBranches> BranchFolder::run() {
  if (!folds_any()) return FoldedBranches{model_};
  for (const auto* ends : {&ends_.inputs, &ends_.outputs}) CHECK_OK(check_ends(*ends));
  name_indices();
  FoldedBranches folded{model_};
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (known_.is_dead(i)) continue;
    CHECK_OK(add(builder, i));
    if (change_of(i) == kBecomesCall) folded.calls.emplace_back(nodes_[i].name);
  }
  builder.add_functions_of(model_.graph);
  folded.model.graph = builder.finish();
  if (folded.model.graph.nodes().size() < nodes_.size()) {
    trim_meta(folded.model, model_.graph, false, diagnostics_);
  }
  return folded;
}

}  // namespace

Result<FoldedBranches> fold_branches(const Model& model, const std::vector<std::string>& set,
                                     const Selection& ends, Diagnostics& diagnostics) {
  const std::vector<uint32_t> seeds = find_seeds(model.graph.index().names(), set);
  return BranchFolder(model, set, ends, seeds, KnownValues::Defaults::kHold, diagnostics).run();
}

Result<FoldedBranches> fold_constant_branches(const Model& model, const Selection& ends,
                                              Diagnostics& diagnostics) {
  const std::vector<uint32_t> seeds =
      constants_of_conditions(model.graph.nodes(), model.graph.index().edges());
  if (seeds.empty()) return FoldedBranches{model};
  return BranchFolder(model, {}, ends, seeds, KnownValues::Defaults::kMayBeFed, diagnostics).run();
}

}  // namespace cryo
