#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "graph/evaluate/evaluate.h"
#include "graph/graph.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

// The tensors of a main graph that can be computed without running it: small constants, and what
// follows from them and from known shapes, up to 4 million elements in all.
//
//     x [?,8,8,3] --> Shape --> StridedSlice[1:3]      Shape: ?,8,8,3    StridedSlice: 8,8
class KnownTensors {
 public:
  // `most`: elements of a tensor. `shapes`: of the tensors that asked_shapes() names. REQUIRES:
  // graph and payloads outlive it.
  KnownTensors(const Graph& graph, const Payloads& payloads, Arithmetic arithmetic, size_t most,
               TensorShapes shapes = {});

  // nullptr if it is not known.
  const KnownTensor* of(const Edge& tensor) const;

  // Returns true if the node computes a tensor that is wholly known; not for constants, for ops
  // that pass their input on, and for those that repeat one value many times.
  bool is_computed(uint32_t node) const;

  // The control inputs that a constant in the node's place has: of the node and of what it was
  // computed from. With them it is dead in the branches of TensorFlow 1 where the node is.
  const std::set<std::string>& controls(uint32_t node) const { return values_.at(node).controls; }

  // The tensors whose shapes Shape, Size and Rank ask for.
  static TensorShapes asked_shapes(const Graph& graph);

 private:
  struct Value {
    KnownTensor tensor = {};
    std::set<std::string> controls = {};
  };
  void visit(uint32_t node);
  void add_controls(uint32_t node, Value& value) const;
  bool is_used(uint32_t node) const;
  std::optional<KnownTensor> constant(uint32_t node) const;
  std::optional<KnownTensor> measured(uint32_t node) const;
  std::optional<KnownTensor> computed(uint32_t node) const;

  const Graph& graph_;
  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Payloads& payloads_;
  const Arithmetic arithmetic_;
  const size_t most_;
  const TensorShapes shapes_;
  size_t elements_ = 0;        // of all that are known
  bool has_branches_ = false;  // of TensorFlow 1, in which tensors can be dead
  std::map<uint32_t, Value> values_;
};

}  // namespace cryo
