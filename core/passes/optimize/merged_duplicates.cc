#include "passes/optimize/merged_duplicates.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/splice_reader.h"
#include "graph/analysis/frames.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "model/model_ops.h"
#include "passes/prune/kept_nodes.h"
#include "tensor/content.h"

namespace cryo {
namespace {

constexpr uint64_t kBeginning = 4096;

bool is_control_flow(std::string_view op) {
  return is_switch(op) || is_merge(op) || op.ends_with("Enter") || op.ends_with("Exit") ||
         op.ends_with("NextIteration") || op == "LoopCond";
}

// Returns true for ops that may change what a reference or a handle stands for: QueueDequeue has no
// state by its definition.
bool takes_handle(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(), [](const ArgDef& input) {
    return input.is_ref || input.type == DType::kResource;
  });
}

bool can_merge(const Model& model, const OpRegistry& ops,
               const std::set<std::string_view>& functions, uint32_t node) {
  const std::string_view op = model.graph.nodes()[node].op;
  const OpDef* known = functions.contains(op) ? nullptr : ops.find(op);
  if (known == nullptr || known->is_stateful || takes_handle(*known)) return false;
  if (is_placeholder(op) || is_control_flow(op) || is_update(op)) return false;
  const auto inputs = model.graph.index().edges().inputs(node);
  return std::none_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
    if (input.node == kNoNode) return true;
    const std::string_view from = model.graph.nodes()[input.node].op;
    return !input.control && (is_ref_variable(from) || is_update(from) || from.starts_with("Ref"));
  });
}

std::optional<std::string> constant_key(const Model& model, const Node& node, std::string key) {
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(node, "value").value_or(""), *model.payloads);
  if (!tensor) return std::nullopt;
  put_varint(key, static_cast<uint64_t>(tensor->dtype));
  key += to_text(tensor->shape);
  const Result<std::string> beginning =
      tensor->content.sub(0, std::min(kBeginning, tensor->content.size())).read_all();
  if (!beginning) return std::nullopt;
  return key.append(*beginning);
}

// The op, its inputs and its attributes: equal for nodes that compute the same. Of a constant its
// type, shape and first bytes. nullopt for what can't be read.
std::optional<std::string> key_of(const Model& model, const std::vector<uint32_t>& stand_ins,
                                  uint32_t node) {
  const Node& of = model.graph.nodes()[node];
  std::string key = cat(of.op, '\0', device_of(of), '\0');
  std::vector<uint32_t> controls;
  for (const Edge& input : model.graph.index().edges().inputs(node)) {
    const uint32_t from = stand_ins[input.node];
    if (input.control) {
      controls.push_back(from);
    } else {
      put_fixed32(key, from);
      put_fixed32(key, input.port);
    }
  }
  std::sort(controls.begin(), controls.end());
  controls.erase(std::unique(controls.begin(), controls.end()), controls.end());
  key += '^';
  for (const uint32_t control : controls) put_fixed32(key, control);
  if (of.op == "Const") return constant_key(model, of, std::move(key));
  std::map<std::string_view, std::string_view> attrs;
  for (const Attr& attr : attrs_of(of)) {
    // Such names are not the op's: shapes, colocations, notes of tools.
    if (!attr.key.starts_with('_')) attrs[attr.key] = attr.value;
  }
  for (const auto& [name, value] : attrs) {
    put_varint(key, value.size());
    key.append(name).append(value);
  }
  return key;
}

// Returns true if two constants of one key are equal.
Result<bool> has_equal_content(const Model& model, uint32_t a, uint32_t b) {
  if (model.graph.nodes()[a].op != "Const") return true;
  TRY(first,
      read_tensor(tensor_attr(model.graph.nodes()[a], "value").value_or(""), *model.payloads));
  TRY(second,
      read_tensor(tensor_attr(model.graph.nodes()[b], "value").value_or(""), *model.payloads));
  return same_bytes(first.content, second.content);
}

Result<uint32_t> equal_of(const Model& model, uint32_t node,
                          const std::vector<uint32_t>& candidates) {
  for (const uint32_t each : candidates) {
    TRY(equal, has_equal_content(model, each, node));
    if (equal) return each;
  }
  return kNoNode;
}

// The node with inputs of nodes that stand for others; nullopt if it has none.
std::optional<std::string> rewired_node(const Model& model, const std::vector<uint32_t>& stand_ins,
                                        uint32_t node) {
  const auto inputs = model.graph.index().edges().inputs(node);
  const auto is_merged = [&](const Edge& edge) {
    return edge.node != kNoNode && stand_ins[edge.node] != edge.node;
  };
  if (std::none_of(inputs.begin(), inputs.end(), is_merged)) return std::nullopt;
  NodeEditor editor(model.graph.nodes()[node]);
  std::vector<std::string> wired;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string input = editor.inputs()[i];
    if (is_merged(inputs[i])) {
      const std::string_view name = model.graph.nodes()[stand_ins[inputs[i].node]].name;
      input = inputs[i].control ? cat("^", name) : cat(name, port_text(input));
    }
    const bool again =
        inputs[i].control && std::find(wired.begin(), wired.end(), input) != wired.end();
    if (!again) wired.push_back(std::move(input));
  }
  return editor.set_inputs(std::move(wired)).finish();
}

}  // namespace

Result<Model> with_merged_duplicates(const Model& model, const std::vector<std::string>& outputs,
                                     const OpRegistry& ops, GraphChanges& changes) {
  const OpRegistry known = with_model_ops(model, ops);
  const KeptNodes kept(model, outputs);
  std::set<std::string_view> functions;
  for (const Function& function : model.graph.functions()) functions.insert(function.name);
  std::vector<uint32_t> stand_ins;  // for each node the one that stands for it
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) stand_ins.push_back(i);
  std::unordered_map<std::string, std::vector<uint32_t>> first_of;
  const Frames frames = find_frames(model.graph.nodes(), model.graph.index().edges(),
                                    model.graph.index().consumers());
  for (const uint32_t node : frames.order) {
    const auto key =
        can_merge(model, ops, functions, node) ? key_of(model, stand_ins, node) : std::nullopt;
    if (!key) continue;
    std::vector<uint32_t>& candidates = first_of[*key];
    TRY(equal, equal_of(model, node, candidates));
    if (equal == kNoNode) {
      candidates.push_back(node);
    } else {
      stand_ins[node] = equal;
    }
  }
  std::map<uint32_t, std::string> edited;
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (stand_ins[i] != i && !kept.has(i)) {
      changes.push_back({std::string(model.graph.nodes()[i].name), kMerged,
                         cat("computes the same as ", model.graph.nodes()[stand_ins[i]].name),
                         false});
    }
    if (auto made = rewired_node(model, stand_ins, i)) edited.emplace(i, std::move(*made));
  }
  Model made = model;
  if (!edited.empty()) made.graph = with_replaced_nodes(model.graph, edited);
  return made;
}

}  // namespace cryo
