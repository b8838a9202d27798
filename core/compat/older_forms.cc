#include "compat/older_forms.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "compat/node_faults.h"
#include "graph/node_attrs.h"

namespace cryo {
namespace {

// Output reserve_space_3, which only the gradient of FusedBatchNormV3 takes.
constexpr uint32_t kReserve = 5;

// Ops whose older form depends on the shapes of their inputs.
bool depends_on_shapes(std::string_view op) {
  return op == "SelectV2" || op == "BatchMatMulV2" || op == "BatchMatMulV3";
}

// Returns true if an attribute only makes the op refuse what would otherwise be computed.
bool only_checks(std::string_view op, std::string_view attr) {
  return op == "TensorArrayV3" && attr == "identical_element_shapes";
}

bool has_type(const NodeEditor& editor, std::string_view key, DType type) {
  const std::string* value = editor.attr(key);
  return value != nullptr && *value == type_value(type);
}

bool has_one_type(const NodeEditor& editor) {
  const std::string* x = editor.attr("Ta");
  const std::string* y = editor.attr("Tb");
  const std::string* product = editor.attr("Tout");
  return x != nullptr && y != nullptr && product != nullptr && *x == *product && *y == *product;
}

}  // namespace

OlderForms::OlderForms(const Graph& graph, const OpHistories& histories, const TensorShapes& shapes,
                       const std::vector<std::string>& outputs)
    : graph_(graph), histories_(histories), shapes_(shapes), outputs_(outputs) {}

const OpDef* OlderForms::definition(std::string_view op, size_t release) const {
  const OpHistory* history = histories_.find(op);
  return history ? history->at(release) : nullptr;
}

TensorShapes OlderForms::deciding_shapes() const {
  TensorShapes shapes;
  for (uint32_t i = 0; i < graph_.nodes().size(); ++i) {
    if (!depends_on_shapes(graph_.nodes()[i].op)) continue;
    for (const Edge& input : graph_.index().edges().inputs(i)) {
      if (input.control || input.node == kNoNode) continue;
      shapes.try_emplace({input.node, input.port}, Shape{true, {}});
    }
  }
  return shapes;
}

const Shape* OlderForms::input_shape(uint32_t node, size_t place) const {
  const auto inputs = graph_.index().edges().inputs(node);
  if (place >= inputs.size() || inputs[place].control) return nullptr;
  const auto found = shapes_.find({inputs[place].node, inputs[place].port});
  return found == shapes_.end() || found->second.unknown_rank ? nullptr : &found->second;
}

bool OlderForms::has_unused_reserve(uint32_t node) const {
  const auto consumers = graph_.index().consumers().of(node);
  return std::none_of(
             consumers.begin(), consumers.end(),
             [](const Consumer& each) { return !each.control && each.port >= kReserve; }) &&
         std::none_of(outputs_.begin(), outputs_.end(), [&](const std::string& output) {
           const TensorName name = parse_tensor_name(output);
           return name.node == graph_.nodes()[node].name && name.port >= kReserve;
         });
}

bool OlderForms::has_equal_batches(uint32_t node) const {
  const Shape* x = input_shape(node, 0);
  const Shape* y = input_shape(node, 1);
  if (x == nullptr || y == nullptr) return false;
  if (x->dims.size() != y->dims.size() || x->dims.size() < 2) return false;
  const auto batches = static_cast<std::ptrdiff_t>(x->dims.size()) - 2;
  return std::equal(x->dims.begin(), x->dims.begin() + batches, y->dims.begin(),
                    [](int64_t a, int64_t b) { return a == b && a != kUnknownDim; });
}

bool OlderForms::selects_without_broadcast(uint32_t node) const {
  const Shape* condition = input_shape(node, 0);
  const Shape* then = input_shape(node, 1);
  const Shape* otherwise = input_shape(node, 2);
  if (condition == nullptr || then == nullptr || otherwise == nullptr) return false;
  return *then == *otherwise && is_fully_defined(*then) &&
         (*condition == *then || condition->dims.empty());
}

// Makes one step to an earlier op. Returns false if there is none.
bool OlderForms::rewrite(uint32_t node, NodeEditor& editor, std::string& op) const {
  const auto become = [&](std::string_view older) {
    op = older;
    editor.set_op(older);
    return true;
  };
  if (op == "AddV2") return become("Add");
  if (op == "SelectV2") return selects_without_broadcast(node) && become("Select");
  if (op == "BatchMatMulV2") return has_equal_batches(node) && become("BatchMatMul");
  if (op == "BatchMatMulV3") {
    if (!has_one_type(editor)) return false;
    editor.rename_attr("Ta", "T").erase_attr("Tb").erase_attr("Tout");
    return become("BatchMatMulV2");
  }
  if (op == "FusedBatchNormV3") {
    const std::string* training = editor.attr("is_training");
    const bool infers = training != nullptr && *training == bool_value(false);
    const OpDef* latest = histories_.latest().find(op);
    const bool by_one =
        latest != nullptr && is_default(graph_.nodes()[node], "exponential_avg_factor", *latest);
    const bool is_same = infers || by_one || editor.attr("exponential_avg_factor") == nullptr;
    if (!is_same || !has_unused_reserve(node)) return false;
    editor.erase_attr("exponential_avg_factor").erase_attr("_output_shapes");
    return become("FusedBatchNormV2");
  }
  if (op == "FusedBatchNormV2") {
    if (!has_type(editor, "T", DType::kFloat) || !has_type(editor, "U", DType::kFloat)) {
      return false;
    }
    editor.erase_attr("U");
    return become("FusedBatchNorm");
  }
  return false;
}

// Removes the attributes that the release refuses. Returns false if one of them counts.
bool OlderForms::remove_unknown(const Node& node, const OpDef& op, OlderForm& form) const {
  NodeAttrs attrs;
  attrs.bind(node, op);
  if (attrs.unknown().empty()) return true;
  const OpDef* latest = histories_.latest().find(node.op);
  NodeEditor editor(node);
  for (const std::string_view key : attrs.unknown()) {
    const bool by_default = latest != nullptr && is_default(node, key, *latest);
    if (!by_default && !only_checks(node.op, key)) return false;
    editor.erase_attr(key);
    form.why += cat(form.why.empty() ? "without " : ", without ", key,
                    by_default ? ", which has its default" : ", which only checks");
  }
  form.node_def = editor.finish();
  return true;
}

std::optional<OlderForm> OlderForms::of(uint32_t index, size_t release) const {
  const Node& node = graph_.nodes()[index];
  if (histories_.find(node.op) == nullptr) return std::nullopt;
  std::string op(node.op);
  OlderForm form;
  if (definition(op, release) == nullptr) {
    NodeEditor editor(node);
    while (definition(op, release) == nullptr) {
      if (!rewrite(index, editor, op)) return std::nullopt;
    }
    form = {editor.finish(), cat(node.op, " is ", op)};
  }
  if (histories_.releases()[release].refuses_unknown_attrs) {
    const std::string rewritten = form.node_def;
    const Result<Node> older = rewritten.empty() ? node : scan_node(rewritten);
    if (!older || !remove_unknown(*older, *definition(op, release), form)) return std::nullopt;
  }
  return form.why.empty() ? std::nullopt : std::optional(std::move(form));
}

}  // namespace cryo
