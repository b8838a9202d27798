#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"
#include "tensor/dtype.h"

namespace cryo {

// What freezing makes of a node, seen from the variables it uses.
struct FrozenUse {
  enum Kind {
    kNone,             // stays
    kVariable,         // becomes the constant
    kRead,             // ReadVariableOp: becomes Identity
    kHandsOn,          // Identity, Enter, RefSwitch, ...: takes the value's type, or its value form
    kGather,           // ResourceGather, ResourceGatherNd: become GatherV2, GatherNd
    kAsksInitialised,  // the answer is known: true
    kAddedRead,        // a read that un-freezing added: goes
  };
  Kind kind = kNone;
  DType dtype = DType::kInvalid;  // of the value, where the node carried a handle to it
};

// Follows every variable of a graph to all who use it, through nodes that hand it on.
class FrozenUses {
 public:
  // REQUIRES: the model outlives it.
  explicit FrozenUses(const Model& model);

  // Fails where a use cannot be served by a constant: an assignment, a function call, an op that we
  // do not know to read.
  Status find(const std::vector<std::string>& outputs);

  const FrozenUse& of(uint32_t node) const { return uses_[node]; }
  bool has_added_reads() const { return !added_reads_.empty(); }

  // Empty for a node that is not an added read.
  std::string_view variable_of_added_read(std::string_view name) const;

  const NodeNames& names() const { return names_; }

 private:
  Status follow(uint32_t variable, DType dtype, bool resource);
  Status use_handle(const Consumer& consumer, DType dtype, std::vector<uint32_t>& queue);
  Status use_reference(const Consumer& consumer, std::vector<uint32_t>& queue);
  Failure cannot(uint32_t node, std::string_view why) const;
  std::string path_to_output(uint32_t node) const;

  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  Consumers consumers_;
  std::vector<FrozenUse> uses_;
  std::vector<bool> outputs_;
  std::unordered_map<std::string_view, std::string_view> added_reads_;  // read -> variable
  uint32_t variable_ = kNoNode;                                         // the one being followed
};

}  // namespace cryo
