#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cryo {

// The outputs and inputs of the graph that a verb makes: nodes or tensors, "logits", "Split:1".
struct Selection {
  std::vector<std::string> outputs = {};     // empty: those of signatures, or the likely ones
  std::vector<std::string> inputs = {};      // where the kept graph begins; empty: as it does
  std::vector<std::string> signatures = {};  // keys: their outputs, where none are given
  std::string function = {};                 // the entry point (function_entry.h)
  bool by_signature = false;                 // `outputs` are named as outputs of `signatures`
  bool guessed = false;  // neither a caller nor a signature named the outputs (select_outputs.h)
};

// The same between the stages of a verb, with nodes that stay too. They may be missing.
struct Ends : Selection {
  std::vector<std::string> keep = {};
};

// Returns ends with these outputs alone.
inline Ends only_outputs(std::vector<std::string> outputs, std::vector<std::string> keep = {}) {
  Ends ends;
  ends.outputs = std::move(outputs);
  ends.keep = std::move(keep);
  return ends;
}

}  // namespace cryo
