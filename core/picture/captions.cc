#include "picture/captions.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "picture/glyphs.h"
#include "picture/groups/labels.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

constexpr double kNarrowest = 72;
constexpr double kWidest = 220;
constexpr uint32_t kMaxLines = 4;  // parameters that are drawn
constexpr size_t kMaxOps = 3;      // that a small group lists
constexpr size_t kMaxText = 500;   // bytes of a label

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool is_sink(const GroupTree& tree, uint32_t node) {
  return tree.scene().consumers().of(node).empty();
}

std::string tensor_text(DType dtype, const Shape& shape) {
  const std::string text = dtype_name(base(dtype));
  return shape.unknown_rank ? text : cat(text, " ", to_text(shape));
}

// The type and shape of an input or a weight.
std::string tensor_text_of(const Node& node) {
  const StoredTensor tensor = node.op == "_Arg" ? StoredTensor() : stored_tensor(node);
  return tensor.dtype == DType::kInvalid ? "" : tensor_text(tensor.dtype, tensor.shape);
}

// "3×3, stride 2" of a convolution.
std::string window_text(const Node& node, const std::vector<Parameter>& parameters) {
  std::string text;
  if (!parameters.empty() && parameters[0].shape.dims.size() == 4) {
    const auto& dims = parameters[0].shape.dims;
    text = cat(dims[0], "×", dims[1]);
  } else if (const auto ksize = find_attr(node, "ksize")) {
    const std::vector<int64_t> sizes = AttrValue(*ksize).integers();
    const bool channels_first = string_attr(node, "data_format") == "NCHW";
    if (sizes.size() == 4)
      text = cat(sizes[channels_first ? 2 : 1], "×", sizes[channels_first ? 3 : 2]);
  }
  int64_t stride = 1;
  if (const auto strides = find_attr(node, "strides")) {
    for (const int64_t each : AttrValue(*strides).integers()) stride = std::max(stride, each);
  }
  if (stride > 1) text += cat(text.empty() ? "" : ", ", "stride ", stride);
  return text;
}

// `name`: the node's, within its group.
std::string detail_of(const Node& node, std::string_view name,
                      const std::vector<Parameter>& parameters) {
  const bool slides = node.op.find("Conv") != std::string_view::npos ||
                      node.op.find("Pool") != std::string_view::npos;
  if (slides) {
    const std::string window = window_text(node, parameters);
    if (!window.empty()) return window;
  }
  const size_t slash = name.rfind('/');
  if (!is_name_of_op(last_part(name), node.op)) return std::string(last_part(name));
  return slash == std::string_view::npos ? std::string() : std::string(name.substr(0, slash));
}

void add_parameters(const GroupTree& tree, const std::vector<uint32_t>& nodes, Box& box) {
  std::vector<Parameter> rest;
  for (const uint32_t each : nodes) {
    const Node& node = tree.scene().node(each);
    if (!is_stored(node)) continue;
    const StoredTensor tensor = stored_tensor(node);
    Parameter parameter{tree.node_name(each), tensor.dtype, tensor.shape};
    (is_weight(node, tensor) ? box.parameters : rest).push_back(std::move(parameter));
  }
  box.shown_parameters = std::min(static_cast<uint32_t>(box.parameters.size()), kMaxLines);
  box.parameters.insert(box.parameters.end(), rest.begin(), rest.end());
}

// The ops of a small group, in data-flow order; the number of nodes of others.
std::string group_detail(const GroupTree& tree, uint32_t group) {
  const std::vector<uint32_t>& units = tree.units(group);
  const bool small =
      units.size() <= kMaxOps &&
      std::all_of(units.begin(), units.end(), [&](uint32_t unit) { return tree.is_node(unit); });
  if (!small) return plural(tree.groups()[group].nodes, "node");
  std::vector<std::string> ops;
  for (const uint32_t unit : units) ops.emplace_back(tree.scene().node(unit).op);
  return join(ops, " · ");
}

// Widths from the texts; texts that are too long are cut.
void fit(Box& box) {
  const double most = kWidest - 2 * kTextInset;
  box.label = elided(printable(box.label, kMaxText), TextStyle::kTitle, most);
  box.detail = elided(printable(box.detail, kMaxText), TextStyle::kDetail, most);
  double width = text_width(box.label, TextStyle::kTitle);
  width = std::max(width, text_width(box.detail, TextStyle::kDetail));
  for (uint32_t i = 0; i < box.shown_parameters; ++i) {
    width = std::max(
        width, std::min(most, text_width(parameter_text(box.parameters[i]), TextStyle::kDetail)));
  }
  box.w = std::ceil(std::clamp(width + 2 * kTextInset, kNarrowest, kWidest));
  box.h = kTitleHeight + (box.detail.empty() ? 0 : kDetailHeight);
  if (box.shown_parameters > 0) box.h += 4 + kLineHeight * box.shown_parameters;
}

}  // namespace

std::string parameter_text(const Parameter& parameter) {
  const std::string shape = parameter.shape.unknown_rank ? "" : cat(" ", to_text(parameter.shape));
  return cat(last_part(parameter.name), shape);
}

void caption_node(const GroupTree& tree, uint32_t at, const std::vector<uint32_t>& hosted,
                  Box& box) {
  const Node& node = tree.scene().node(at);
  box.name = tree.node_name(at);
  box.op = std::string(node.op);
  add_parameters(tree, hosted, box);
  const bool is_input = is_placeholder(node.op);
  const std::string_view title = tree.ways().title(at);
  box.is_end = is_input || tree.ways().outputs[at] ||
               (is_sink(tree, at) && node.op != "NoOp" && !is_stored(node));
  if (!title.empty()) {
    box.label = title;
    box.detail = is_input ? tensor_text_of(node) : box.op;
  } else if (is_input || is_stored(node)) {
    box.label = std::string(last_part(node.name));
    box.detail = tensor_text_of(node);
  } else if (box.is_end && !is_name_of_op(last_part(node.name), node.op)) {
    box.label = std::string(last_part(node.name));
    box.detail = box.op;
  } else {
    box.label = box.op;
    box.detail = detail_of(node, tree.short_name(at), box.parameters);
  }
  fit(box);
}

void caption_group(const GroupTree& tree, uint32_t group, const std::vector<uint32_t>& hosted,
                   Box& box) {
  if (!box.is_open) add_parameters(tree, hosted, box);
  const Group& of = tree.groups()[group];
  box.name = tree.name(group);
  box.label = tree.label(group);
  if (box.label.empty()) box.label.assign(1, '/');
  if (of.is_stack) {
    box.repeats = tree.repeats(group);
    box.detail = cat("× ", box.repeats, ", ", plural(of.nodes, "node"));
  } else {
    box.detail = group_detail(tree, group);
  }
  if (box.bytes > 0) box.detail += cat(", ", human_bytes(box.bytes));
  fit(box);
}

double open_width(const Box& box) {
  return std::ceil(text_width(box.label, TextStyle::kTitle) + 4 * kTextInset);
}

}  // namespace cryo
