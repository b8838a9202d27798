#include "compat/opencv_graph.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "base/text.h"
#include "graph/tensor_info.h"
#include "tensor/content.h"
#include "tensor/values.h"

namespace cryo {
namespace {

struct Pattern {
  const char* fused;  // the op that it becomes
  const char* text;
};

// "Op(a, b)" is a node with these inputs, "x" any node, "m=Op(a)" one that is named again.
constexpr Pattern kPatterns[] = {
    {"FusedBatchNorm",
     "Add(Mul(x, m=Mul(Rsqrt(Add(Const, Const)), Const)), Sub(Const, Mul(Const, m)))"},
    {"FusedBatchNorm", "Add(Mul(x, r=Rsqrt(Add(Const, Const))), Sub(Const, Mul(Const, r)))"},
    {"Flatten", "Reshape(x, Pack(StridedSlice(Const, Const, Const, Const), Const))"},
    {"Flatten", "Reshape(x, Pack(StridedSlice(Shape(x), Const, Const, Const), Const))"},
    {"Softmax", "RealDiv(e=Exp(Sub(x, Max(x, Const))), Sum(e, Const))"},
    {"Reshape",
     "Reshape(x, Pack(StridedSlice(Shape(x), Const, Const, Const), Const, Const, Const))"},
    {"L2Normalize", "Mul(x, Rsqrt(Maximum(Sum(Square(x), Const), Const)))"},
    {"Conv2DBackpropInput",
     "Conv2DBackpropInput(Pack(StridedSlice(s=Shape(x), Const, Const, Const),"
     " Add(Mul(StridedSlice(s, Const, Const, Const), Const), Const),"
     " Add(Mul(StridedSlice(s, Const, Const, Const), Const), Const), Const), Const, x)"},
    {"Conv2DBackpropInput",
     "Conv2DBackpropInput(Pack(StridedSlice(s=Shape(x), Const, Const, Const),"
     " Mul(StridedSlice(s, Const, Const, Const), Const),"
     " Mul(StridedSlice(s, Const, Const, Const), Const), Const), Const, x)"},
    {"ResizeBilinear",
     "ResizeBilinear(x, Pack(Mul(StridedSlice(Shape(y), Const, Const, Const), Const),"
     " Mul(StridedSlice(Shape(y), Const, Const, Const), Const)))"},
    {"ResizeNearestNeighbor",
     "ResizeNearestNeighbor(x, Mul(StridedSlice(Shape(x), Const, Const, Const), Const))"},
    {"ResizeBilinear",
     "ResizeBilinear(x, Mul(StridedSlice(Shape(x), Const, Const, Const), Const))"},
    {"Softmax", "Reshape(Softmax(Reshape(x, Const)), Shape(x))"},
    {"Softmax",
     "Reshape(Softmax(Reshape(x, ConcatV2(Const,"
     " Slice(Shape(x), Pack(Sub(Const, Const)), Const), Const))), Shape(x))"},
    {"MVN",
     "RealDiv(Sub(x, m=Mean(x, Const)),"
     " Pow(Add(Mean(SquaredDifference(x, StopGradient(m)), Const), Const), Const))"},
    {"PReLU", "Add(Relu(x), Mul(Neg(Const), Relu(Neg(x))))"},
    {"PReLU", "Add(Relu(x), Mul(Const, Relu(Neg(x))))"},
    {"Flatten",
     "Reshape(x, Pack(Const, Prod(StridedSlice(Shape(x), Const, Const, Const), Const)))"},
    {"ResizeBilinear",
     "ResizeBilinear(x, Pack("
     "Cast(RealDiv(Cast(StridedSlice(Shape(y), Const, Const, Const)), Const)),"
     " Cast(RealDiv(Cast(StridedSlice(Shape(y), Const, Const, Const)), Const))))"},
    {"ClipByValue", "Maximum(Minimum(x, Const), Const)"},
};

constexpr std::string_view kCommutative[] = {"Add",     "Sum",     "Mul",  "Max",
                                             "Maximum", "Minimum", "Mean", "SquaredDifference"};

bool hands_on_its_input(std::string_view op) {
  return op == "Identity" || op == "PlaceholderWithDefault" || op == "Switch";
}

// A pattern, parsed. The last part is its last node.
class Parts {
 public:
  struct Part {
    std::string_view op = {};  // empty: any node
    std::vector<size_t> inputs = {};
  };
  explicit Parts(std::string_view text) : rest_(text) { root_ = parse(); }
  size_t root() const { return root_; }
  const Part& operator[](size_t place) const { return parts_[place]; }
  size_t size() const { return parts_.size(); }

