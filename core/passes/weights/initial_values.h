#pragma once

#include <map>
#include <string>

#include "graph/edges.h"
#include "model/variables.h"

namespace cryo {

// The values that a graph's own initializers assign to its variables, where these are constants:
//
//     b/Assign = Assign(b, b/Initializer/zeros)      zeros: Const, or Fill(Const, Const)
//     b2/Assign = Assign(b2, beta2_power/initial_value)
//     w/Assign = Assign(w, TruncatedNormal)          random: not a constant
//
// The initializer of a variable is the one that its VariableDef names, else the assignment
// NAME/Assign. REQUIRES: the model outlives it.
class InitialValues {
 public:
  explicit InitialValues(const Model& model);

  // Returns the constant and the node that holds it. Reads no bulk.
  // Fails with "no-initial-value", whose message is a clause: "its initializer is random:
  // TruncatedNormal".
  struct Constant {
    Tensor value = {};
    std::string node = {};
  };
  Result<Constant> of(const Variable& variable) const;

 private:
  Result<Edge> assigned(const Variable& variable) const;
  Result<Tensor> evaluated(const Edge& edge, int depth) const;
  Result<Tensor> filled(uint32_t node, int depth) const;
  Result<Tensor> reshaped(uint32_t node, int depth) const;
  Result<Tensor> cast(uint32_t node, int depth) const;
  Result<Shape> shape_in(const Edge& edge, int depth) const;
  std::string why_not_constant(uint32_t node) const;
  Edge source_of(Edge edge) const;

  const Model& model_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  std::map<std::string, std::string> initializers_;  // of VariableDefs: variable -> assignment
};

}  // namespace cryo
