#include "passes/tf_compat/import_graph_def.h"

#include "graph/node_editor.h"
#include "wire/canonical.h"
#include "wire/fields.h"

namespace cryo {
namespace {}  // namespace

SessionImport::SessionImport(const Model& model, const OpRegistry& ops) : model_(model), ops_(ops) {
  // A SavedModel's GraphDef is imported without the list.
  if (model.kind == Kind::kSavedModel) return;
  const std::string_view list =
      last_bytes(last_bytes(model.meta, fields::MetaGraphDef::kMetaInfoDef),
                 fields::MetaGraphDef::MetaInfoDef::kStrippedOpList);
  auto parsed = OpRegistry::parse(std::string(list));
  if (parsed) producers_ = std::move(*parsed);
}

// An attribute that this TensorFlow's op does not have, and that the producer's op has by default.
bool SessionImport::is_producers_default(const Attr& attr, const OpDef& op,
                                         const OpDef* producers) const {
  if (producers == nullptr || op.attr_index(attr.key) != kNoAttr) return false;
  const int place = producers->attr_index(attr.key);
  if (place == kNoAttr) return false;
  const auto& value = producers->attrs[static_cast<size_t>(place)].default_value;
  const MessageSchema& schema = message_schema("tensorflow.AttrValue");
  return value && canonical(attr.value, schema, *model_.payloads) ==
                      canonical(*value, schema, *model_.payloads);
}

std::string SessionImport::imported(const Node& node) const {
  NodeEditor editor(node);
  editor.set_device("");
  const OpDef* op = ops_.find(node.op);
  if (op == nullptr) return editor.finish();
  for (const AttrDef& attr : op->attrs) {
    if (!attr.default_value) continue;
    const auto given = find_attr(node, attr.name);
    if (!given || !AttrValue(*given).is_set()) {
      editor.set_attr(attr.name, std::string(*attr.default_value));
    }
  }
  const OpDef* producers = producers_ ? producers_->find(node.op) : nullptr;
  for (const Attr& attr : attrs_of(node)) {
    if (is_producers_default(attr, *op, producers)) editor.erase_attr(attr.key);
  }
  return editor.finish();
}

}  // namespace cryo