 private:
  std::string_view take_word() {
    size_t length = 0;
    while (length < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[length]))) {
      ++length;
    }
    const std::string_view word = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return word;
  }

  bool take(std::string_view sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  size_t parse() {
    std::string_view word = take_word();
    if (std::islower(static_cast<unsigned char>(word.front()))) {
      const auto known = std::find(names_.begin(), names_.end(), word);
      if (known != names_.end()) return places_[static_cast<size_t>(known - names_.begin())];
      const size_t place = take("=") ? parse() : add({});
      names_.push_back(word);
      places_.push_back(place);
      return place;
    }
    Part part{word, {}};
    if (take("(")) {
      do {
        part.inputs.push_back(parse());
      } while (take(", "));
      take(")");
    }
    return add(std::move(part));
  }

  size_t add(Part part) {
    parts_.push_back(std::move(part));
    return parts_.size() - 1;
  }

  std::string_view rest_;
  std::vector<Part> parts_;
  std::vector<std::string_view> names_;
  std::vector<size_t> places_;  // of the parts with names
  size_t root_ = 0;
};

// The node that each part of a pattern is; kNoNode for a part that was not reached.
using Match = std::vector<uint32_t>;

class Simplified {
 public:
  explicit Simplified(const Graph& graph) : nodes_(graph.nodes().size()) {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const std::string_view op = graph.nodes()[i].op;
      nodes_[i].op = op == "AddV2" ? "Add" : op;
      nodes_[i].is_removed = hands_on_its_input(op);
      nodes_[i].inputs = inputs_of(graph, i);
    }
    for (OpencvNode& node : nodes_) {
      if (node.is_removed) continue;
      for (OpencvInput& input : node.inputs) input = source_of(input);
    }
  }

  std::vector<OpencvNode> run() {
    std::vector<uint32_t> fused;
    for (const Pattern& pattern : kPatterns) {
      const Parts parts(pattern.text);
      for (uint32_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].is_removed || nodes_[i].op != parts[parts.root()].op) continue;
        Match match(parts.size(), kNoNode);
        if (!matches(parts, parts.root(), i, match)) continue;
        fuse(pattern, parts, i, match);
        match.pop_back();
        fused.insert(fused.end(), match.begin(), match.end());
      }
    }
    remove_unread(std::move(fused));
    return std::move(nodes_);
  }

 private:
  static std::vector<OpencvInput> inputs_of(const Graph& graph, uint32_t index) {
    std::vector<OpencvInput> inputs;
    const auto edges = graph.index().edges().inputs(index);
    for (const std::string_view name : graph.nodes()[index].inputs()) {
      inputs.push_back({edges[inputs.size()], !port_text(name).empty()});
    }
    return inputs;
  }

  // Returns the input that nodes before it hand on.
  OpencvInput source_of(const OpencvInput& input) {
    std::vector<uint32_t> path;
    OpencvInput source = input;
    while (source.node != kNoNode && hands_on_its_input(nodes_[source.node].op)) {
      OpencvNode& node = nodes_[source.node];
      if (node.inputs.empty() || path.size() == nodes_.size()) break;
      path.push_back(source.node);
      source = node.inputs.front();
    }
    for (const uint32_t each : path) nodes_[each].inputs.front() = source;  // it is walked once
    source.control = input.control;
    return source;
  }

  bool matches(const Parts& parts, size_t place, uint32_t index, Match& match) const {
    if (index == kNoNode) return false;
    if (match[place] != kNoNode) return true;
    const Parts::Part& part = parts[place];
    const std::vector<OpencvInput>& inputs = nodes_[index].inputs;
    if (!part.op.empty()) {
      if (nodes_[index].op != part.op || inputs.size() != part.inputs.size()) return false;
    }
    match[place] = index;
    if (is_one_of(part.op, kCommutative)) {
      const Match before = match;
      if (matches(parts, part.inputs[0], inputs[0].node, match) &&
          matches(parts, part.inputs[1], inputs[1].node, match)) {
        return true;
      }
      match = before;
      return matches(parts, part.inputs[1], inputs[0].node, match) &&
             matches(parts, part.inputs[0], inputs[1].node, match);
    }
    for (size_t i = 0; i < part.inputs.size(); ++i) {
      if (!matches(parts, part.inputs[i], inputs[i].node, match)) return false;
    }
    return true;
  }

  void fuse(const Pattern& pattern, const Parts& parts, uint32_t index, const Match& match) {
    OpencvNode& node = nodes_[index];
    node.op = pattern.fused;
    node.is_fused = true;
    node.inputs.clear();
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].op.empty()) node.inputs.push_back({{.node = match[i]}});
      if (parts[i].op == "Const") node.values.push_back(match[i]);
    }
  }

  // Removes nodes of patterns that no node reads, the last of the file first: like in OpenCV, some
  // remain if the file is not sorted.
  void remove_unread(std::vector<uint32_t> fused) {
    std::vector<uint32_t> readers(nodes_.size());
    for (const OpencvNode& node : nodes_) {
      if (node.is_removed) continue;
      for (const Edge& input : node.inputs) {
        if (input.node != kNoNode) ++readers[input.node];
      }
    }
    std::sort(fused.rbegin(), fused.rend());
    for (const uint32_t index : fused) {
      OpencvNode& node = nodes_[index];
      if (readers[index] > 0 || node.is_removed) continue;
      node.is_removed = true;
      for (const Edge& input : node.inputs) {
        if (input.node != kNoNode) --readers[input.node];
      }
    }
  }

  std::vector<OpencvNode> nodes_;
};

