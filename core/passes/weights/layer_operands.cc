#include "passes/weights/layer_operands.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text.h"
#include "graph/op_facts.h"
#include "graph/pass_through.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// So many nodes are looked at on the way back from an operand, and so many steps are taken.
constexpr size_t kMaxNodes = 60;
constexpr int kMaxSteps = 8;
constexpr int kMaxStepsToRoot = 4;

// The dimension of the kernel (input 1) that is the layer's channels, from the end.
struct Layer {
  std::string_view op;
  size_t from_end;
};
constexpr std::array<Layer, 11> kLayers = {{{"MatMul", 1},
                                            {"BatchMatMul", 1},
                                            {"BatchMatMulV2", 1},
                                            {"BatchMatMulV3", 1},
                                            {"Einsum", 1},
                                            {"SparseTensorDenseMatMul", 1},
                                            {"Conv2D", 1},
                                            {"Conv3D", 1},
                                            {"DepthwiseConv2dNative", 1},
                                            {"Conv2DBackpropInput", 2},
                                            {"Conv3DBackpropInputV2", 2}}};

// Returns true for ops between a layer and its bias that keep all elements.
bool changes_form(std::string_view op) {
  return has_fact(op, kPassesOn | kHandsOn | kReshapes | kRearranges) || op == "Cast";
}

bool adds(std::string_view op) { return op == "Add" || op == "AddV2" || op == "Sub"; }

// The size of the one dimension that is not 1; 0 where there are several, or none.
int64_t channels_of(const Shape& shape) {
  int64_t channels = 0;
  for (const int64_t dim : shape.dims) {
    if (dim == 1) continue;
    if (dim < 1 || channels != 0) return 0;
    channels = dim;
  }
  return channels;
}

class Search {
 public:
  Search(const std::vector<Node>& nodes, const Edges& edges, int64_t channels)
      : nodes_(nodes), edges_(edges), channels_(channels) {}

  void from(uint32_t start);

  const Node* root = nullptr;    // an Rsqrt or Sqrt near by
  const Node* direct = nullptr;  // a layer, with nothing but changes of form between
  const Node* layer = nullptr;   // a layer of as many channels

 private:
  struct SearchNode {
    uint32_t node;
    bool is_direct;
  };
  int64_t channels_of_layer(uint32_t node, size_t from_end) const;
  void visit(const SearchNode& place, int step, std::vector<SearchNode>& next);

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  int64_t channels_;
};

// 0 where the kernel's shape is not known.
int64_t Search::channels_of_layer(uint32_t node, size_t from_end) const {
  const auto inputs = edges_.inputs(node);
  if (inputs.size() < 2) return 0;
  const Edge kernel = skip_identities(nodes_, edges_, inputs[1], kMaxSteps);
  if (kernel.node == kNoNode) return 0;
  const std::vector<int64_t> dims = output_shape(nodes_[kernel.node], kernel.port).dims;
  const Node& at = nodes_[node];
  if (at.op == "Einsum" || dims.size() < 2) return 0;
  if (bool_attr(at, "transpose_b").value_or(bool_attr(at, "adj_y").value_or(false))) {
    return dims[dims.size() - 2];
  }
  const int64_t last = dims[dims.size() - from_end];
  return at.op.starts_with("Depthwise") ? last * dims[dims.size() - 2] : last;
}

void Search::visit(const SearchNode& place, int step, std::vector<SearchNode>& next) {
  const Node& node = nodes_[place.node];
  if (node.op == "Rsqrt" || node.op == "Sqrt") {
    if (step < kMaxStepsToRoot && root == nullptr) root = &node;
    return;
  }
  const auto same = [&](const Layer& each) { return each.op == node.op; };
  const auto found = std::find_if(kLayers.begin(), kLayers.end(), same);
  if (found != kLayers.end()) {
    const int64_t channels = channels_of_layer(place.node, found->from_end);
    if (place.is_direct && (channels == 0 || channels == channels_)) direct = &node;
    if (channels == channels_) layer = &node;
    return;
  }
  const bool form = changes_form(node.op);
  if (!form && !has_fact(node.op, kElementwise)) return;
  for (const Edge& input : data_inputs(edges_, place.node)) {
    next.push_back({input.node, place.is_direct && form});
    if (form && node.op != "Merge") break;
  }
}

void Search::from(uint32_t start) {
  std::vector<SearchNode> level = {{start, true}};
  std::unordered_set<uint32_t> seen;
  for (int step = 0; step < kMaxSteps && !level.empty() && seen.size() < kMaxNodes; ++step) {
    std::vector<SearchNode> next;
    for (const SearchNode& place : level) {
      if (seen.insert(place.node).second) visit(place, step, next);
    }
    level = std::move(next);
  }
}

bool feeds(const std::vector<Node>& nodes, const Consumers& consumers, uint32_t node,
           std::string_view op, uint32_t input) {
  const auto of = consumers.of(node);
  return std::any_of(of.begin(), of.end(), [&](const Consumer& each) {
    return !each.control && each.input == input && nodes[each.node].op == op;
  });
}

LayerOperand found(std::string_view what, const Node& node, bool statistics) {
  return {true, statistics, cat(what, " ", node.op, " '", node.name, "'")};
}

}  // namespace

LayerOperand layer_operand(const std::vector<Node>& nodes, const Edges& edges,
                           const Consumers& consumers, uint32_t constant, const Consumer& taker,
                           bool literal) {
  const int64_t channels = channels_of(output_shape(nodes[constant], 0));
  const auto inputs = edges.inputs(taker.node);
  if (channels < 2 || inputs.size() < 2 || taker.input > 1) return {};
  const Node& node = nodes[taker.node];
  const Edge& other = inputs[1 - taker.input];
  if (other.control || other.node == kNoNode) return {};
  if (adds(node.op) && feeds(nodes, consumers, taker.node, "Rsqrt", 0)) {
    return found("variance in", node, true);
  }
  Search search(nodes, edges, channels);
  search.from(other.node);
  if (search.root != nullptr && !literal) {
    // beta - mean * scale
    const bool mean = node.op == "Mul" && feeds(nodes, consumers, taker.node, "Sub", 1);
    return found("normalization, operand of", node, mean);
  }
  if (search.direct != nullptr && adds(node.op) && !(literal && node.op == "Sub")) {
    return found(cat("added by '", node.name, "' to"), *search.direct, false);
  }
  if (search.layer != nullptr && !literal) {
    return found(cat("operand of '", node.name, "', one value a channel of"), *search.layer, false);
  }
  return {};
}

}  // namespace cryo
