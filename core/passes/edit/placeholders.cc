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

class PlaceholderEditor {
 public:
  PlaceholderEditor(const Model& model, const OpRegistry* ops, GraphChanges& changes,
                    Diagnostics& diagnostics)
      : model_(model),
        ops_(ops),
        changes_(changes),
        diagnostics_(diagnostics),
        nodes_(model.graph.nodes()),
        edges_(model.graph.index().edges()),
        fresh_(model.graph.index().names()) {}

  Result<Model> run(std::span<const std::string> placeholders, const std::string& batch);
  Model run(const std::map<uint32_t, Shape>& shapes);

 private:
  Model finish();
  Status read(const std::string& text);
  Status set_batch(const std::string& batch);
  std::vector<uint32_t> batched() const;
  // A Reshape and the constant that it takes its sizes from.
  struct BatchReshape {
    uint32_t node = kNoNode;
    Edge input = {};
    uint32_t constant = kNoNode;
    KnownTensor sizes = {};
  };
  std::vector<BatchReshape> batch_reshapes(int64_t before);
  Status set_reshapes(int64_t before, int64_t after);
  Status set_sizes(BatchReshape& reshape, int64_t before, int64_t after);
  void keep_sizes(const BatchReshape& reshape, int64_t before, std::string_view why);
  Model current() const;
  void set(uint32_t node, std::optional<DType> dtype, const Shape& shape);
  void find_downstream();
  void follow_signatures(Model& made) const;
  NodeEditor& editor(uint32_t node) {
    return edited_.try_emplace(node, nodes_[node]).first->second;
  }

  const Model& model_;
  const OpRegistry* ops_;
  GraphChanges& changes_;
  Diagnostics& diagnostics_;
  const std::vector<Node>& nodes_;
  const Edges& edges_;
  FreshNames fresh_;
  std::map<uint32_t, NodeEditor> edited_;
  std::map<uint32_t, Shape> shapes_;  // of the placeholders that change
  std::map<uint32_t, DType> types_;
  std::vector<std::string> added_;
  std::vector<bool> downstream_;
};

void PlaceholderEditor::set(uint32_t node, std::optional<DType> dtype, const Shape& shape) {
  const Node& of = nodes_[node];
  const auto old = static_cast<DType>(type_attr(of, "dtype").value_or(0));
  const Shape declared = output_shape(of, 0);
  shapes_[node] = shape;
  editor(node).erase_attr("_output_shapes").set_attr("shape", shape_value(shape_message(shape)));
  const DType made = dtype.value_or(old);
  changes_.push_back({std::string(of.name), kPlaceholderChanged,
                      cat(dtype_name(old), " ", to_text(declared), " is ", dtype_name(made), " ",
                          to_text(shape), " now"),
                      made != old});
  if (made == old) return;
  types_[node] = made;
  editor(node).set_attr("dtype", type_value(made));
  const std::string cast = fresh_.take(cat(of.name, "/cast"));
  NodeEditor added(cast, "Cast");
  added.add_input(of.name).set_device(device_of(of));
  added.set_attr("SrcT", type_value(made));
  added_.push_back(added.set_attr("DstT", type_value(old)).finish());
  for (const Consumer& consumer : edges_.consumers().of(node)) {
    if (!consumer.control) editor(consumer.node).inputs()[consumer.input] = cast;
  }
}

Status PlaceholderEditor::read(const std::string& text) {
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
  TRY(place, find_endpoint(model_, model_.graph.index().names(), text.substr(0, equals)));
  const Node& node = nodes_[place.node];
  const bool keeps_type =
      dtype == nullptr || dtype->dtype == static_cast<DType>(type_attr(node, "dtype").value_or(0));
  const bool defaulted = node.op == "PlaceholderWithDefault";
  if (!is_placeholder(node.op) || (defaulted && !keeps_type)) {
    return failure("not-a-placeholder",
                   cat("expected a placeholder whose type and shape can be changed; '", node.name,
                       "' is a ", node.op),
                   {.node = node.name}, LIST("placeholders", "inputs"));
  }
  if (shapes_.contains(place.node)) {
    return failure("bad-option", cat(OPTION("--placeholder", "") " ", text, ": ", quoted(node.name),
                                     " is given twice"));
  }
  set(place.node, keeps_type ? std::nullopt : std::optional(dtype->dtype),
      has_shape ? *shape : output_shape(node, 0));
  return Unit{};
}

