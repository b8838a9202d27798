#pragma once

#include <optional>
#include <vector>

#include "passes/optimize/known_tensors.h"
#include "passes/prune/kept_nodes.h"

namespace cryo {

// A layer whose outputs are linear in weights of one channel each.
struct Layer {
  uint32_t node = kNoNode;
  uint32_t weights = kNoNode;     // the Const
  DType dtype = DType::kInvalid;  // float or double
  size_t channels = 0;
  uint64_t inner = 1;         // of the weights, the elements of a channel that follow one another
  bool channels_last = true;  // of the output; else they are its dimension 1
  size_t rank = 0;            // of the output
};

// nullopt for other ops, and for weights that are not constant.
std::optional<Layer> layer_at(const Graph& graph, const Payloads& payloads, uint32_t node);

// The steps after a layer as one: y = x * scale + offset, for each channel.
struct ChannelChain {
  uint32_t last = kNoNode;  // the node that the chain ends with
  std::vector<double> scale = {};
  std::vector<double> offset = {};
  bool scales = false;  // a step has multiplied
};

// Follows the consumers of a layer as long as each is the only one and such a step; nodes in `kept`
// but the last end it, and so do control edges, and factors and offsets above 1e12. REQUIRES:
// `known` has doubles.
ChannelChain chain_after(const Layer& layer, const Graph& graph, const KnownTensors& known,
                         const KeptNodes& kept);

}  // namespace cryo
