#pragma once

#include "checked.h"

namespace cryo {

// A code of the validator with a model that has the fault, and a healthy one that differs as little
// as possible. Every code has such a pair: codes_test.cc fails for one without.
struct CodePair {
  std::string_view code;
  Model faulty;
  Model healthy;
};
using CodePairs = std::vector<CodePair>;

inline Model as_model(const Graph& graph) {
  return Model{Kind::kGraphDef, "model.pb", {}, true, graph};
}
inline Model as_model(const Parts& parts) { return as_model(graph_of(parts)); }
inline Model as_model(const std::vector<std::string>& nodes) { return as_model(graph_of(nodes)); }

void add_node_pairs(CodePairs& pairs);      // names, inputs, devices, ops, versions
void add_attr_pairs(CodePairs& pairs);      // attributes
void add_value_pairs(CodePairs& pairs);     // constants and shapes
void add_loop_pairs(CodePairs& pairs);      // cycles and frames
void add_function_pairs(CodePairs& pairs);  // the library, bodies, calls
void add_model_pairs(CodePairs& pairs);     // faults outside of a graph

}  // namespace cryo
