#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace cryo {

// A tensor that a person may want to run the model to, or feed, and why it is thought so.
struct Endpoint {
  std::string name;  // "probabilities", "Split:1"
  std::string why;   // "output 'scores' of signature 'serving_default'"
};

struct Endpoints {
  std::vector<Endpoint> inputs;
  std::vector<Endpoint> outputs;  // best first
  bool certain = false;           // from a signature, or the only candidate
};

// The model's likely inputs and outputs. Signatures come first. Without them: an output is a node
// of the forward half that nothing of the forward half takes; on a training graph that leaves out
// gradients, updates, summaries, the saver, what waits for a step of training, and whatever hangs
// on labels (placeholders that never meet a weight). Values that come from shapes alone, which such
// graphs leave lying about, and where they train single numbers, go last.
Endpoints likely_endpoints(const Model& model);

}  // namespace cryo
