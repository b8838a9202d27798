#include "passes/edit/batch_sizes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "graph/analysis/frames.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"
#include "model/model_ops.h"
#include "tensor/content.h"
#include "validate/inferred_shapes.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Sizes with which shapes are inferred: such as no graph has by accident.
constexpr int64_t kProbes[] = {10'007, 10'009};

// The most elements of rows that are compared.
constexpr uint64_t kMaxRows = 1 << 16;

// The most times that all shapes are inferred.
constexpr int kMaxTries = 200;

// An input that takes sizes of which the first may be a batch. `data`: the input whose own batch it
// then is; none if there is no such.
struct SizeInput {
  std::string_view op;
  uint32_t input;
  std::optional<uint32_t> data = std::nullopt;
};

constexpr SizeInput kSizeInputs[] = {
    {"BroadcastTo", 1},
    {"Conv2DBackpropInput", 0, 2},
    {"Conv3DBackpropInputV2", 0, 2},
    {"DepthwiseConv2dNativeBackpropInput", 0, 2},
    {"Fill", 0},
    {"RandomStandardNormal", 0},
    {"RandomUniform", 0},
    {"Range", 1},
    {"Reshape", 1, 0},
    {"ScatterNd", 2},
    {"Slice", 2, 0},
    {"StridedSlice", 2, 0},
    {"Tile", 1},
    {"TruncatedNormal", 0},
};

const SizeInput* size_input(std::string_view op) {
  const auto* found = std::find_if(std::begin(kSizeInputs), std::end(kSizeInputs),
                                   [&](const SizeInput& each) { return each.op == op; });
  return found == std::end(kSizeInputs) ? nullptr : found;
}

// A graph, and what is tried on it.
struct Trial {
  const Model& model;
  const OpRegistry& ops;
  const std::vector<uint32_t>& inputs;
  int64_t before;
  int64_t probe;
  std::vector<size_t> positions;  // of nodes: each is after its inputs
  int tries = 0;

  const std::vector<Node>& nodes() const { return model.graph.nodes(); }
  const Edges& edges() const { return model.graph.index().edges(); }
};

using Constants = std::vector<BatchSize>;

std::optional<KnownTensor> sizes_of(const Trial& trial, uint32_t constant) {
  const auto tensor = read_tensor(tensor_attr(trial.nodes()[constant], "value").value_or(""),
                                  *trial.model.payloads);
  auto known = tensor ? read_known(*tensor, kMaxDims) : std::nullopt;
  const bool is_sizes = known && known->dims.size() < 2 && !known->whole.empty() &&
                        (known->dtype == DType::kInt32 || known->dtype == DType::kInt64);
  return is_sizes ? std::move(known) : std::nullopt;
}

bool has_equal_rows(const Trial& trial, uint32_t constant) {
  const auto tensor = read_tensor(tensor_attr(trial.nodes()[constant], "value").value_or(""),
                                  *trial.model.payloads);
  if (!tensor || tensor->shape.dims.empty() || tensor->shape.dims[0] != trial.before) return false;
  if (tensor->count == 0 || tensor->count > kMaxRows || tensor->dtype == DType::kString)
    return false;
  const auto bytes = tensor->content.read_all();
  if (!bytes) return false;
  const size_t row = bytes->size() / static_cast<size_t>(trial.before);
  return bytes->substr(row) == bytes->substr(0, bytes->size() - row);
}

// Returns how many batches a size is; nullopt if it is not a number of them.
std::optional<int64_t> batches(std::string_view op, int64_t size, int64_t before) {
  if (size == before) return 1;
  const bool is_product = op == "Reshape" && size > 0 && size % before == 0;
  return is_product ? std::optional(size / before) : std::nullopt;
}

// Returns all constants that may hold the batch.
Constants candidates(const Trial& trial) {
  Constants found;
  for (uint32_t i = 0; i < trial.nodes().size(); ++i) {
    const std::string_view op = trial.nodes()[i].op;
    const SizeInput* sizes = size_input(op);
    const auto inputs = trial.edges().inputs(i);
    for (uint32_t place = 0; place < inputs.size(); ++place) {
      const Edge& edge = inputs[place];
      if (edge.control || edge.node == kNoNode || trial.nodes()[edge.node].op != "Const") continue;
      BatchSize each{i, place, edge.node};
      if (sizes != nullptr && sizes->input == place) {
        auto value = sizes_of(trial, edge.node);
        const auto factor = value ? batches(op, value->whole[0], trial.before) : std::nullopt;
        if (!factor) continue;
        each.factor = *factor;
        each.value = std::move(*value);
      } else if (has_equal_rows(trial, edge.node)) {
        each.is_rows = true;
      } else {
        continue;
      }
      found.push_back(std::move(each));
    }
  }
  return found;
}

