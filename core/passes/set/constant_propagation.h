#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/edges.h"
#include "tensor/content.h"

namespace cryo {

// Constant propagation in a main graph: the values and dead nodes that follow from constants,
// whatever else is fed:
//
//     p: Const[false] --> not: LogicalNot            value of `not`: true
//     s: Switch(x, p) --:0--> a --> m: Merge         s:1, b are dead: they never get a value
//                    `--:1--> b ----^                m takes its input 0
//
// A value is one that the tensor has whenever it has any: after a Switch or in a loop it may have
// none. A dead node is dead in every iteration of every loop. Both follow TensorFlow's executor
// (tensorflow/core/common_runtime/executor.cc): a node with a dead input is dead, control inputs
// included; but Merge only if all its data inputs are dead, and ControlTrigger never.
class KnownValues {
 public:
  // The value of a PlaceholderWithDefault: its default, or another that may be fed.
  enum class Defaults { kHold, kMayBeFed };

  // `seeds`: the constants to start from. Only nodes that depend on them are visited. REQUIRES: all
  // outlive it.
  KnownValues(const std::vector<Node>& nodes, const Edges& edges, const Payloads& payloads,
              const std::vector<uint32_t>& seeds, Defaults defaults = Defaults::kHold);

  // A scalar (of LogicalAnd(false, x) also a tensor of one value); nullptr if unknown.
  struct Value {
    DType dtype = DType::kInvalid;
    std::string content = {};  // as Tensor::content
    bool scalar = true;
    bool operator==(const Value&) const = default;
  };
  const Value* value(const Edge& tensor) const;

  // Returns the value as a condition (of If, Switch): a bool, or a number that is not 0. nullopt
  // for strings.
  std::optional<bool> truth(const Edge& tensor) const;

  bool is_dead(uint32_t node) const { return (marks_[node] & kDead) != 0; }
  bool is_dead(const Edge& edge) const;

  // Returns the output to which a Switch always passes its input; -1 for any other node.
  int live_port(uint32_t node) const;

  // Returns true if the node is always alive, has no effect of its own and depends only on the
  // seeds: nothing has to wait for it.
  bool is_settled(uint32_t node) const { return (marks_[node] & kSettled) != 0; }

  // May be dead in one run and live in another: it depends on a Switch that is not decided.
  bool is_conditional(uint32_t node) const { return (marks_[node] & kConditional) != 0; }

 private:
  enum Mark : uint8_t { kDead = 1, kSettled = 2, kConditional = 4, kChosen = 8 };
  bool visit(uint32_t node);
  bool may_be_fed(uint32_t node) const;
  bool dies(uint32_t node) const;
  bool settles(uint32_t node) const;
  std::optional<Value> computed(uint32_t node) const;
  std::optional<Value> known(const Edge& tensor) const;
  std::optional<Value> evaluated(uint32_t node) const;
  std::optional<Value> selected(uint32_t node) const;
  std::optional<Value> merged(uint32_t node) const;
  std::optional<Value> compared(const Value& a, const Value& b, bool equal) const;
  std::optional<Value> combined(const Value* a, const Value* b, bool absorbing) const;
  std::optional<Value> constant(uint32_t node) const;
  void mark_conditional();

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Payloads& payloads_;
  const Defaults defaults_;
  std::vector<uint8_t> marks_;
  std::map<uint32_t, Value> values_;  // by node: of all its outputs that carry it
};

}  // namespace cryo
