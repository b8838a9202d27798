#include "passes/edit/followed_shapes.h"

#include <map>
#include <string>

#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "model/meta.h"
#include "validate/inferred_shapes.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kNoted = "_output_shapes";

void want_shapes(uint32_t node, uint32_t ports, TensorShapes& wanted) {
  for (uint32_t port = 0; port < ports; ++port) {
    wanted.emplace(std::pair(node, port), Shape{true, {}});
  }
}

void want_shapes(const Model& before, const NodeSet& reached, const tensorflow::TensorInfo& info,
                 TensorShapes& wanted) {
  const TensorName name = parse_tensor_name(info.name());
  const uint32_t node = before.graph.index().names().find(name.node);
  if (node != kNoNode && reached[node]) wanted.emplace(std::pair(node, name.port), Shape{true, {}});
}

// The tensors of `before` whose shapes are noted.
TensorShapes find_wanted(const Model& before, const NodeSet& reached) {
  TensorShapes wanted;
  const std::vector<Node>& nodes = before.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const auto noted = reached[i] ? find_attr(nodes[i], kNoted) : std::nullopt;
    if (noted)
      want_shapes(i, static_cast<uint32_t>(AttrValue(*noted).count(AttrKind::kShape)), wanted);
  }
  if (before.meta.empty()) return wanted;
  for (const auto& signature : parse_meta(before).signature_def()) {
    for (const auto& each : signature.value().inputs())
      want_shapes(before, reached, each.value(), wanted);
    for (const auto& each : signature.value().outputs())
      want_shapes(before, reached, each.value(), wanted);
  }
  return wanted;
}

// The node of `made` for one of `before`.
uint32_t node_in(const Model& before, const Model& made, uint32_t node) {
  return made.graph.index().names().find(before.graph.nodes()[node].name);
}

TensorShapes moved(const Model& before, const Model& made, const TensorShapes& shapes) {
  TensorShapes all;
  for (const auto& [tensor, shape] : shapes) {
    all.emplace(std::pair(node_in(before, made, tensor.first), tensor.second), shape);
  }
  return all;
}

// Old notes would contradict the inferred shapes.
Model without_notes(const Model& before, const Model& made, const NodeSet& reached) {
  std::map<uint32_t, std::string> plain;
  const std::vector<Node>& nodes = made.graph.nodes();
  for (uint32_t i = 0; i < before.graph.nodes().size(); ++i) {
    if (!reached[i]) continue;
    const Node& node = nodes[node_in(before, made, i)];
    if (find_attr(node, kNoted)) {
      plain.emplace(node_in(before, made, i), NodeEditor(node).erase_attr(kNoted).finish());
    }
  }
  Model model = made;
  model.graph = with_replaced_nodes(made.graph, plain);
  return model;
}

// Returns the shape of a tensor of `before` after the edit; nullptr if it is inferred as before.
const Shape* changed_shape(const Model& before, const Model& made, const OpRegistry* ops,
                           const TensorShapes& old_shapes, const TensorShapes& new_shapes,
                           uint32_t node, uint32_t port) {
  const auto old = old_shapes.find({node, port});
  const auto now = new_shapes.find({node_in(before, made, node), port});
  if (old == old_shapes.end() || now == new_shapes.end()) return nullptr;
  return ops != nullptr && old->second == now->second ? nullptr : &now->second;
}

// Returns a list of shapes with those that changed.
std::string followed(const Model& before, const Model& made, const OpRegistry* ops,
                     const TensorShapes& old_shapes, const TensorShapes& new_shapes, uint32_t node,
                     std::string_view noted) {
  std::string list;
  bool changes = false;
  uint32_t port = 0;
  AttrValue(noted).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    const Shape* now = changed_shape(before, made, ops, old_shapes, new_shapes, node, port++);
    changes = changes || now != nullptr;
    put_bytes_field(list, list_field(AttrKind::kShape),
                    now == nullptr ? std::string(shape) : shape_message(*now));
  });
  if (!changes) return std::string(noted);
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

void annotate_shapes(const Model& before, const OpRegistry* ops, const NodeSet& reached,
                     const TensorShapes& old_shapes, const TensorShapes& new_shapes, Model& made) {
  std::map<uint32_t, std::string> annotated;
  for (uint32_t i = 0; i < before.graph.nodes().size(); ++i) {
    if (!reached[i]) continue;
    const auto noted = find_attr(before.graph.nodes()[i], kNoted);
    if (!noted) continue;
    const Node& node = made.graph.nodes()[node_in(before, made, i)];
    const std::string value =
        ops == nullptr ? "" : followed(before, made, ops, old_shapes, new_shapes, i, *noted);
    if (find_attr(node, kNoted).value_or("") == value) continue;
    NodeEditor editor(node);
    value.empty() ? editor.erase_attr(kNoted) : editor.set_attr(kNoted, value);
    annotated.emplace(node_in(before, made, i), editor.finish());
  }
  made.graph = with_replaced_nodes(made.graph, annotated);
}

void follow_in_signatures(const Model& before, const OpRegistry* ops,
                          const TensorShapes& old_shapes, const TensorShapes& new_shapes,
                          Model& made) {
  tensorflow::MetaGraphDef meta = parse_meta(made);
  const auto follow = [&](tensorflow::TensorInfo& info) {
    const TensorName name = parse_tensor_name(info.name());
    const uint32_t node = before.graph.index().names().find(name.node);
    const Shape* now =
        node == kNoNode ? nullptr
                        : changed_shape(before, made, ops, old_shapes, new_shapes, node, name.port);
    if (now != nullptr) *info.mutable_tensor_shape() = to_proto(*now);
  };
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& each : *signature.mutable_value()->mutable_inputs()) follow(*each.mutable_value());
    for (auto& each : *signature.mutable_value()->mutable_outputs()) follow(*each.mutable_value());
  }
  set_meta(made, std::move(meta));
}

}  // namespace

Model with_followed_shapes(const Model& before, Model made, std::span<const uint32_t> changed,
                           const OpRegistry* ops) {
  if (changed.empty()) return made;
  const NodeSet reached = walk_forward(before.graph.index().edges(), changed, kDataEdge);
  const TensorShapes wanted = find_wanted(before, reached);
  if (wanted.empty()) return made;
  const TensorShapes old = inferred_shapes(before, ops, wanted);
  const TensorShapes now =
      inferred_shapes(without_notes(before, made, reached), ops, moved(before, made, wanted));
  annotate_shapes(before, ops, reached, old, now, made);
  if (!made.meta.empty()) follow_in_signatures(before, ops, old, now, made);
  return made;
}

}  // namespace cryo
