#include "releases/op_downgrades.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "graph/node_attrs.h"
#include "graph/node_editor.h"
#include "graph/tensor_info.h"
#include "releases/downgrade_rules.h"
#include "releases/node_faults.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// Output reserve_space_3, which only the gradient of FusedBatchNormV3 takes.
constexpr uint32_t kReserve = 5;
constexpr std::string_view kFactor = "exponential_avg_factor";

// Ops whose older form depends on the shapes of their inputs.
bool depends_on_shapes(std::string_view op) {
  return op == "SelectV2" || op == "BatchMatMulV2" || op == "BatchMatMulV3";
}

// Returns true if an attribute only makes the op refuse what would otherwise be computed.
bool only_checks(std::string_view op, std::string_view attr) {
  return op == "TensorArrayV3" && attr == "identical_element_shapes";
}

// Returns true if all releases tile tensors of the type: their kernels are for any, and refuse
// others when they run.
bool has_tiles(std::optional<int> type) {
  constexpr auto kTypes = std::to_array<DType>(
      {DType::kBool, DType::kComplex128, DType::kComplex64, DType::kDouble, DType::kFloat,
       DType::kHalf, DType::kInt16, DType::kInt32, DType::kInt64, DType::kString, DType::kUint8});
  return type && std::find(kTypes.begin(), kTypes.end(), static_cast<DType>(*type)) != kTypes.end();
}

RewriteRules parsed(std::string_view text) {
  Result<RewriteRules> rules = RewriteRules::parse(text);
  return std::move(*rules);
}

}  // namespace

OpDowngrades::OpDowngrades(const Graph& graph, const OpHistories& histories,
                           const DowngradeContext& context)
    : graph_(graph),
      histories_(histories),
      context_(context),
      rules_(parsed(kDowngradeRules)),
      conversions_(parsed(kConvertedInputRules)) {}

const OpDef* OpDowngrades::definition(std::string_view op, size_t release) const {
  const OpHistory* history = histories_.find(op);
  return history ? history->at(release) : nullptr;
}

TensorShapes OpDowngrades::deciding_shapes(const Graph& graph) {
  TensorShapes shapes;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!depends_on_shapes(graph.nodes()[i].op)) continue;
    for (const Edge& input : graph.index().edges().inputs(i)) {
      if (input.control || input.node == kNoNode) continue;
      shapes.try_emplace({input.node, input.port}, Shape{true, {}});
    }
  }
  return shapes;
}

const Shape* OpDowngrades::input_shape(uint32_t node, size_t place) const {
  const auto inputs = graph_.index().edges().inputs(node);
  if (place >= inputs.size() || inputs[place].control) return nullptr;
  const TensorShapes& shapes = context_.shapes;
  const auto found = shapes.find({inputs[place].node, inputs[place].port});
  return found == shapes.end() || found->second.unknown_rank ? nullptr : &found->second;
}

bool OpDowngrades::has_unused_reserve(uint32_t node) const {
  const auto consumers = graph_.index().consumers().of(node);
  return std::none_of(
             consumers.begin(), consumers.end(),
             [](const Consumer& each) { return !each.control && each.port >= kReserve; }) &&
         std::none_of(context_.outputs.begin(), context_.outputs.end(),
                      [&](const std::string& output) {
                        const TensorName name = parse_tensor_name(output);
                        return name.node == graph_.nodes()[node].name && name.port >= kReserve;
                      });
}

bool OpDowngrades::has_zero_axis(uint32_t node) const {
  const auto inputs = graph_.index().edges().inputs(node);
  if (inputs.size() < 3 || inputs[2].control || inputs[2].node == kNoNode) return false;
  const Node& axis = graph_.nodes()[inputs[2].node];
  if (axis.op != "Const" || !is_scalar(axis)) return false;
  const auto tensor = read_tensor(tensor_attr(axis, "value").value_or(""), context_.payloads);
  return tensor && integers_of(*tensor) == std::vector<int64_t>{0};
}

std::vector<bool> OpDowngrades::whole_inputs(uint32_t node, size_t count, size_t inner) const {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < count; ++i) {
    const Shape* shape = input_shape(node, i);
    if (shape == nullptr || !is_fully_defined(*shape) || shape->dims.size() < inner) {
      return std::vector<bool>(count);
    }
    shapes.push_back(*shape);
    shapes.back().dims.resize(shape->dims.size() - inner);
  }
  Shape whole;
  for (const Shape& each : shapes) {
    const size_t longer = std::max(whole.dims.size(), each.dims.size());
    whole.dims.insert(whole.dims.begin(), longer - whole.dims.size(), 1);
    for (size_t i = 0; i < each.dims.size(); ++i) {
      int64_t& size = whole.dims[longer - each.dims.size() + i];
      if (size == 1) size = each.dims[i];
    }
  }
  std::vector<bool> found;
  for (const Shape& each : shapes) found.push_back(each == whole);
  return found;
}

