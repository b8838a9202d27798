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

class ShapeFollower {
 public:
  ShapeFollower(const Model& before, Model& made, std::span<const uint32_t> changed,
                const OpRegistry* ops)
      : before_(before),
        made_(made),
        ops_(ops),
        reached_(walk_forward(before.graph.index().edges(), changed,
                              [](uint32_t, const Consumer& each) { return !each.control; })) {}

  void run() {
    find_wanted();
    if (wanted_.empty()) return;
    old_ = inferred_shapes(before_, ops_, wanted_);
    now_ = inferred_shapes(without_notes(), ops_, moved(wanted_));
    annotate();
    if (!made_.meta.empty()) follow_signatures();
  }

 private:
  // The tensors of `before` whose shapes are noted.
  void find_wanted() {
    const std::vector<Node>& nodes = before_.graph.nodes();
    for (uint32_t i = 0; i < nodes.size(); ++i) {
      const auto noted = reached_[i] ? find_attr(nodes[i], kNoted) : std::nullopt;
      if (noted) want(i, static_cast<uint32_t>(AttrValue(*noted).count(AttrKind::kShape)));
    }
    if (before_.meta.empty()) return;
    for (const auto& signature : parse_meta(before_).signature_def()) {
      for (const auto& each : signature.value().inputs()) want(each.value());
      for (const auto& each : signature.value().outputs()) want(each.value());
    }
  }

  void want(uint32_t node, uint32_t ports) {
    for (uint32_t port = 0; port < ports; ++port) {
      wanted_.emplace(std::pair(node, port), Shape{true, {}});
    }
  }

  void want(const tensorflow::TensorInfo& info) {
    const TensorName name = parse_tensor_name(info.name());
    const uint32_t node = before_.graph.index().names().find(name.node);
    if (node != kNoNode && reached_[node])
      wanted_.emplace(std::pair(node, name.port), Shape{true, {}});
  }

  // The node of `made` for one of `before`.
  uint32_t made_of(uint32_t node) const {
    return made_.graph.index().names().find(before_.graph.nodes()[node].name);
  }

  TensorShapes moved(const TensorShapes& shapes) const {
    TensorShapes all;
    for (const auto& [tensor, shape] : shapes) {
      all.emplace(std::pair(made_of(tensor.first), tensor.second), shape);
    }
    return all;
  }

  // Old notes would contradict the inferred shapes.
  Model without_notes() const {
    std::map<uint32_t, std::string> plain;
    const std::vector<Node>& nodes = made_.graph.nodes();
    for (uint32_t i = 0; i < before_.graph.nodes().size(); ++i) {
      if (!reached_[i]) continue;
      const Node& node = nodes[made_of(i)];
      if (find_attr(node, kNoted)) {
        plain.emplace(made_of(i), NodeEditor(node).erase_attr(kNoted).finish());
      }
    }
    Model model = made_;
    model.graph = with_replaced_nodes(made_.graph, plain);
    return model;
  }

  // Returns the shape of a tensor of `before` after the edit; nullptr if it is inferred as before.
  const Shape* changed_shape(uint32_t node, uint32_t port) const {
    const auto old = old_.find({node, port});
    const auto now = now_.find({made_of(node), port});
    if (old == old_.end() || now == now_.end()) return nullptr;
    return ops_ != nullptr && old->second == now->second ? nullptr : &now->second;
  }

  void annotate() {
    std::map<uint32_t, std::string> annotated;
    for (uint32_t i = 0; i < before_.graph.nodes().size(); ++i) {
      if (!reached_[i]) continue;
      const auto noted = find_attr(before_.graph.nodes()[i], kNoted);
      if (!noted) continue;
      const Node& node = made_.graph.nodes()[made_of(i)];
      const std::string value = ops_ == nullptr ? "" : followed(i, *noted);
      if (find_attr(node, kNoted).value_or("") == value) continue;
      NodeEditor editor(node);
      value.empty() ? editor.erase_attr(kNoted) : editor.set_attr(kNoted, value);
      annotated.emplace(made_of(i), editor.finish());
    }
    made_.graph = with_replaced_nodes(made_.graph, annotated);
  }

  // Returns a list of shapes with those that changed.
  std::string followed(uint32_t node, std::string_view noted) const {
    std::string list;
    bool changes = false;
    uint32_t port = 0;
    AttrValue(noted).each_bytes(AttrKind::kShape, [&](std::string_view shape) {
      const Shape* now = changed_shape(node, port++);
      changes = changes || now != nullptr;
      put_bytes_field(list, list_field(AttrKind::kShape),
                      now == nullptr ? std::string(shape) : shape_message(*now));
    });
    if (!changes) return std::string(noted);
    std::string value;
    put_bytes_field(value, fields::AttrValue::kList, list);
    return value;
  }

  void follow_signatures() {
    tensorflow::MetaGraphDef meta = parse_meta(made_);
    const auto follow = [&](tensorflow::TensorInfo& info) {
      const TensorName name = parse_tensor_name(info.name());
      const uint32_t node = before_.graph.index().names().find(name.node);
      const Shape* now = node == kNoNode ? nullptr : changed_shape(node, name.port);
      if (now != nullptr) *info.mutable_tensor_shape() = to_proto(*now);
    };
    for (auto& signature : *meta.mutable_signature_def()) {
      for (auto& each : *signature.mutable_value()->mutable_inputs()) follow(*each.mutable_value());
      for (auto& each : *signature.mutable_value()->mutable_outputs())
        follow(*each.mutable_value());
    }
    set_meta(made_, std::move(meta));
  }

  const Model& before_;
  Model& made_;
  const OpRegistry* ops_;
  const std::vector<bool> reached_;
  TensorShapes wanted_;
  TensorShapes old_;  // of tensors of `before_`
  TensorShapes now_;  // of tensors of `made_`
};

}  // namespace

Model with_followed_shapes(const Model& before, Model made, std::span<const uint32_t> changed,
                           const OpRegistry* ops) {
  if (!changed.empty()) ShapeFollower(before, made, changed, ops).run();
  return made;
}

}  // namespace cryo
