#include "passes/optimize/small_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/reference.h"
#include "base/same_bits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/pass_through.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "passes/weights/casts.h"
#include "tensor/content.h"
#include "tensor/number.h"
#include "tensor/views/converted_source.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

// Below, the added nodes are larger than what is saved.
constexpr uint64_t kLeastBytes = 1024;

// Biases and variances of channels are vectors: small, and 8 bits for all would spoil them.
constexpr size_t kLeastRank = 2;

// Between a constant and the convolution that takes it.
constexpr int kMaxFollowed = 8;

// A float constant and its place in the graph.
struct LargeConstant {
  uint32_t node = kNoNode;
  Tensor tensor = {};
};

std::vector<LargeConstant> large_constants(const Model& model) {
  std::vector<LargeConstant> all;
  const std::vector<Node>& nodes = model.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != "Const") continue;
    Result<Tensor> tensor =
        read_tensor(tensor_attr(nodes[i], "value").value_or(""), *model.payloads);
    const bool large = tensor && tensor->content.size() >= kLeastBytes;
    if (large) all.push_back({i, std::move(*tensor)});
  }
  return all;
}

// The graph with other nodes for some constants.
class Replacement {
 public:
  explicit Replacement(const Model& model) : model_(model), fresh_(model.graph.index().names()) {}

  // Adds the constant with another content, under a name of its own, which is returned.
  Result<std::string> add_stored(uint32_t node, std::string_view suffix, DType dtype,
                                 const Shape& shape, const Splice& content) {
    const Node& of = model_.graph.nodes()[node];
    TRY(proto, const_tensor(dtype, shape, content, *model_.payloads));
    std::string name = fresh_.take(cat(of.name, "/", suffix));
    NodeEditor editor(of);
    editor.set_name(name).erase_attr("_output_shapes").set_attr("dtype", type_value(dtype));
    added_.push_back(editor.set_attr("value", tensor_value(proto)).finish());
    return name;
  }
  Result<std::string> add_scalar(uint32_t node, std::string_view suffix, float value) {
    std::string content;
    put_fixed32(content, same_bits<uint32_t>(value));
    const Node& of = model_.graph.nodes()[node];
    TRY(proto,
        const_tensor(DType::kFloat, {}, Splice(fresh(std::move(content))), *model_.payloads));
    std::string name = fresh_.take(cat(of.name, "/", suffix));
    // With the same control inputs it is in the same loop or branch.
    NodeEditor editor = constant_node(name, DType::kFloat, proto);
    for (const std::string_view control : of.inputs()) editor.add_input(control);
    added_.push_back(editor.set_device(device_of(of)).finish());
    return name;
  }
  void replace(uint32_t node, NodeEditor& editor) {
    editor.set_device(device_of(model_.graph.nodes()[node]));
    replaced_.emplace(node, editor.finish());
  }

  Model made() const {
    Model made = model_;
    if (!replaced_.empty()) {
      made.graph = with_replaced_nodes(model_.graph, replaced_, added_);
    }
    return made;
  }

 private:
  const Model& model_;
  FreshNames fresh_;
  std::map<uint32_t, std::string> replaced_;
  std::vector<std::string> added_;
};

// The steps of 8 bits, as Dequantize counts them (QuantizedToFloatStruct of
// tensorflow/core/kernels/meta_support or quantization_utils.h).
struct Steps {
  float least = 0;
  float most = 0;
  float step = 0;
  float first = 0;  // the number that 0 stands for: `least`, rounded to a whole number of steps
};

Steps steps_between(double lowest, double highest) {
  Steps steps;
  steps.least = static_cast<float>(std::min(lowest, 0.0));
  steps.most = static_cast<float>(std::max(highest, 0.0));
  steps.step = static_cast<float>((steps.most - steps.least) / 255.0);
  steps.first = std::round(steps.least / steps.step) * steps.step;
  return steps;
}

// Returns the nodes that depthwise convolutions take their weights from: each channel has numbers
// of its own size, and few, so that 8 bits for all would spoil the small ones.
std::set<uint32_t> depthwise_weights(const Graph& graph) {
  std::set<uint32_t> found;
  const std::vector<Node>& nodes = graph.nodes();
  const Edges& edges = graph.index().edges();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].op != "DepthwiseConv2dNative" || edges.inputs(i).size() < 2) continue;
    found.insert(
        skip_pass_through(nodes, edges, edges.inputs(i)[1], kMaxFollowed, is_pass_through).node);
  }
  return found;
}

// Calls `each` with every number of float content. A chunk may end within a number.
template <typename Each>
Status for_each_float(const Splice& content, Each each) {
  std::string rest;
  return content.for_each_chunk([&](std::string_view chunk) -> Status {
    std::string joined;
    if (!rest.empty()) chunk = joined = rest.append(chunk);
    for (; chunk.size() >= 4; chunk.remove_prefix(4)) {
      each(as_double(DType::kFloat, chunk.data()));
    }
    rest = std::string(chunk);
    return Unit{};
  });
}

