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
  void follow_batch(const std::vector<uint32_t>& inputs, int64_t before, int64_t after);
  void follow(BatchNodes& nodes, const BatchSize& size, int64_t before);
  void warn_of(const KeptSize& kept);
  Model current() const;
  void set(uint32_t node, std::optional<DType> dtype, const Shape& shape);
  std::vector<uint32_t> changed() const;
  void remove_old_shapes();
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
  std::set<uint32_t> sized_;  // nodes that take other sizes
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
  if (before != kUnknownDim) follow_batch(inputs, before, *size);
  return Unit{};
}

// Gives the constants that hold the batch the new one.
void PlaceholderEditor::follow_batch(const std::vector<uint32_t>& inputs, int64_t before,
                                     int64_t after) {
  const BatchSizes sizes = find_batch_sizes(model_, inputs, before, ops_);
  BatchNodes nodes{model_, inputs[0], after, fresh_, added_};
  for (const BatchSize& each : sizes.found) follow(nodes, each, before);
  for (const KeptSize& each : sizes.kept) warn_of(each);
}

void PlaceholderEditor::follow(BatchNodes& nodes, const BatchSize& size, int64_t before) {
  const auto input = with_batch(nodes, size);
  if (!input) {
    warn_of({size.node, cat(nodes_[size.node].op, " holds ", before,
                            ": what is fed is not known in its loop or branch")});
    return;
  }
  editor(size.node).inputs()[size.input] = *input;
  sized_.insert(size.node);
  changes_.push_back(
      {std::string(nodes_[size.node].name), kSizesChanged,
       cat("the constant ", nodes_[size.constant].name, " holds the batch, ", before), false});
}

void PlaceholderEditor::warn_of(const KeptSize& kept) {
  const std::string_view name = nodes_[kept.node].name;
  diagnostics_.warn("batch-in-constant",
                    cat("'", name, "' stays as it is, with the old batch: ", kept.why),
                    {.node = name});
}

// Returns the nodes that have another shape or other sizes.
std::vector<uint32_t> PlaceholderEditor::changed() const {
  std::set<uint32_t> all = sized_;
  for (const auto& [node, shape] : shapes_) all.insert(node);
  return {all.begin(), all.end()};
}

// Removes the `_output_shapes` of all nodes that a change may reach: old shapes would contradict
// the inferred ones.
void PlaceholderEditor::remove_old_shapes() {
  const std::vector<bool> reached =
      walk_forward(edges_, changed(), [](uint32_t, const Consumer& each) { return !each.control; });
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (reached[i] && find_attr(nodes_[i], "_output_shapes"))
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
  remove_old_shapes();
  Model made = current();
  follow_signatures(made);
  return with_followed_shapes(model_, std::move(made), changed(), ops_);
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
