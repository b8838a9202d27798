#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "passes/common/growth_budget.h"
#include "validate/graph/calls.h"

namespace cryo {

// The nodes that replace an inlined call.
struct CallBody {
  std::vector<std::string> nodes = {};    // NodeDefs of a main graph
  std::vector<std::string> outputs = {};  // the tensor of each output, "call/add", "x:1"
  std::vector<int> types = {};            // of the outputs
  // "^call/assert": nodes that ran before the call was complete.
  std::vector<std::string> controls = {};
  std::vector<std::string> assumed =
      {};  // ops that are not known, taken to have one output argument
};

// Returns the nodes of a function's body as those of a main graph, for one call of it:
//
//     call: PartitionedCall(x, ^init)[f = square]        call/mul: Mul(x, x, ^init)
//     square(a) -> b = mul:z:0                  --->
//       mul: Mul(a, a)[T = $T]                           outputs "call/mul", T from the call
//
// Names are `call/node`, as TensorFlow's inliner gives them. A node that needs no other of the body
// waits for the call's control inputs. `gated`: the call is within control flow of TensorFlow 1
// (Switch, Enter), so a node without any input waits for the call's data inputs too: it must be
// dead if the call was, and in the same frame.
//
// Fails with "too-large" where the nodes take more than is left of the budget. Fails where the body
// names what it does not have, or more than one output argument of an op that is not known; one is
// taken for its only one.
Result<CallBody> body_of_call(const Node& node, const FunctionCall& call,
                              const LibraryFunction& function, KnownOps& ops, FreshNames& names,
                              GrowthBudget& budget, bool gated);

// Returns true if any of the nodes is Switch, Enter or a similar op.
bool has_switches_or_frames(const std::vector<Node>& nodes);

}  // namespace cryo
