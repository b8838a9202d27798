#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/weights/named_weights.h"

namespace cryo {

// A node of a damaged model that needs what is not there.
struct IncompleteNode {
  std::string name = {};
  std::vector<std::string> needs = {};  // nodes that are its inputs, and functions
};

// The lost parts of a damaged model, and the nodes that need them.
struct Losses {
  LostParts lost = {};
  std::vector<IncompleteNode> incomplete = {};
};

struct SalvageResult {
  Model model;
  Losses losses = {};
};

// Keeps the weights of a damaged model that are whole: all bytes are there, and those that their
// container states checksums of are right. A weight of which one part is damaged is lost.
//
//     a  whole                             a        lost: b, its file, offset and reason
//     b  bytes that differ from their CRC  --->
//
// Reads every weight, in bounded memory. Reports how much is lost ("weights-lost"), or that nothing
// is ("nothing-lost"). Fails with "bad-option" if the model was opened without checksums, and with
// "no-weights" if none is whole.
Status keep_whole(const Model& model, std::vector<NamedWeight>& weights, Losses& losses,
                  Diagnostics& diagnostics);

// Returns the error of a damaged model without a whole weight; `why`: what is lost of it.
Failure no_whole_weight(const Model& model, const Diagnostic& why);

// Adds to `losses` the lost parts of a model that was opened to salvage what is whole, and the
// nodes that need lost ones. Reports those nodes ("incomplete-nodes"); if nothing of the graph is
// lost, that ("nothing-lost").
void add_lost_parts(const Model& model, Losses& losses, Diagnostics& diagnostics);

// Returns what is whole of a damaged model: its graph as it was opened, and the weights of its
// checkpoint that are whole. Reports as the two above do. Fails as keep_whole() does.
Result<SalvageResult> salvaged_model(const Model& model, Diagnostics& diagnostics);

// Returns the checks without those that failed: what they cover is lost, and not written.
CheckLists sound_checks(const CheckLists& lists);

}  // namespace cryo
