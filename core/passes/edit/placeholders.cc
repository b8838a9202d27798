#include "passes/edit/placeholders.h"

#include <algorithm>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/evaluate/known_tensor.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "model/meta.h"
#include "passes/common/select_outputs.h"
#include "passes/edit/followed_shapes.h"
#include "passes/edit/written_shape.h"
#include "validate/inferred_shapes.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kUnknownBefore = "the shape before it is not known";

Failure bad_placeholder(std::string_view text) {
  return failure("bad-option",
                 cat(OPTION("--placeholder", "") " ", text, ": expected NAME=TYPE[SIZES]"), {},
                 "write it as " SETTING("--placeholder", "x=float32[1,224,224,3]")
                     ", the type or the sizes alone, and ? for a size that is not known");
}

// The first dimension; kUnknownDim if it is not known, nullopt for a scalar.
std::optional<int64_t> first_size(const Shape& shape) {
  if (!shape.dims.empty()) return shape.dims[0];
  return shape.unknown_rank ? std::optional(kUnknownDim) : std::nullopt;
}

// A Reshape and the constant that it takes its sizes from.
struct BatchReshape {
  uint32_t node = kNoNode;
  Edge input = {};
  uint32_t constant = kNoNode;
  KnownTensor sizes = {};
};

struct PlaceholderEdits {
  FreshNames fresh;
  std::map<uint32_t, NodeEditor> edited = {};
  std::map<uint32_t, Shape> shapes = {};  // of the placeholders that change
  std::map<uint32_t, DType> types = {};
  std::vector<std::string> added = {};
  NodeSet downstream = {};
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

void warn_of_sizes(const Model& model, const BatchReshape& reshape, int64_t before,
                   std::string_view why, Diagnostics& diagnostics) {
  const std::string_view name = model.graph.nodes()[reshape.node].name;
  diagnostics.warn("batch-in-constant",
                   cat("Reshape '", name, "' takes sizes that begin with ", before,
                       ", the old batch, and they stay as they are: ", why),
                   {.node = name});
}

// Reshapes whose sizes begin with the old batch, as their inputs do.
std::vector<BatchReshape> batch_reshapes(const Model& model, const OpRegistry* ops, int64_t before,
                                         Diagnostics& diagnostics, PlaceholderEdits& edits) {
  std::vector<BatchReshape> found;
  TensorShapes shapes;
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    const auto inputs = model.graph.index().edges().inputs(i);
    if (!edits.downstream[i] || model.graph.nodes()[i].op != "Reshape" || inputs.size() < 2)
      continue;
    if (inputs[1].node == kNoNode || model.graph.nodes()[inputs[1].node].op != "Const") continue;
    const Node& sizes = model.graph.nodes()[inputs[1].node];
    const Result<Tensor> tensor =
        read_tensor(tensor_attr(sizes, "value").value_or(""), *model.payloads);
    auto known = tensor ? read_known(*tensor, kMaxDims) : std::nullopt;
    if (!known || known->whole.empty() || known->whole[0] != before) continue;
    found.push_back({i, inputs[0], inputs[1].node, std::move(*known)});
    shapes.emplace(std::pair(inputs[0].node, inputs[0].port), Shape{true, {}});
  }
  shapes = inferred_shapes(model, ops, std::move(shapes));
  std::erase_if(found, [&](const BatchReshape& each) {
    const std::optional<int64_t> size = first_size(shapes.at({each.input.node, each.input.port}));
    if (size == kUnknownDim) warn_of_sizes(model, each, before, kUnknownBefore, diagnostics);
    return size != before;
  });
  return found;
}

Status set_reshape_sizes(const Model& model, BatchReshape& reshape, int64_t before, int64_t after,
                         GraphChanges& changes, Diagnostics& diagnostics, PlaceholderEdits& edits) {
  std::vector<int64_t>& sizes = reshape.sizes.whole;
  if (after == kUnknownDim && std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) {
    warn_of_sizes(model, reshape, before, "another size is open already", diagnostics);
    return Unit{};
  }
  sizes[0] = after;
  const Node& constant = model.graph.nodes()[reshape.constant];
  TRY(proto, const_tensor(reshape.sizes.dtype, {false, reshape.sizes.dims},
                          Splice(fresh(content_of(reshape.sizes))), *model.payloads));
  const std::string name = edits.fresh.take(cat(model.graph.nodes()[reshape.node].name, "/sizes"));
  NodeEditor added(constant);
  edits.added.push_back(added.set_name(name).set_attr("value", tensor_value(proto)).finish());
  editor_of(model, reshape.node, edits).inputs()[1] = name;
  changes.push_back({std::string(model.graph.nodes()[reshape.node].name), kSizesChanged,
                     cat("the constant ", constant.name, " begins with the batch, ", before),
                     false});
  return Unit{};
}

// Finds all nodes that a changed placeholder's shape may reach, and removes their `_output_shapes`.
void find_downstream(const Model& model, PlaceholderEdits& edits) {
  std::vector<uint32_t> changed;
  for (const auto& [node, shape] : edits.shapes) changed.push_back(node);
  edits.downstream = walk_forward(model.graph.index().edges(), changed, kDataEdge);
  // Old shapes would contradict the inferred ones.
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    if (!edits.downstream[i] || !find_attr(model.graph.nodes()[i], "_output_shapes")) continue;
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

// Reshape(y [1,7,7,64], [1,3136]) of a batch of 8 is Reshape(y [8,7,7,64], [8,3136]). That a size
// is the batch's shows when shapes are inferred with the new one, from Reshape to Reshape.
Status set_reshapes(const Model& model, const OpRegistry* ops, int64_t before, int64_t after,
                    GraphChanges& changes, Diagnostics& diagnostics, PlaceholderEdits& edits) {
  find_downstream(model, edits);
  std::vector<BatchReshape> left = batch_reshapes(model, ops, before, diagnostics, edits);
  TensorShapes shapes;
  const auto shape_of = [&](const BatchReshape& each) -> const Shape& {
    return shapes.at({each.input.node, each.input.port});
  };
  for (size_t count = left.size() + 1; left.size() < count;) {
    count = left.size();
    shapes.clear();
    for (const BatchReshape& each : left) {
      shapes.emplace(std::pair(each.input.node, each.input.port), Shape{true, {}});
    }
    shapes = inferred_shapes(current_model(model, edits), ops, std::move(shapes));
    std::vector<BatchReshape> others;
    for (BatchReshape& each : left) {
      if (first_size(shape_of(each)) == after) {
        CHECK_OK(set_reshape_sizes(model, each, before, after, changes, diagnostics, edits));
      } else {
        others.push_back(std::move(each));
      }
    }
    left = std::move(others);
  }
  for (const BatchReshape& each : left) {
    if (first_size(shape_of(each)) != kUnknownDim) continue;
    warn_of_sizes(model, each, before, kUnknownBefore, diagnostics);
  }
  return Unit{};
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
  return before == kUnknownDim
             ? Status(Unit{})
             : set_reshapes(model, ops, before, *size, changes, diagnostics, edits);
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
  find_downstream(model, edits);
  Model made = current_model(model, edits);
  retype_signatures(model, edits, made);
  std::vector<uint32_t> changed;
  for (const auto& [node, shape] : edits.shapes) changed.push_back(node);
  return with_followed_shapes(model, std::move(made), changed, ops);
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
