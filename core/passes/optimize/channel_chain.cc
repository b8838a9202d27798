#include "passes/optimize/channel_chain.h"

#include <algorithm>
#include <cmath>

#include "graph/op_facts.h"
#include "graph/pass_through.h"

namespace cryo {
namespace {

constexpr int kMaxReads = 4;
constexpr float kUsualEpsilon = 0.0001F;  // the ops' default

bool is_batch_norm(std::string_view op) { return has_fact(op, kBatchNorm); }

// Returns true if channels are the last dimension (NHWC, NDHWC); nullopt for formats other than
// those and NCHW, NCDHW.
std::optional<bool> has_channels_last(const Node& node) {
  const std::string_view format = string_attr(node, "data_format").value_or("NHWC");
  if (format == "NHWC" || format == "NDHWC") return true;
  return format == "NCHW" || format == "NCDHW" ? std::optional(false) : std::nullopt;
}

class ChainWalk {
 public:
  ChainWalk(const Layer& layer, const Graph& graph, const KnownTensors& known,
            const KeptNodes& kept)
      : layer_(layer),
        nodes_(graph.nodes()),
        edges_(graph.index().edges()),
        known_(known),
        kept_(kept) {
    chain_.last = layer.node;
    chain_.scale.assign(layer.channels, 1);
    chain_.offset.assign(layer.channels, 0);
  }

  // Adds a consumer of the chain's last node; false if it is no such step.
  bool take(const Consumer& consumer);
  const ChannelChain& chain() const { return chain_; }

 private:
  using Numbers = std::vector<double>;

  const Numbers* vector_of(const Edge& tensor) const;
  std::optional<Numbers> by_channel(const Edge& tensor) const;
  bool step(uint32_t node, uint32_t input);
  bool arithmetic(uint32_t node, uint32_t input);
  bool batch_norm(uint32_t node);
  bool global_batch_norm(uint32_t node);
  std::vector<const Numbers*> normalizers(uint32_t node) const;
  bool normalize(const Numbers& mean, const Numbers& variance, double epsilon, const Numbers& gamma,
                 const Numbers& beta);
  bool bias(uint32_t node);