bool OpDowngrades::has_equal_batches(uint32_t node) const {
  const Shape* x = input_shape(node, 0);
  const Shape* y = input_shape(node, 1);
  if (x == nullptr || y == nullptr) return false;
  if (x->dims.size() != y->dims.size() || x->dims.size() < 2) return false;
  const auto batches = static_cast<std::ptrdiff_t>(x->dims.size()) - 2;
  return std::equal(x->dims.begin(), x->dims.begin() + batches, y->dims.begin(),
                    [](int64_t a, int64_t b) { return a == b && a != kUnknownDim; });
}

bool OpDowngrades::selects_without_broadcast(uint32_t node) const {
  const Shape* condition = input_shape(node, 0);
  const Shape* then = input_shape(node, 1);
  const Shape* otherwise = input_shape(node, 2);
  if (condition == nullptr || then == nullptr || otherwise == nullptr) return false;
  return *then == *otherwise && is_fully_defined(*then) &&
         (*condition == *then || condition->dims.empty());
}

bool OpDowngrades::normalizes_alike(uint32_t index) const {
  const Node& node = graph_.nodes()[index];
  const OpDef* latest = histories_.latest().find(node.op);
  const bool infers = bool_attr(node, "is_training") == false;
  const bool by_one =
      !find_attr(node, kFactor) || (latest != nullptr && is_default(node, kFactor, *latest));
  return (infers || by_one) && has_unused_reserve(index);
}

std::optional<bool> OpDowngrades::fact(const Node& node, uint32_t index,
                                       std::string_view name) const {
  if (name == "axis_is_zero") return has_zero_axis(index);
  if (name == "selects_equal_shapes") return selects_without_broadcast(index);
  if (name == "has_equal_batches") return has_equal_batches(index);
  if (name == "normalizes_alike") return normalizes_alike(index);
  if (name == "has_tiles") {
    return has_tiles(type_attr(node, find_attr(node, "Tout") ? "Tout" : "T"));
  }
  if (!name.starts_with("input_")) return std::nullopt;
  const bool selects = node.op == "SelectV2";
  return whole_inputs(index, selects ? 3 : 2, selects ? 0 : 2)[static_cast<size_t>(name[6] - '0')];
}

const RewriteRule* OpDowngrades::rule_of(const Node& node, uint32_t index,
                                         std::string_view op) const {
  const auto facts = [&](std::string_view name) { return fact(node, index, name); };
  return rule_for(rules_, NodeSource(node, op, facts));
}

std::string_view OpDowngrades::older_op(uint32_t index, size_t release) const {
  const Node& node = graph_.nodes()[index];
  std::string_view op = node.op;
  while (!op.empty() && definition(op, release) == nullptr) {
    const RewriteRule* rule = rule_of(node, index, op);
    op = rule == nullptr ? std::string_view() : rule->lines.back().op;
  }
  return op;
}

// Returns true if a node that became an op lost an attribute on the way.
bool OpDowngrades::is_replaced(uint32_t index, std::string_view op, std::string_view attr) const {
  const Node& node = graph_.nodes()[index];
  for (std::string_view from = node.op; from != op;) {
    const RuleLine& line = rule_of(node, index, from)->lines.back();
    if (is_one_of(attr, line.dropped)) return true;
    from = line.op;
  }
  return false;
}

const RewriteRule* OpDowngrades::conversion_of(const Node& node, std::string_view attr) const {
  const auto facts = [&](std::string_view name) -> std::optional<bool> {
    return name == cat("without_", attr);
  };
  return rule_for(conversions_, NodeSource(node, node.op, facts));
}

bool OpDowngrades::runs_as(const Node& node, std::string_view op, size_t release) const {
  NodeAttrs attrs;
  attrs.bind(node, *definition(op, release));
  return !kernel_fault(node, attrs, histories_.find(op)->kernels_at(release));
}

bool OpDowngrades::has(uint32_t index, size_t release) const {
  const Node& node = graph_.nodes()[index];
  if (histories_.find(node.op) == nullptr) return false;
  const std::string_view op = older_op(index, release);
  if (op.empty()) return false;
  const bool rewritten = op != node.op;
  if (rewritten && !runs_rewritten(index, op, release)) return false;
  if (!histories_.releases()[release].refuses_unknown_attrs) return rewritten;
  const OpDef* latest = histories_.latest().find(op);
  NodeAttrs attrs;
  attrs.bind(node, *definition(op, release));
  bool removed = false;
  for (const std::string_view key : attrs.unknown()) {
    if (rewritten && is_replaced(index, op, key)) continue;
    const bool by_default = latest != nullptr && is_default(node, key, *latest);
    if (!by_default && !only_checks(op, key) && conversion_of(node, key) == nullptr) return false;
    removed = true;
  }
  return rewritten || removed;
}