// nullopt if a number is not finite, or all are 0.
Result<std::optional<Steps>> steps_for(const Splice& content) {
  double lowest = 0;
  double highest = 0;
  bool finite = true;
  CHECK_OK(for_each_float(content, [&](double value) {
    finite = finite && std::isfinite(value);
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }));
  const Steps steps = steps_between(lowest, highest);
  const bool usable = finite && std::isnormal(steps.step);
  return usable ? std::optional(steps) : std::optional<Steps>();
}

ElementConversion conversion_to(const Steps& steps) {
  return {DType::kFloat, 1 / static_cast<double>(steps.step),
          -static_cast<double>(steps.first) / static_cast<double>(steps.step), DType::kUint8,
          DType::kUint8};
}

// The largest |dequantized - value|.
Result<double> largest_change(const Splice& content, const Steps& steps) {
  const double step = steps.step;
  const double first = steps.first;
  double largest = 0;
  CHECK_OK(for_each_float(content, [&](double value) {
    const double count = rounded((value - first) / step, DType::kUint8);
    largest = std::max(largest, std::fabs(count * step + first - value));
  }));
  return largest;
}

}  // namespace

Result<Model> with_cast_constants(const Model& model, const std::vector<std::string>& rules,
                                  GraphChanges& changes, Diagnostics& diagnostics) {
  TRY(casts, Casts::parse(rules));
  const std::vector<Node>& nodes = model.graph.nodes();
  Replacement replacement(model);
  for (const LargeConstant& each : large_constants(model)) {
    const Tensor& tensor = each.tensor;
    if (!casts.applies(tensor.dtype)) continue;
    CheckpointEntry entry{std::string(nodes[each.node].name), tensor.dtype, tensor.shape};
    entry.content = tensor.content;
    const CheckpointEntry cast = casts.cast(entry);
    if (!is_floating(tensor.dtype) || !is_floating(cast.dtype)) {
      return failure("bad-option",
                     cat(OPTION("--cast", "") ": the weights of a graph are cast between floats"),
                     {}, "write it FROM=TO: " SETTING("--cast", "float32=float16"));
    }
    CHECK_OK(casts.measure(entry, entry.key));
    TRY(stored, replacement.add_stored(each.node, dtype_name(cast.dtype), cast.dtype, cast.shape,
                                       cast.content));
    NodeEditor editor(entry.key, "Cast");
    editor.add_input(stored).set_attr("SrcT", type_value(cast.dtype));
    replacement.replace(each.node, editor.set_attr("DstT", type_value(tensor.dtype)));
    changes.push_back({entry.key, kStoredSmaller,
                       cat(dtype_name(tensor.dtype), " stored as ", dtype_name(cast.dtype)), true});
  }
  CHECK_OK(casts.finish(diagnostics));
  return replacement.made();
}

Result<Model> with_quantized_constants(const Model& model, GraphChanges& changes,
                                       Diagnostics& diagnostics) {
  const std::vector<Node>& nodes = model.graph.nodes();
  Replacement replacement(model);
  size_t count = 0;
  double largest = 0;
  std::string changed;
  const std::set<uint32_t> depthwise = depthwise_weights(model.graph);
  for (const LargeConstant& each : large_constants(model)) {
    const Tensor& tensor = each.tensor;
    if (tensor.dtype != DType::kFloat || tensor.shape.dims.size() < kLeastRank) continue;
    if (depthwise.contains(each.node)) continue;
    TRY(steps, steps_for(tensor.content));
    if (!steps) continue;
    TRY(change, largest_change(tensor.content, *steps));
    const std::string name(nodes[each.node].name);
    if (count++ == 0 || change > largest) {
      largest = change;
      changed = name;
    }
    const Splice content(converted(tensor.content, conversion_to(*steps)));
    TRY(stored,
        replacement.add_stored(each.node, "quantized", DType::kQuint8, tensor.shape, content));
    TRY(least, replacement.add_scalar(each.node, "min", steps->least));
    TRY(most, replacement.add_scalar(each.node, "max", steps->most));
    NodeEditor editor(name, "Dequantize");
    editor.add_input(stored).add_input(least).add_input(most);
    editor.set_attr("T", type_value(DType::kQuint8)).set_attr("mode", string_value("MIN_FIRST"));
    replacement.replace(each.node, editor);
    changes.push_back({name, kStoredSmaller, "float32 stored in 8 bits", true});
  }
  if (count == 0) {
    diagnostics.note("weights-quantized",
                     "no weights to quantize: no float32 constant of 1,024 bytes or more and two "
                     "dimensions has a range of numbers");
    return model;
  }
  std::string text;
  print_float(static_cast<float>(largest), text);
  diagnostics.note("weights-quantized",
                   cat(plural(count, "weight"), " quantized to 8 bits; the largest change is ",
                       text, ", in ", quoted(changed)));
  return replacement.made();
}

}  // namespace cryo