  const Layer& layer_;
  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const KnownTensors& known_;
  const KeptNodes& kept_;
  ChannelChain chain_;
};

// Returns a vector with a number for each channel; nullptr for any other tensor.
const std::vector<double>* ChainWalk::vector_of(const Edge& tensor) const {
  const KnownTensor* known = known_.of(tensor);
  const bool fits =
      known != nullptr && known->dims.size() == 1 && known->real.size() == layer_.channels;
  return fits ? &known->real : nullptr;
}

// Returns what is broadcast to a number for each channel: a scalar, or a tensor whose only
// dimension other than 1 is that of the channels.
std::optional<std::vector<double>> ChainWalk::by_channel(const Edge& tensor) const {
  const KnownTensor* known = known_.of(tensor);
  if (known == nullptr || !known->is_real() || known->dims.size() > layer_.rank) {
    return std::nullopt;
  }
  if (known->real.size() == 1) return Numbers(layer_.channels, known->real[0]);
  if (known->real.size() != layer_.channels) return std::nullopt;
  const size_t from_end = layer_.channels_last ? 1 : layer_.rank - 1;
  if (known->dims.size() < from_end) return std::nullopt;
  const int64_t dim = known->dims[known->dims.size() - from_end];
  if (static_cast<size_t>(dim) != layer_.channels) return std::nullopt;
  return known->real;
}

bool ChainWalk::take(const Consumer& consumer) {
  const auto inputs = edges_.inputs(consumer.node);
  const bool waits =
      std::any_of(inputs.begin(), inputs.end(), [](const Edge& input) { return input.control; });
  if (waits || consumer.port != 0 || !step(consumer.node, consumer.input)) return false;
  chain_.last = consumer.node;
  return true;
}

bool ChainWalk::step(uint32_t node, uint32_t input) {
  const std::string_view op = nodes_[node].op;
  if (is_batch_norm(op)) return input == 0 && batch_norm(node);
  if (op == "BatchNormWithGlobalNormalization") return input == 0 && global_batch_norm(node);
  if (op == "BiasAdd" || op == "BiasAddV1") return input == 0 && bias(node);
  return op == "Identity" || arithmetic(node, input);
}

bool ChainWalk::bias(uint32_t node) {
  const auto inputs = edges_.inputs(node);
  // A matrix has its channels last in every format.
  const bool fits = layer_.rank == 2 || has_channels_last(nodes_[node]) == layer_.channels_last;
  const Numbers* added = inputs.size() == 2 ? vector_of(inputs[1]) : nullptr;
  if (!fits || added == nullptr) return false;
  for (size_t i = 0; i < layer_.channels; ++i) chain_.offset[i] += (*added)[i];
  return true;
}

bool ChainWalk::arithmetic(uint32_t node, uint32_t input) {
  const std::string_view op = nodes_[node].op;
  const auto inputs = edges_.inputs(node);
  if (inputs.size() != 2 || input > 1) return false;
  const auto other = by_channel(inputs[1 - input]);
  if (!other) return false;
  const bool adds = op == "Add" || op == "AddV2";
  const bool divides = (op == "RealDiv" || op == "Div") && input == 0;
  if (!adds && !divides && op != "Sub" && op != "Mul") return false;
  for (size_t i = 0; i < layer_.channels; ++i) {
    const double number = (*other)[i];
    double& scale = chain_.scale[i];
    double& offset = chain_.offset[i];
    if (adds) {
      offset += number;
    } else if (op == "Mul") {
      scale *= number;
      offset *= number;
    } else if (divides) {
      scale /= number;
      offset /= number;
    } else {
      const double sign = input == 0 ? 1 : -1;
      scale *= sign;
      offset = sign * (offset - number);
    }
  }
  chain_.scales = chain_.scales || op == "Mul" || divides;
  return true;
}

// The four vectors of a normalization, its inputs 1 to 4; empty if one is not known, or if another
// of its outputs is used.
std::vector<const std::vector<double>*> ChainWalk::normalizers(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  const auto consumers = edges_.consumers().of(node);
  const bool gives_more = kept_.has_further_outputs(node) ||
                          std::any_of(consumers.begin(), consumers.end(), [](const Consumer& each) {
                            return !each.control && each.port > 0;
                          });
  if (inputs.size() != 5 || gives_more) return {};
  std::vector<const Numbers*> vectors;
  for (const Edge& input : inputs.subspan(1)) {
    vectors.push_back(vector_of(input));
    if (vectors.back() == nullptr) return {};
  }
  return vectors;
}

bool ChainWalk::normalize(const Numbers& mean, const Numbers& variance, double epsilon,
                          const Numbers& gamma, const Numbers& beta) {
  for (size_t i = 0; i < layer_.channels; ++i) {
    const double factor = gamma[i] / std::sqrt(variance[i] + epsilon);
    chain_.scale[i] *= factor;
    chain_.offset[i] = (chain_.offset[i] - mean[i]) * factor + beta[i];
  }
  return chain_.scales = true;
}

bool ChainWalk::batch_norm(uint32_t node) {
  const Node& of = nodes_[node];
  if (bool_attr(of, "is_training").value_or(true)) return false;
  if (has_channels_last(of) != layer_.channels_last) return false;
  const auto vectors = normalizers(node);  // gamma, beta, mean, variance
  const double epsilon = float_attr(of, "epsilon").value_or(kUsualEpsilon);
  return !vectors.empty() && normalize(*vectors[2], *vectors[3], epsilon, *vectors[0], *vectors[1]);
}

bool ChainWalk::global_batch_norm(uint32_t node) {
  const Node& of = nodes_[node];
  const auto vectors = normalizers(node);  // mean, variance, beta, gamma
  if (vectors.empty() || !layer_.channels_last) return false;
  const bool scales = bool_attr(of, "scale_after_normalization").value_or(false);
  const double epsilon = float_attr(of, "variance_epsilon").value_or(0);
  const Numbers gamma = scales ? *vectors[3] : Numbers(layer_.channels, 1);
  return normalize(*vectors[0], *vectors[1], epsilon, gamma, *vectors[2]);
}

// Larger factors could make weights infinite, and are no normalization's.
constexpr double kMaxFactor = 1e12;

bool is_moderate(const ChannelChain& chain) {
  const auto moderate = [](double value) { return std::fabs(value) <= kMaxFactor; };
  return std::all_of(chain.scale.begin(), chain.scale.end(), moderate) &&
         std::all_of(chain.offset.begin(), chain.offset.end(), moderate);
}

}  // namespace

std::optional<Layer> layer_at(const Graph& graph, const Payloads& payloads, uint32_t node) {
  const Node& of = graph.nodes()[node];
  const auto inputs = graph.index().edges().inputs(node);
  const bool matrix = of.op == "MatMul";
  const bool depthwise = of.op == "DepthwiseConv2dNative";
  if (!matrix && !depthwise && of.op != "Conv2D" && of.op != "Conv3D") return std::nullopt;
  if (inputs.size() < 2 || inputs[1].control) return std::nullopt;
  const Edge weights = skip_identities(graph.nodes(), graph.index().edges(), inputs[1], kMaxReads);
  if (weights.node == kNoNode || graph.nodes()[weights.node].op != "Const") return std::nullopt;
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(graph.nodes()[weights.node], "value").value_or(""), payloads);
  const size_t rank = matrix ? 2 : of.op == "Conv3D" ? 5 : 4;
  if (!tensor || tensor->shape.dims.size() != rank || tensor->count == 0) return std::nullopt;
  if (tensor->dtype != DType::kFloat && tensor->dtype != DType::kDouble) return std::nullopt;
  const std::vector<int64_t>& dims = tensor->shape.dims;
  Layer layer{node, weights.node, tensor->dtype, static_cast<size_t>(dims.back())};
  layer.rank = rank;
  if (depthwise) layer.channels *= static_cast<size_t>(dims[2]);
  if (matrix && bool_attr(of, "transpose_b").value_or(false)) {
    layer.channels = static_cast<size_t>(dims[0]);
    layer.inner = static_cast<uint64_t>(dims[1]);
  }
  const auto last = matrix ? std::optional(true) : has_channels_last(of);
  if (!last) return std::nullopt;
  layer.channels_last = *last;
  return layer;
}

ChannelChain chain_after(const Layer& layer, const Graph& graph, const KnownTensors& known,
                         const KeptNodes& kept) {
  ChainWalk walk(layer, graph, known, kept);
  ChannelChain chain = walk.chain();
  while (!kept.has(walk.chain().last)) {
    const auto consumers = graph.index().consumers().of(walk.chain().last);
    if (consumers.size() != 1 || consumers[0].control || !walk.take(consumers[0])) break;
    if (!is_moderate(walk.chain())) break;
    chain = walk.chain();
  }
  return chain;
}

}  // namespace cryo
