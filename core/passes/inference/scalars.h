#pragma once

#include <optional>

#include "graph/edges.h"
#include "graph/evaluate/known_tensor.h"
#include "wire/payloads.h"

namespace cryo {

// Numbers that a graph computes of scalars alone: rates of dropout and the factors made of them.
//
//     keep_prob: Placeholder[] --> Sub(1, keep_prob) --> rate      a scalar; its source, negated
//     scale = RealDiv(1, Const 0.5)                                a scalar of value 2
class Scalars {
 public:
  // REQUIRES: all outlive it.
  Scalars(const std::vector<Node>& nodes, const Edges& edges, const Payloads& payloads)
      : nodes_(nodes), edges_(edges), payloads_(payloads) {}

  // Returns true if the tensor is computed of scalar constants, placeholders and variables alone.
  // Placeholders of unknown rank count.
  bool is_scalar(const Edge& tensor) const { return is_scalar(tensor, 0); }

  // Returns the value, if it does not depend on what is fed.
  std::optional<double> value(const Edge& tensor) const;

  // The placeholder or variable that gives a scalar its value. `from_one`: the scalar is 1 minus
  // that value.
  struct Source {
    uint32_t node = kNoNode;
    bool from_one = false;
  };
  Source source(Edge tensor) const;

 private:
  bool is_scalar(const Edge& tensor, int depth) const;
  std::optional<KnownTensor> known(const Edge& tensor, int depth) const;
  std::optional<KnownTensor> constant(uint32_t node) const;

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Payloads& payloads_;
};

}  // namespace cryo