// Returns the value of an AttrValue with the constant for another batch.
std::string value_with(const Trial& trial, const BatchSize& of) {
  if (of.is_rows) {
    const Node& constant = trial.nodes()[of.constant];
    Shape shape = output_shape(constant, 0);
    shape.dims[0] = trial.probe;
    const auto dtype = static_cast<DType>(type_attr(constant, "dtype").value_or(0));
    return tensor_value(tensor_of_zeros(dtype, shape));
  }
  KnownTensor value = of.value;
  value.whole[0] = of.factor * trial.probe;
  std::string tensor = tensor_of_zeros(value.dtype, {false, value.dims});
  put_bytes_field(tensor, fields::TensorProto::kTensorContent, content_of(value));
  return tensor_value(tensor);
}

// Returns the model with the probe as the batch of the inputs and of some constants, without noted
// shapes.
Model with_probe(const Trial& trial, const Constants& of) {
  std::map<uint32_t, NodeEditor> edited;
  const auto editor = [&](uint32_t node) -> NodeEditor& {
    return edited.try_emplace(node, trial.nodes()[node]).first->second;
  };
  for (uint32_t i = 0; i < trial.nodes().size(); ++i) {
    if (find_attr(trial.nodes()[i], "_output_shapes")) editor(i).erase_attr("_output_shapes");
  }
  for (const uint32_t input : trial.inputs) {
    Shape shape = output_shape(trial.nodes()[input], 0);
    shape.dims[0] = trial.probe;
    editor(input).set_attr("shape", shape_value(shape_message(shape)));
  }
  std::vector<std::string> added;
  for (const BatchSize& each : of) {
    const std::string name = cat("batch size ", added.size());  // a name that no node has
    NodeEditor constant(trial.nodes()[each.constant]);
    constant.set_name(name).erase_attr("_output_shapes").set_attr("value", value_with(trial, each));
    added.push_back(constant.finish());
    editor(each.node).inputs()[each.input] = name;
  }
  std::map<uint32_t, std::string> replaced;
  for (const auto& [node, each] : edited) replaced.emplace(node, each.finish());
  Model made = trial.model;
  made.graph = with_replaced_nodes(trial.model.graph, replaced, added);
  return made;
}

using Faults = std::map<uint32_t, std::string>;

// Returns the nodes whose shapes do not fit, with TensorFlow's words.
Faults misfits(Trial& trial, const Constants& of) {
  ++trial.tries;
  const Model made = with_probe(trial, of);
  const GraphVerdict found =
      check_graph(made.graph, with_model_ops(made, trial.ops), *made.payloads);
  Faults faults;
  for (const Diagnostic& each : found.diagnostics.all()) {
    const uint32_t node = trial.model.graph.index().names().find(each.where.node);
    if (each.code == "shape-mismatch" && node != kNoNode) faults.emplace(node, each.message);
  }
  return faults;
}

// Returns true if a node fits, and not because one before it does not.
bool is_fixed(const Trial& trial, uint32_t node, const Faults& before, const Faults& after) {
  return !after.contains(node) && std::all_of(after.begin(), after.end(), [&](const auto& each) {
    return before.contains(each.first) || trial.positions[each.first] > trial.positions[node];
  });
}

// Returns the first size of the data that a node takes sizes for; nullopt if it has none.
std::optional<int64_t> first_size(const Trial& trial, const BatchSize& of,
                                  const TensorShapes& shapes) {
  const SizeInput* sizes = size_input(trial.nodes()[of.node].op);
  const auto inputs = trial.edges().inputs(of.node);
  if (of.is_rows || sizes == nullptr || !sizes->data || *sizes->data >= inputs.size()) {
    return std::nullopt;
  }
  const Edge& data = inputs[*sizes->data];
  const auto found = shapes.find({data.node, data.port});
  if (found == shapes.end()) return std::nullopt;
  if (found->second.unknown_rank) return kUnknownDim;
  return found->second.dims.empty() ? std::nullopt : std::optional(found->second.dims[0]);
}

// Returns the shapes of the data inputs of nodes, with the probe.
TensorShapes data_shapes(const Trial& trial, const Constants& left, const Constants& found) {
  TensorShapes shapes;
  for (const BatchSize& each : left) {
    const SizeInput* sizes = size_input(trial.nodes()[each.node].op);
    const auto inputs = trial.edges().inputs(each.node);
    if (sizes == nullptr || !sizes->data || *sizes->data >= inputs.size()) continue;
    const Edge& data = inputs[*sizes->data];
    if (!data.control && data.node != kNoNode) shapes[{data.node, data.port}] = Shape{true, {}};
  }
  return inferred_shapes(with_probe(trial, found), &trial.ops, std::move(shapes));
}

// A part of a batch of one, as its first row, is no sign.
bool is_plain_slice(const Trial& trial, const BatchSize& of) {
  const std::string_view op = trial.nodes()[of.node].op;
  return trial.before == 1 && (op == "Slice" || op == "StridedSlice");
}