// Removes the attributes that the release refuses. Returns false if one of them counts.
bool OpDowngrades::remove_unknown(const Node& node, const OpDef& op, OpDowngrade& form,
                                  FreshNames& names) const {
  NodeAttrs attrs;
  attrs.bind(node, op);
  if (attrs.unknown().empty()) return true;
  const OpDef* latest = histories_.latest().find(node.op);
  form.node_def = node.bytes;
  for (const std::string_view key : attrs.unknown()) {
    const std::string before = std::move(form.node_def);
    const Result<Node> from = scan_node(before);
    const bool by_default = latest != nullptr && is_default(node, key, *latest);
    const bool checks = only_checks(node.op, key);
    if (by_default || checks) {
      form.node_def = NodeEditor(*from).erase_attr(key).finish();
    } else if (const RewriteRule* rule = conversion_of(*from, key)) {
      const auto no_facts = [](std::string_view) { return std::optional<bool>(); };
      NodeTarget made(*from, names);
      rewrite(conversions_, *rule, NodeSource(*from, from->op, no_facts), made);
      form.node_def = std::move(made.node);
      for (std::string& each : made.added) form.added.push_back(std::move(each));
    } else {
      return false;
    }
    form.why += cat(form.why.empty() ? "without " : ", without ", key,
                    by_default ? ", which has its default"
                    : checks   ? ", which only checks"
                               : ", whose input is converted");
  }
  return true;
}

// Returns true if the release has the ops of nodes, with kernels for their types.
bool OpDowngrades::run_in(const std::vector<std::string>& node_defs, size_t release) const {
  return std::all_of(node_defs.begin(), node_defs.end(), [&](const std::string& each) {
    const Result<Node> node = scan_node(each);
    return node && definition(node->op, release) != nullptr && runs_as(*node, node->op, release);
  });
}

OpDowngrade OpDowngrades::rewritten(uint32_t index, std::string_view op, FreshNames& names) const {
  const std::string_view newer = graph_.nodes()[index].op;
  OpDowngrade form{.node_def = std::string(graph_.nodes()[index].bytes),
                   .why = cat(newer, " is ", op)};
  while (true) {
    const std::string before = form.node_def;
    const Result<Node> node = scan_node(before);
    if (node->op == op) return form;
    const auto facts = [&](std::string_view name) { return fact(*node, index, name); };
    const NodeSource source(*node, node->op, facts);
    NodeTarget made(*node, names);
    rewrite(rules_, *rule_for(rules_, source), source, made);
    form.node_def = std::move(made.node);
    for (std::string& each : made.added) form.added.push_back(std::move(each));
  }
}

// Nodes of one op and its types run alike: a graph may have many.
bool OpDowngrades::runs_rewritten(uint32_t index, std::string_view op, size_t release) const {
  const Node& node = graph_.nodes()[index];
  std::vector<int> about = {static_cast<int>(release)};
  for (const char* key : {"T", "Ta", "Tb", "Tout", "Tidx", "Tparams", "Tindices", "U"}) {
    about.push_back(type_attr(node, key).value_or(0));
  }
  about.push_back(selects_without_broadcast(index) || has_equal_batches(index) ? 1 : 0);
  const auto [known, is_new] = runs_.try_emplace({node.op, std::move(about)}, false);
  if (is_new) {
    FreshNames names(graph_.index().names());
    const OpDowngrade form = rewritten(index, op, names);
    known->second = run_in({form.node_def}, release) && run_in(form.added, release);
  }
  return known->second;
}

std::optional<OpDowngrade> OpDowngrades::of(uint32_t index, size_t release,
                                            FreshNames& names) const {
  const Node& node = graph_.nodes()[index];
  if (histories_.find(node.op) == nullptr) return std::nullopt;
  const std::string_view op = older_op(index, release);
  if (op.empty()) return std::nullopt;
  OpDowngrade form;
  if (op != node.op) form = rewritten(index, op, names);
  if (histories_.releases()[release].refuses_unknown_attrs) {
    const std::string rewritten = form.node_def;
    const Result<Node> older = rewritten.empty() ? node : scan_node(rewritten);
    if (!older || !remove_unknown(*older, *definition(op, release), form, names)) {
      return std::nullopt;
    }
  }
  if (form.why.empty()) return std::nullopt;
  if (op != node.op && !run_in({form.node_def}, release)) return std::nullopt;
  return run_in(form.added, release) ? std::optional(std::move(form)) : std::nullopt;
}

}  // namespace cryo
