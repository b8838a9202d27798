#include "passes/edit/placeholders.h"

#include <algorithm>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "model/meta.h"
#include "passes/common/select_outputs.h"
#include "passes/edit/batch_nodes.h"
#include "passes/edit/batch_sizes.h"
#include "passes/edit/followed_shapes.h"
#include "passes/edit/written_shape.h"
#include "wire/fields.h"

namespace cryo {
namespace {

Failure bad_placeholder(std::string_view text) {
  return failure("bad-option",
                 cat(OPTION("--placeholder", "") " ", text, ": expected NAME=TYPE[SIZES]"), {},
                 "write it as " SETTING("--placeholder", "x=float32[1,224,224,3]")
                     ", the type or the sizes alone, and ? for a size that is not known");
}

struct PlaceholderEdits {
  FreshNames fresh;
  std::map<uint32_t, NodeEditor> edited = {};
  std::map<uint32_t, Shape> shapes = {};  // of the placeholders that change
  std::map<uint32_t, DType> types = {};
  std::vector<std::string> added = {};
  std::set<uint32_t> sized = {};  // nodes that take other sizes
};

NodeEditor& editor_of(const Model& model, uint32_t node, PlaceholderEdits& edits) {
  return edits.edited.try_emplace(node, model.graph.nodes()[node]).first->second;
}

void set_placeholder(const Model& model, uint32_t node, std::optional<DType> dtype,
                     const Shape& shape, GraphChanges& changes, PlaceholderEdits& edits) {
  const Node& of = model.graph.nodes()[node];
  const auto old = static_cast<DType>(type_attr(of, "dtype").value_or(0));
  const Shape declared = output_shape(of, 0);
  edits.shapes[node] = shape;
  editor_of(model, node, edits)
      .erase_attr("_output_shapes")
      .set_attr("shape", shape_value(shape_message(shape)));
  const DType made = dtype.value_or(old);
  changes.push_back({std::string(of.name), kPlaceholderChanged,
                     cat(dtype_name(old), " ", to_text(declared), " is ", dtype_name(made), " ",
                         to_text(shape), " now"),
                     made != old});
  if (made == old) return;
  edits.types[node] = made;
  editor_of(model, node, edits).set_attr("dtype", type_value(made));
  const std::string cast = edits.fresh.take(cat(of.name, "/cast"));
  NodeEditor added(cast, "Cast");
  added.add_input(of.name).set_device(device_of(of));
  added.set_attr("SrcT", type_value(made));
  edits.added.push_back(added.set_attr("DstT", type_value(old)).finish());
  for (const Consumer& consumer : model.graph.index().edges().consumers().of(node)) {
    if (!consumer.control) editor_of(model, consumer.node, edits).inputs()[consumer.input] = cast;
  }
}

Status read_placeholder(const Model& model, const std::string& text, GraphChanges& changes,
                        PlaceholderEdits& edits) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return bad_placeholder(text);
  const std::string_view kind = std::string_view(text).substr(equals + 1);
  const std::string_view type = kind.substr(0, kind.find('['));
  const DTypeInfo* dtype = type.empty() ? nullptr : find_dtype(type);
  const auto shape = read_shape_text(kind.substr(type.size()));
  const bool has_shape = type.size() < kind.size();
  const bool numbers = dtype == nullptr || (dtype->size > 0 && !is_ref(dtype->dtype));
  if ((type.empty() && !has_shape) || (!type.empty() && dtype == nullptr) || !numbers ||
      (has_shape && !shape)) {
    return bad_placeholder(text);
  }
  TRY(place, find_endpoint(model, model.graph.index().names(), text.substr(0, equals)));
  const Node& node = model.graph.nodes()[place.node];
  const bool keeps_type =
      dtype == nullptr || dtype->dtype == static_cast<DType>(type_attr(node, "dtype").value_or(0));
  const bool defaulted = node.op == "PlaceholderWithDefault";
  if (!is_placeholder(node.op) || (defaulted && !keeps_type)) {
    return failure("not-a-placeholder",
                   cat("expected a placeholder whose type and shape can be changed; '", node.name,
                       "' is a ", node.op),
                   {.node = node.name}, LIST("placeholders", "inputs"));
  }
  if (edits.shapes.contains(place.node)) {
    return failure("bad-option", cat(OPTION("--placeholder", "") " ", text, ": ", quoted(node.name),
                                     " is given twice"));
  }
  set_placeholder(model, place.node, keeps_type ? std::nullopt : std::optional(dtype->dtype),
                  has_shape ? *shape : output_shape(node, 0), changes, edits);
  return Unit{};
}

// The placeholders whose first dimension is a batch's.
std::vector<uint32_t> batched_placeholders(const Model& model, const PlaceholderEdits& edits) {
  std::vector<uint32_t> open;
  std::vector<uint32_t> fixed;
  std::set<int64_t> sizes;
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (!is_placeholder(model.graph.nodes()[i].op) || edits.shapes.contains(i)) continue;
    const Shape shape = output_shape(model.graph.nodes()[i], 0);
    if (shape.dims.empty()) continue;
    if (shape.dims[0] == kUnknownDim) open.push_back(i);
    if (shape.dims[0] == kUnknownDim || shape.dims.size() < 2) continue;
    fixed.push_back(i);
    sizes.insert(shape.dims[0]);
  }
  if (!open.empty()) return open;
  return sizes.size() == 1 ? fixed : std::vector<uint32_t>();
}

