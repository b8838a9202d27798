#pragma once

#include <string>

#include "model/model.h"

namespace cryo {

// A graph without variables as TensorFlow.js keeps one: constants keep type and shape in the graph,
// their values are weights (tfjs_weights.h) of the same name.
//
//     before  {name "w" op "Const" dtype DT_INT64 value {dtype .. tensor_shape {..} int64_val ..}}
//     after   {name "w" op "Const" dtype DT_INT64 value {dtype .. tensor_shape {..}}}
//             {"name":"w","shape":[2],"dtype":"int32"}    | 4 bytes each |
//
// Constants in a function's body are named behind the function, "f/w", for weights have one list of
// names. What TensorFlow.js has no type for is stored as the next smaller one where that holds
// every value; the constant keeps its type, so that reading gives it back.
struct TfjsTopology {
  std::string skeleton = {};  // the GraphDef; bulk that is no constant's as handles
  std::string weights = {};   // the manifest's entries, with commas between
  Splice content = {};        // of all weights, one after the other
};

// All weights together; a browser holds less.
constexpr uint64_t kMaxTfjsWeights = uint64_t{8} << 30;

// "unsupported-dtype" for values that no type of TensorFlow.js holds, "too-large" for more than a
// browser can.
Result<TfjsTopology> tfjs_topology(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