// The placeholders whose first dimension is a batch's.
std::vector<uint32_t> PlaceholderEditor::batched() const {
  std::vector<uint32_t> open;
  std::vector<uint32_t> fixed;
  std::set<int64_t> sizes;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!is_placeholder(nodes_[i].op) || shapes_.contains(i)) continue;
    const Shape shape = output_shape(nodes_[i], 0);
    if (shape.dims.empty()) continue;
    if (shape.dims[0] == kUnknownDim) open.push_back(i);
    if (shape.dims[0] == kUnknownDim || shape.dims.size() < 2) continue;
    fixed.push_back(i);
    sizes.insert(shape.dims[0]);
  }
  if (!open.empty()) return open;
  return sizes.size() == 1 ? fixed : std::vector<uint32_t>();
}

Status PlaceholderEditor::set_batch(const std::string& batch) {
  const auto size = read_size(batch);
  if (!size || *size == 0) {
    return failure("bad-option", cat(OPTION("--batch", "") " ", batch, ": expected a size, or ?"),
                   {}, "write " SETTING("--batch", "8"));
  }
  const std::vector<uint32_t> inputs = batched();
  if (inputs.empty()) {
    return failure("no-batch", "no placeholder has a first dimension that is a batch's", {},
                   "give the shapes: " SETTING("--placeholder", "x=[8,224,224,3]"));
  }
  const int64_t before = output_shape(nodes_[inputs[0]], 0).dims[0];
  for (const uint32_t input : inputs) {
    Shape shape = output_shape(nodes_[input], 0);
    shape.dims[0] = *size;
    set(input, std::nullopt, shape);
  }
  return before == kUnknownDim ? Status(Unit{}) : set_reshapes(before, *size);
}

// Reshapes whose sizes begin with the old batch, as their inputs do.
std::vector<PlaceholderEditor::BatchReshape> PlaceholderEditor::batch_reshapes(int64_t before) {
  std::vector<BatchReshape> found;
  TensorShapes shapes;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const auto inputs = edges_.inputs(i);
    if (!downstream_[i] || nodes_[i].op != "Reshape" || inputs.size() < 2) continue;
    if (inputs[1].node == kNoNode || nodes_[inputs[1].node].op != "Const") continue;
    const Node& sizes = nodes_[inputs[1].node];
    const Result<Tensor> tensor =
        read_tensor(tensor_attr(sizes, "value").value_or(""), *model_.payloads);
    auto known = tensor ? read_known(*tensor, kMaxDims) : std::nullopt;
    if (!known || known->whole.empty() || known->whole[0] != before) continue;
    found.push_back({i, inputs[0], inputs[1].node, std::move(*known)});
    shapes.emplace(std::pair(inputs[0].node, inputs[0].port), Shape{true, {}});
  }
  shapes = inferred_shapes(model_, ops_, std::move(shapes));
  std::erase_if(found, [&](const BatchReshape& each) {
    const std::optional<int64_t> size = first_size(shapes.at({each.input.node, each.input.port}));
    if (size == kUnknownDim) keep_sizes(each, before, kUnknownBefore);
    return size != before;
  });
  return found;
}

// Reshape(y [1,7,7,64], [1,3136]) of a batch of 8 is Reshape(y [8,7,7,64], [8,3136]). That a size
// is the batch's shows when shapes are inferred with the new one, from Reshape to Reshape.
Status PlaceholderEditor::set_reshapes(int64_t before, int64_t after) {
  find_downstream();
  std::vector<BatchReshape> left = batch_reshapes(before);
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
    shapes = inferred_shapes(current(), ops_, std::move(shapes));
    std::vector<BatchReshape> others;
    for (BatchReshape& each : left) {
      if (first_size(shape_of(each)) == after) {
        CHECK_OK(set_sizes(each, before, after));
      } else {
        others.push_back(std::move(each));
      }
    }
    left = std::move(others);
  }
  for (const BatchReshape& each : left) {
    if (first_size(shape_of(each)) != kUnknownDim) continue;
    keep_sizes(each, before, kUnknownBefore);
  }
  return Unit{};
}

void PlaceholderEditor::keep_sizes(const BatchReshape& reshape, int64_t before,
                                   std::string_view why) {
  const std::string_view name = nodes_[reshape.node].name;
  diagnostics_.warn("batch-in-constant",
                    cat("Reshape '", name, "' takes sizes that begin with ", before,
                        ", the old batch, and they stay as they are: ", why),
                    {.node = name});
}

