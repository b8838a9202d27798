#pragma once

#include <string>
#include <vector>

#include "model/variables.h"
#include "passes/weights/initial_values.h"
#include "passes/weights/named_weights.h"

namespace cryo {

// A variable of a graph as something that a value is put into: one entry of the checkpoint, of
// which a partitioned variable's nodes take a part each.
//
//     w/part_0 <- "w" 4 3 0,2:-       one variable, "w", float32 [4,3]
//     w/part_1 <- "w" 4 3 2,2:-
struct TargetVariable {
  std::vector<Variable> variables = {};  // take the entry; at least one
  std::vector<std::string> copies = {};  // other keys that take the same value (saved_variables.h)
  CheckpointEntry entry = {};            // the value that it has, or its key, type and shape alone
  bool has_value = false;
  bool is_saved = true;  // false: the graph's saver, which restores others, leaves it out

  const std::string& key() const { return variables.front().key; }

  // Returns all its names: of its nodes, and its key's.
  std::vector<std::string> names() const;

  // Returns it as a weight to be paired.
  NamedWeight as_weight() const;

  // Returns true if a value can be read, with the type and shape that all its nodes declare.
  bool takes(const CheckpointEntry& value) const;

  // Returns the bytes of the value that one of its nodes takes.
  uint64_t bytes_of(const Variable& variable, const CheckpointEntry& value) const;
};

// The variables of the main graph, in its order. Reads no tensor.
std::vector<TargetVariable> target_variables(const Model& model);

// The value that the graph's initializers give to a target, whole, and the nodes that hold it.
// Reads no bulk. Fails with "no-initial-value" (initial_values.h).
struct InitialEntry {
  CheckpointEntry entry = {};
  std::vector<std::string> nodes = {};
};
Result<InitialEntry> initial_entry(const TargetVariable& target, const InitialValues& initial);

}  // namespace cryo
