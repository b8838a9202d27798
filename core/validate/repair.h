#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "validate/check_graph.h"

namespace cryo {

class OpRegistry;

// One repair that was made.
struct Repaired {
  std::string code = {};  // of the finding
  Location where = {};
  std::string what = {};  // "gave the attribute transpose_a its default"
};

// Repairs the findings that `validate` calls fixable, in the main graph and in function bodies.
// TensorFlow refuses or ignores these, and each has exactly one repair that changes no result.
// Nothing is guessed.
//
//     before                                           after
//     add: mm, ^init, b, ^init, ^gone                  add: mm, b, ^init
//       transpose_a: (nothing)                           transpose_a: false, the op's default
//       _class: loc:@gone                                --
//       _output_shapes: fewer than outputs               --
//       from_the_future: 0, its default in the           --
//         op list that the producer left behind
//
// All else keeps its bytes. Without `ops`, repairs only findings that need no definitions of ops.
// Reports each repair. Returns the model as it is if there is nothing to repair.
//
// `verdict`: if not null, receives that of the repaired graph, if the last check was of it.
Model repair(const Model& model, const OpRegistry* ops, std::vector<Repaired>& repaired,
             std::optional<GraphVerdict>* verdict = nullptr);

}  // namespace cryo
