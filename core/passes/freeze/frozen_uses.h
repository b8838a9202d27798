#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/functions/function_body.h"
#include "graph/index.h"
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

// The users of variables of a main graph, or of arguments of a function that are handles of
// variables: all nodes that they reach, through nodes that hand them on and into functions.
struct FrozenUses {
  using Tensor = std::pair<uint32_t, uint32_t>;  // node, port

  std::vector<FrozenUse> nodes = {};
  std::map<uint32_t, FrozenCall> calls = {};
  std::map<Tensor, HeldValue> values = {};                                  // of followed handles
  std::unordered_map<std::string_view, std::string_view> added_reads = {};  // read -> variable

  // nullptr if the tensor was not a followed handle.
  const HeldValue* held(const Edge& tensor) const;
};

// Follows the variables of a main graph, except those that remain variables. Fails if a constant
// cannot replace a use: an assignment (other than `assigns`, which give a first value), an op
// that is not known to read, one that may pass on a remaining variable instead.
Result<FrozenUses> uses_of_variables(const GraphIndex& graph,
                                     const std::vector<std::string>& outputs,
                                     const std::unordered_set<std::string>& assigns,
                                     const std::unordered_set<std::string>& stay,
                                     FrozenFunctions& functions);

// Follows the arguments of a function (its body's first nodes) that are values now. If it fails,
// `refused` is the argument that was followed.
Result<FrozenUses> uses_of_arguments(const FunctionBody& body, std::string_view function,
                                     const std::map<uint32_t, HeldValue>& args,
                                     FrozenFunctions& functions, uint32_t& refused);

}  // namespace cryo
