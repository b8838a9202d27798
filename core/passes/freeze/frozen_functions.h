#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "graph/graph.h"
#include "passes/freeze/frozen_uses.h"
#include "wire/payloads.h"

namespace cryo {

// Library functions with variables as arguments, rebuilt to take their values:
//
//     body(i, w: resource)                       body_frozen_0(i, w: float)
//       ReadVariableOp(w)                  -->     ReadVariableOp: Identity(w)
//       MatMul(i, ReadVariableOp:value:0)          MatMul(i, ReadVariableOp:output:0)
//
// Functions that receive these arguments in turn are rebuilt as well. Callers that pass values to
// the same arguments share a function; the library's original ones are kept for others.
class FrozenFunctions {
 public:
  struct Frozen {
    std::string name;
    std::map<uint32_t, DType> returns;  // the outputs that were handles and are values
    std::string function_def;           // empty while it is being made
  };

  // REQUIRES: both outlive it.
  FrozenFunctions(const Graph& graph, Payloads& payloads);

  bool has(std::string_view name) const { return functions_.count(name) > 0; }

  // Fails if the function is missing, if it calls itself, and with "variable-in-use" if it needs a
  // handle; refused() is then the argument.
  Result<const Frozen*> find(std::string_view name, const std::map<uint32_t, HeldValue>& args);
  uint32_t refused() const { return refused_; }

  // Adds the functions after the library's own.
  void add_to(GraphBuilder& builder) const;

 private:
  Status make(const Function& function, const std::map<uint32_t, HeldValue>& args, Frozen& frozen);

  Payloads& payloads_;
  std::unordered_map<std::string_view, const Function*> functions_;
  std::map<std::string, Frozen> by_key_;
  std::vector<const Frozen*> made_;
  uint32_t refused_ = 0;
  int depth_ = 0;
};

}  // namespace cryo
