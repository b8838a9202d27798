#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

// A node of the main graph, or of a function's body.
struct NodePlace {
  std::string name = {};
  std::string function = {};  // empty: the main graph
};

// The difference of two nodes of one name. Equal parts are empty.
struct NodeChange {
  NodePlace place = {};
  std::string op_a = {};
  std::string op_b = {};
  bool inputs = false;  // true if these differ
  std::vector<std::string> inputs_a = {};
  std::vector<std::string> inputs_b = {};
  std::vector<std::string> attrs = {};  // names of those that differ, or that one has not; sorted
  bool device = false;
};

// Names that one model has and the other has not, and names whose things differ.
struct NameChanges {
  std::vector<std::string> added = {};
  std::vector<std::string> removed = {};
  std::vector<std::string> changed = {};
  bool none() const { return added.empty() && removed.empty() && changed.empty(); }
};

// How the structure of b differs from that of a.
struct StructureDifference {
  std::vector<NodePlace> added = {};
  std::vector<NodePlace> removed = {};
  std::vector<NodeChange> changed = {};
  NameChanges functions = {};
  NameChanges signatures = {};

  bool equal() const {
    return added.empty() && removed.empty() && changed.empty() && functions.none() &&
           signatures.none();
  }
};

// Compares the nodes of main graphs and of functions, by name: op, inputs ("x:0" is "x", control
// inputs in any order), attributes by name, device; functions by name, with their arguments and
// results; signatures by key. The order of nodes is ignored. Weights are values and not part of the
// structure: the value of the Consts in `weights` is not compared.
//
// Reads the remaining constants, in bounded steps. Fails as reading does, and if a function's body
// cannot be read.
Result<StructureDifference> structure_difference(const Model& first, const Model& second,
                                                 const std::set<std::string>& weights);

}  // namespace cryo
