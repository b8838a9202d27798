#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

struct OpencvInput : Edge {
  bool has_port_text = false;  // "x:0", and not "x": some rules then do not find a constant
};

// A node as OpenCV's reader has it before it makes a layer of it.
struct OpencvNode {
  std::string_view op = {};  // "Softmax" for the last node of a pattern; AddV2 is Add
  std::vector<OpencvInput> inputs = {};
  std::vector<uint32_t> values = {};  // the constants of the pattern whose last node it is
  bool is_fused = false;              // it is the last node of a pattern
  bool is_removed = false;            // no layer is made of it
};

// A constant as the file stores it.
struct OpencvConstant {
  DType dtype = DType::kInvalid;
  Shape shape = {};
  uint64_t elements = 0;
  uint64_t stored = 0;  // of the elements; 0 if it cannot be read
  bool in_content = false;
  std::vector<int64_t> numbers = {};  // of a small one of int32: those that are stored
};

// A main graph as OpenCV's reader simplifies it, before it looks at each node by itself: who reads
// an Identity, a PlaceholderWithDefault or a Switch reads its first input; a pattern becomes one
// node, which reads the inputs "x" of the pattern.
//
//     before   r: Reshape(x, Pack(StridedSlice(Shape(x), 0, 1, 1), -1))
//     after    r: Flatten(x)                                           the other nodes are removed
//
// Source: removePhaseSwitches, RemoveIdentityOps and simplifySubgraphs in modules/dnn/src of OpenCV
// 5.0. Like there, a pattern's commutative ops have their inputs in any order, and what is named
// twice in it is compared once.
class OpencvGraph {
 public:
  // `shapes`: of the tensors that add_opencv_shapes() names. REQUIRES: all outlive it.
  OpencvGraph(const Graph& graph, const Payloads& payloads, const TensorShapes& shapes);

  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }
  const OpencvNode& operator[](uint32_t node) const { return nodes_[node]; }
  const Node& definition(uint32_t node) const { return graph_.nodes()[node]; }

  // Returns the nodes that read an output, in the graph's order; one twice if it does so twice.
  const std::vector<uint32_t>& readers(uint32_t node) const { return readers_[node]; }

  // Return true if all sizes of a placeholder are known; if all but the first of one are.
  bool has_shaped_input() const { return has_shaped_input_; }
  bool has_shaped_batch() const { return has_shaped_batch_; }

  // Returns how many axes an input has in the graph; nullopt if that is not known.
  std::optional<size_t> rank(uint32_t node, size_t place) const;

  // Returns true for the ops of constants; Dequantize gives those that are stored in 8 bits.
  static bool is_value(std::string_view op) { return op == "Const" || op == "Dequantize"; }

  // REQUIRES: the node is a value.
  const OpencvConstant& constant(uint32_t node) const;

 private:
  const Graph& graph_;
  const Payloads& payloads_;
  const TensorShapes& shapes_;
  std::vector<OpencvNode> nodes_;
  std::vector<std::vector<uint32_t>> readers_;
  bool has_shaped_input_ = false;
  bool has_shaped_batch_ = false;
  mutable std::map<uint32_t, OpencvConstant> constants_;  // that were read
};

}  // namespace cryo