void warn_of_kept_size(const Model& model, const KeptSize& kept, Diagnostics& diagnostics) {
  const std::string_view name = model.graph.nodes()[kept.node].name;
  diagnostics.warn("batch-in-constant",
                   cat("'", name, "' stays as it is, with the old batch: ", kept.why),
                   {.node = name});
}

void follow_size(const Model& model, const BatchSize& size, int64_t before, BatchNodes& nodes,
                 GraphChanges& changes, Diagnostics& diagnostics, PlaceholderEdits& edits) {
  const Node& node = model.graph.nodes()[size.node];
  const auto input = with_batch(nodes, size);
  if (!input) {
    const std::string why =
        cat(node.op, " holds ", before, ": what is fed is not known in its loop or branch");
    warn_of_kept_size(model, {size.node, why}, diagnostics);
    return;
  }
  editor_of(model, size.node, edits).inputs()[size.input] = *input;
  edits.sized.insert(size.node);
  changes.push_back(
      {std::string(node.name), kSizesChanged,
       cat("the constant ", model.graph.nodes()[size.constant].name, " holds the batch, ", before),
       false});
}

// Gives the constants that hold the batch of some placeholders the new one.
void follow_batch(const Model& model, const OpRegistry* ops, const std::vector<uint32_t>& inputs,
                  int64_t before, int64_t after, GraphChanges& changes, Diagnostics& diagnostics,
                  PlaceholderEdits& edits) {
  const BatchSizes sizes = find_batch_sizes(model, inputs, before, ops);
  BatchNodes nodes{model, inputs[0], after, edits.fresh, edits.added};
  for (const BatchSize& each : sizes.found) {
    follow_size(model, each, before, nodes, changes, diagnostics, edits);
  }
  for (const KeptSize& each : sizes.kept) warn_of_kept_size(model, each, diagnostics);
}

// Returns the nodes that have another shape or other sizes.
std::vector<uint32_t> changed_nodes(const PlaceholderEdits& edits) {
  std::set<uint32_t> all = edits.sized;
  for (const auto& [node, shape] : edits.shapes) all.insert(node);
  return {all.begin(), all.end()};
}

// Removes the `_output_shapes` of all nodes that a change may reach: old shapes would contradict
// the inferred ones.
void remove_old_shapes(const Model& model, PlaceholderEdits& edits) {
  const NodeSet reached =
      walk_forward(model.graph.index().edges(), changed_nodes(edits), kDataEdge);
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (!reached[i] || !find_attr(model.graph.nodes()[i], "_output_shapes")) continue;
    editor_of(model, i, edits).erase_attr("_output_shapes");
  }
}