void move_at(Constants& from, size_t place, Constants& to) {
  to.push_back(std::move(from[place]));
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(place));
}

// Finds those whose data begins with the batch. Returns true if there is one.
bool find_by_data(const Trial& trial, Constants& left, Constants& found) {
  const TensorShapes shapes = data_shapes(trial, left, found);
  const size_t before = found.size();
  for (size_t i = 0; i < left.size();) {
    const bool is_whole = left[i].factor == 1 && !is_plain_slice(trial, left[i]);
    if (is_whole && first_size(trial, left[i], shapes) == trial.probe) {
      move_at(left, i, found);
    } else {
      ++i;
    }
  }
  return found.size() > before;
}

// Moves those to `found` with which a node fits: one, or all that are needed together. Returns true
// if there is one. `left`: what the node may depend on.
bool fix_misfit(Trial& trial, uint32_t node, const Faults& faults, Constants& left,
                Constants& found) {
  const auto fits = [&](const Constants& with) {
    Constants all = found;
    all.insert(all.end(), with.begin(), with.end());
    return trial.tries < kMaxTries && is_fixed(trial, node, faults, misfits(trial, all));
  };
  for (size_t i = 0; i < left.size(); ++i) {
    if (!fits({left[i]})) continue;
    move_at(left, i, found);
    return true;
  }
  if (left.size() < 2 || !fits(left)) return false;
  Constants needless;
  for (size_t i = 0; i < left.size();) {
    Constants without = left;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits(without)) {
      move_at(left, i, needless);
    } else {
      ++i;
    }
  }
  found.insert(found.end(), left.begin(), left.end());
  left = std::move(needless);
  return true;
}

// Finds those without which shapes do not fit. Returns true if there is one.
bool find_by_misfits(Trial& trial, Constants& left, Constants& found) {
  const Faults faults = misfits(trial, found);
  for (const auto& [node, fault] : faults) {
    const std::vector<uint32_t> start = {node};
    const NodeSet above = walk_back(trial.edges(), start, kDataEdge);
    const auto others = std::stable_partition(
        left.begin(), left.end(), [&](const BatchSize& each) { return above[each.node]; });
    Constants near(left.begin(), others);
    left.erase(left.begin(), others);
    const bool is_fixed = fix_misfit(trial, node, faults, near, found);
    left.insert(left.end(), near.begin(), near.end());
    if (is_fixed) return true;
  }
  return false;
}

std::string held_text(const Trial& trial, const BatchSize& of) {
  const bool is_first = !of.value.dims.empty();
  return cat(trial.nodes()[of.node].op, is_first ? " takes sizes that begin with " : " counts to ",
             trial.before);
}

// Names what stays as it is.
std::vector<KeptSize> kept(Trial& trial, const Constants& left, const Constants& found) {
  std::vector<KeptSize> all;
  std::set<uint32_t> named;
  for (const auto& [node, fault] : misfits(trial, found)) {
    named.insert(node);
    all.push_back({node, cat(trial.nodes()[node].op, " takes no other batch: ", fault)});
  }
  const TensorShapes shapes = data_shapes(trial, left, found);
  for (const BatchSize& each : left) {
    if (each.is_rows || each.factor != 1 || is_plain_slice(trial, each)) continue;
    const auto data = first_size(trial, each, shapes);
    const bool is_unknown = data == kUnknownDim;
    // Nearly every graph has sizes of one. What begins with another size is no batch.
    if (!is_unknown && (trial.before == 1 || data)) continue;
    if (!named.insert(each.node).second) continue;
    all.push_back({each.node, cat(held_text(trial, each),
                                  is_unknown ? ": the shape before it is not known"
                                             : ": no shape in the graph depends on it")});
  }
  return all;
}

// Returns the position of each node in an order in which it is after its inputs.
std::vector<size_t> positions_in(const Graph& graph) {
  const GraphIndex& index = graph.index();
  std::vector<size_t> positions(graph.nodes().size());
  size_t next = 0;
  for (const uint32_t node : find_frames(graph.nodes(), index.edges(), index.consumers()).order) {
    positions[node] = next++;
  }
  return positions;
}

}  // namespace

BatchSizes find_batch_sizes(const Model& model, const std::vector<uint32_t>& inputs, int64_t before,
                            const OpRegistry* ops) {
  if (ops == nullptr || before <= 0) return {};
  Trial trial{model,
              *ops,
              inputs,
              before,
              kProbes[before == kProbes[0] ? 1 : 0],
              positions_in(model.graph)};
  Constants left = candidates(trial);
  Constants found;
  while (find_by_data(trial, left, found) || find_by_misfits(trial, left, found)) {
  }
  std::vector<KeptSize> others = kept(trial, left, found);
  return {std::move(found), std::move(others)};
}

}  // namespace cryo