Status PlaceholderEditor::set_sizes(BatchReshape& reshape, int64_t before, int64_t after) {
  std::vector<int64_t>& sizes = reshape.sizes.whole;
  if (after == kUnknownDim && std::find(sizes.begin(), sizes.end(), -1) != sizes.end()) {
    keep_sizes(reshape, before, "another size is open already");
    return Unit{};
  }
  sizes[0] = after;
  const Node& constant = nodes_[reshape.constant];
  TRY(proto, const_tensor(reshape.sizes.dtype, {false, reshape.sizes.dims},
                          Splice(fresh(content_of(reshape.sizes))), *model_.payloads));
  const std::string name = fresh_.take(cat(nodes_[reshape.node].name, "/sizes"));
  NodeEditor added(constant);
  added_.push_back(added.set_name(name).set_attr("value", tensor_value(proto)).finish());
  editor(reshape.node).inputs()[1] = name;
  changes_.push_back({std::string(nodes_[reshape.node].name), kSizesChanged,
                      cat("the constant ", constant.name, " begins with the batch, ", before),
                      false});
  return Unit{};
}

// Finds all nodes that a changed placeholder's shape may reach, and removes their `_output_shapes`.
void PlaceholderEditor::find_downstream() {
  std::vector<uint32_t> changed;
  for (const auto& [node, shape] : shapes_) changed.push_back(node);
  downstream_ = walk_forward(edges_, changed,
                             [](uint32_t, const Consumer& consumer) { return !consumer.control; });
  // Old shapes would contradict the inferred ones.
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!downstream_[i] || !find_attr(nodes_[i], "_output_shapes")) continue;
    editor(i).erase_attr("_output_shapes");
  }
}

void PlaceholderEditor::follow_signatures(Model& made) const {
  if (made.meta.empty() || types_.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(made);
  const NodeNames& names = model_.graph.index().names();
  const auto follow = [&](tensorflow::TensorInfo& info) {
    const auto type = types_.find(names.find(parse_tensor_name(info.name()).node));
    if (type != types_.end()) info.set_dtype(static_cast<tensorflow::DataType>(type->second));
  };
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& each : *signature.mutable_value()->mutable_inputs()) follow(*each.mutable_value());
    for (auto& each : *signature.mutable_value()->mutable_outputs()) follow(*each.mutable_value());
  }
  set_meta(made, std::move(meta));
}

// The model with the changes so far. Nodes have the places that they have in the old one.
Model PlaceholderEditor::current() const {
  std::map<uint32_t, std::string> replaced;
  for (const auto& [node, each] : edited_) replaced.emplace(node, each.finish());
  Model made = model_;
  made.graph = with_replaced_nodes(model_.graph, replaced, added_);
  return made;
}

Model PlaceholderEditor::finish() {
  find_downstream();
  Model made = current();
  follow_signatures(made);
  std::vector<uint32_t> changed;
  for (const auto& [node, shape] : shapes_) changed.push_back(node);
  return with_followed_shapes(model_, std::move(made), changed, ops_);
}

Result<Model> PlaceholderEditor::run(std::span<const std::string> placeholders,
                                     const std::string& batch) {
  for (const std::string& text : placeholders) CHECK_OK(read(text));
  if (!batch.empty()) CHECK_OK(set_batch(batch));
  return finish();
}

Model PlaceholderEditor::run(const std::map<uint32_t, Shape>& shapes) {
  for (const auto& each : shapes) set(each.first, std::nullopt, each.second);
  return finish();
}

}  // namespace

Result<Model> with_new_placeholders(const Model& model, std::span<const std::string> placeholders,
                                    const std::string& batch, const OpRegistry* ops,
                                    GraphChanges& changes, Diagnostics& diagnostics) {
  if (placeholders.empty() && batch.empty()) return model;
  return PlaceholderEditor(model, ops, changes, diagnostics).run(placeholders, batch);
}

Model with_placeholder_shapes(const Model& model, const std::map<uint32_t, Shape>& shapes,
                              const OpRegistry* ops) {
  if (shapes.empty()) return model;
  GraphChanges changes;
  Diagnostics diagnostics;
  return PlaceholderEditor(model, ops, changes, diagnostics).run(shapes);
}

}  // namespace cryo