constexpr uint64_t kMaxNumbers = 16;  // more than any rule looks at

OpencvConstant read_constant(const Node& node, const Payloads& payloads) {
  OpencvConstant constant;
  const auto proto = tensor_attr(node, "value");
  if (!proto) return constant;
  const auto tensor = read_tensor(*proto, payloads);
  if (!tensor) return constant;
  constant.dtype = tensor->dtype;
  constant.shape = tensor->shape;
  constant.elements = tensor->count;
  const auto values = stored_values(*proto, payloads, tensor->dtype);
  if (!values) return constant;
  constant.stored = values->count;
  constant.in_content = values->in_content;
  if (tensor->dtype != DType::kInt32 || tensor->count > kMaxNumbers) return constant;
  if (auto numbers = integers_of(*tensor)) {
    constant.numbers = std::move(*numbers);
    if (constant.numbers.size() > values->count) {
      constant.numbers.resize(static_cast<size_t>(values->count));
    }
  }
  return constant;
}

}  // namespace

OpencvGraph::OpencvGraph(const Graph& graph, const Payloads& payloads, const TensorShapes& shapes)
    : graph_(graph),
      payloads_(payloads),
      shapes_(shapes),
      nodes_(Simplified(graph).run()),
      readers_(nodes_.size()) {
  for (uint32_t i = 0; i < size(); ++i) {
    if (nodes_[i].is_removed) continue;
    for (const OpencvInput& input : nodes_[i].inputs) {
      if (input.node != kNoNode && !input.control) readers_[input.node].push_back(i);
    }
    if (nodes_[i].op != "Placeholder") continue;
    Shape shape = output_shape(definition(i), 0);
    if (shape.dims.empty()) continue;
    has_shaped_input_ = has_shaped_input_ || is_fully_defined(shape);
    shape.dims[0] = 1;
    has_shaped_batch_ = has_shaped_batch_ || is_fully_defined(shape);
  }
}

std::optional<size_t> OpencvGraph::rank(uint32_t node, size_t place) const {
  const auto edges = graph_.index().edges().inputs(node);
  if (place >= edges.size()) return std::nullopt;
  const auto shape = shapes_.find({edges[place].node, edges[place].port});
  if (shape == shapes_.end() || shape->second.unknown_rank) return std::nullopt;
  return shape->second.dims.size();
}

const OpencvConstant& OpencvGraph::constant(uint32_t node) const {
  const auto [found, is_new] = constants_.try_emplace(node);
  if (!is_new) return found->second;
  const std::vector<OpencvInput>& inputs = nodes_[node].inputs;
  const bool is_packed = nodes_[node].op == "Dequantize";
  const bool has_bytes = is_packed && !inputs.empty() && inputs[0].node != kNoNode;
  found->second = read_constant(definition(has_bytes ? inputs[0].node : node), payloads_);
  if (is_packed) found->second.dtype = DType::kFloat;
  return found->second;
}

}  // namespace cryo
