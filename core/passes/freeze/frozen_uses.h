#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/edges.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

class FrozenFunctions;

// A value that replaces a variable's handle.
struct HeldValue {
  DType dtype = DType::kInvalid;
  Shape shape = {true, {}};
  uint32_t variable = kNoNode;  // the node it comes from
};

// The result of freezing for a node, as far as it uses variables.
struct FrozenUse {
  enum Kind {
    kNone,             // stays
    kVariable,         // becomes the constant
    kRead,             // ReadVariableOp: becomes Identity
    kHandsOn,          // Identity, Enter, RefSwitch, ...: takes the value's type, or its value form
    kGather,           // ResourceGather, ResourceGatherNd: become GatherV2, GatherNd
    kShape,            // VariableShape: becomes Shape
    kAsksInitialised,  // the answer is known: true
    kFirstAssign,      // assigns the value that the variable already has: NoOp, or Identity
    kCall,             // While, If, PartitionedCall, ...: its functions take and give values
    kAddedRead,        // a read that un-freezing added: removed
  };
  Kind kind = kNone;
  DType dtype = DType::kInvalid;  // of the value, if the node had a handle to it
};

// The values that a node of the kind kCall takes and returns instead of handles, by position.
struct FrozenCall {
  std::map<uint32_t, HeldValue> inputs = {};
  std::map<uint32_t, HeldValue> outputs = {};
  std::vector<std::string_view> from = {};  // its functions,
  std::vector<std::string> to = {};         // and their new names
};

// Follows variables of a main graph, or arguments of a function that are handles of variables, to
// all who use them, through nodes that hand them on and into functions.
class FrozenUses {
 public:
  // `function`: whose body it is; empty: the main graph. REQUIRES: all outlive it.
  FrozenUses(const std::vector<Node>& nodes, const NodeNames& names, const Edges& edges,
             FrozenFunctions& functions, std::string_view function = {});

  // Follows the variables of a main graph, except those that remain variables. Fails if a constant
  // cannot replace a use: an assignment (other than `assigns`, which give a first value), an op
  // that is not known to read, one that may pass on a remaining variable instead.
  Status find(const std::vector<std::string>& outputs,
              const std::unordered_set<std::string>& assigns,
              const std::unordered_set<std::string>& stay);

  // Follows the arguments of a body (the first nodes) that are values now. If it fails, refused()
  // is the argument that was followed.
  Status find(const std::map<uint32_t, HeldValue>& args);
  uint32_t refused() const { return variable_; }

  const FrozenUse& of(uint32_t node) const { return uses_[node]; }
  const FrozenCall& call(uint32_t node) const { return calls_.at(node); }

  // nullptr if the tensor was not a followed handle.
  const HeldValue* held(const Edge& tensor) const;

  bool has_added_reads() const { return !added_reads_.empty(); }

  // Empty for a node that is not an added read.
  std::string_view variable_of_added_read(std::string_view name) const;

 private:
  using Tensor = std::pair<uint32_t, uint32_t>;  // node, port
  Status hold(uint32_t node, uint32_t port, const HeldValue& value);
  Status follow();
  Status follow_handles();
  Status follow_reference(uint32_t variable);
  Status use_handle(const Consumer& consumer, const HeldValue& value);
  Status use_by_call(const Consumer& consumer, const HeldValue& value);
  Status hand_on(const Consumer& consumer, const HeldValue& value);
  Status use_reference(const Consumer& consumer, std::vector<uint32_t>& queue);
  Status enter_functions(uint32_t node);
  Status check_merges();
  Failure cannot(uint32_t node, std::string_view why) const;
  Failure cannot_within(uint32_t node, const Diagnostic& inner);
  std::string path_to_output(uint32_t node) const;
  std::string way_out(uint32_t node) const;

  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  FrozenFunctions& functions_;
  std::string_view function_;
  const Consumers& consumers_;
  std::vector<FrozenUse> uses_;
  std::vector<bool> outputs_;
  std::vector<bool> assigns_;  // first values
  std::map<uint32_t, FrozenCall> calls_;
  std::map<Tensor, HeldValue> held_;
  std::vector<Tensor> queue_;
  std::vector<uint32_t> entered_;  // calls that were given a further value
  std::unordered_map<std::string_view, std::string_view> added_reads_;  // read -> variable
  uint32_t variable_ = kNoNode;                                         // the one being followed
};

}  // namespace cryo
