#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

// A tensor that a person may want to run the model to, or to feed, and the reason.
struct Endpoint {
  std::string name;      // "probabilities", "Split:1"
  std::string why;       // "output 'scores' of signature 'serving_default'"
  bool chosen = false;   // an output that freeze and prune take when none is named
  std::string key = {};  // its name in the signature; empty without one
};

struct Endpoints {
  std::vector<Endpoint> inputs;   // inputs that the chosen outputs need come first
  std::vector<Endpoint> outputs;  // best first; the chosen ones precede all others
  bool certain = false;           // from a signature, or the only end of a frozen graph
};

// Returns the model's likely inputs and outputs, by its signatures; without signatures by the
// outputs that a pass pruned it to, then by the structure and the names of the inference subgraph
// (inference_subgraph.h).
//
// Outputs: every end of the inference subgraph, and inner nodes that people fetch as well: a
// softmax, the logits before it, a class. An output ranks high when many layers lead to it, by its
// op, and by its name. Single numbers of a training graph, booleans, and nodes that no input
// reaches rank last. The chosen outputs are those that end the same computation as the best one.
//
// Inputs: placeholders, and the tensors at which the data of an input pipeline enters.
Endpoints likely_endpoints(const Model& model);

}  // namespace cryo
