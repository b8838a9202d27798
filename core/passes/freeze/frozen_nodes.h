#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "passes/freeze/frozen_uses.h"
#include "wire/payloads.h"

namespace cryo {

// The nodes that freezing writes in place of those around variables, in a main graph or in a
// function's body:
//
//     v/Read: ReadVariableOp(v)          v/Read: Identity(v)
//     g: ResourceGather(v, i)            g/axis: Const;  g: GatherV2(v, i, g/axis)
//     loop: While(i, v)[body, T]         loop: While(i, v)[body_frozen_0, T with v's type]
class FrozenNodes {
 public:
  // REQUIRES: all outlive it.
  FrozenNodes(const std::vector<Node>& nodes, const FrozenUses& uses, const NodeNames& names,
              Payloads& payloads, bool in_body)
      : nodes_(nodes),
        uses_(uses),
        names_(names),
        fresh_names_(names),
        payloads_(payloads),
        in_body_(in_body) {}

  // Returns true if the node is kept byte for byte.
  bool stays(uint32_t index) const;

  // Returns the NodeDefs that replace a node; none for a removed one. The caller makes those of
  // variables.
  Result<std::vector<std::string>> made_of(uint32_t index);

  // Returns the new name of an input: reads are removed, and some outputs belong to other ops.
  std::string rewired(std::string_view input) const;

 private:
  std::string read(const Node& node) const;
  std::string retyped(uint32_t index) const;
  std::string shape(uint32_t index) const;
  std::string first_assign(const Node& node) const;
  std::string call(uint32_t index) const;
  bool is_in_loop(const Node& node) const;
  Result<std::vector<std::string>> gather(const Node& node);
  Result<std::string> constant(std::string_view name, const Node& like, DType dtype,
                               std::string content) const;
  NodeEditor edit(const Node& node) const;

  const std::vector<Node>& nodes_;
  const FrozenUses& uses_;
  const NodeNames& names_;
  FreshNames fresh_names_;
  Payloads& payloads_;
  bool in_body_;
};

}  // namespace cryo