// The model with the changes so far. Nodes have the places that they have in the old one.
Model current_model(const Model& model, const PlaceholderEdits& edits) {
  std::map<uint32_t, std::string> replaced;
  for (const auto& [node, each] : edits.edited) replaced.emplace(node, each.finish());
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, replaced, edits.added);
  return made;
}

Status set_batch_size(const Model& model, const OpRegistry* ops, const std::string& batch,
                      GraphChanges& changes, Diagnostics& diagnostics, PlaceholderEdits& edits) {
  const auto size = read_size(batch);
  if (!size || *size == 0) {
    return failure("bad-option", cat(OPTION("--batch", "") " ", batch, ": expected a size, or ?"),
                   {}, "write " SETTING("--batch", "8"));
  }
  const std::vector<uint32_t> inputs = batched_placeholders(model, edits);
  if (inputs.empty()) {
    return failure("no-batch", "no placeholder has a first dimension that is a batch's", {},
                   "give the shapes: " SETTING("--placeholder", "x=[8,224,224,3]"));
  }
  const int64_t before = output_shape(model.graph.nodes()[inputs[0]], 0).dims[0];
  for (const uint32_t input : inputs) {
    Shape shape = output_shape(model.graph.nodes()[input], 0);
    shape.dims[0] = *size;
    set_placeholder(model, input, std::nullopt, shape, changes, edits);
  }
  if (before != kUnknownDim) {
    follow_batch(model, ops, inputs, before, *size, changes, diagnostics, edits);
  }
  return Unit{};
}

void retype_signatures(const Model& model, const PlaceholderEdits& edits, Model& made) {
  if (made.meta.empty() || edits.types.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(made);
  const NodeNames& names = model.graph.index().names();
  const auto follow = [&](tensorflow::TensorInfo& info) {
    const auto type = edits.types.find(names.find(parse_tensor_name(info.name()).node));
    if (type != edits.types.end()) info.set_dtype(static_cast<tensorflow::DataType>(type->second));
  };
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& each : *signature.mutable_value()->mutable_inputs()) follow(*each.mutable_value());
    for (auto& each : *signature.mutable_value()->mutable_outputs()) follow(*each.mutable_value());
  }
  set_meta(made, std::move(meta));
}

Model edited_model(const Model& model, const OpRegistry* ops, PlaceholderEdits& edits) {
  remove_old_shapes(model, edits);
  Model made = current_model(model, edits);
  retype_signatures(model, edits, made);
  return with_followed_shapes(model, std::move(made), changed_nodes(edits), ops);
}

}  // namespace

Result<Model> with_new_placeholders(const Model& model, std::span<const std::string> placeholders,
                                    const std::string& batch, const OpRegistry* ops,
                                    GraphChanges& changes, Diagnostics& diagnostics) {
  if (placeholders.empty() && batch.empty()) return model;
  PlaceholderEdits edits{FreshNames(model.graph.index().names())};
  for (const std::string& text : placeholders) {
    CHECK_OK(read_placeholder(model, text, changes, edits));
  }
  if (!batch.empty()) {
    CHECK_OK(set_batch_size(model, ops, batch, changes, diagnostics, edits));
  }
  return edited_model(model, ops, edits);
}

Model with_placeholder_shapes(const Model& model, const std::map<uint32_t, Shape>& shapes,
                              const OpRegistry* ops) {
  if (shapes.empty()) return model;
  GraphChanges changes;
  PlaceholderEdits edits{FreshNames(model.graph.index().names())};
  for (const auto& [node, shape] : shapes) {
    set_placeholder(model, node, std::nullopt, shape, changes, edits);
  }
  return edited_model(model, ops, edits);
}

}  // namespace cryo
