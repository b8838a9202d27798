#pragma once

#include <string>

#include "base/json_writer.h"
#include "model/model.h"

namespace cryo {

// A graph without variables as TensorFlow.js stores it: constants keep type and shape in the graph,
// and their values are weights (tfjs_weights.h) with the same name.
//
//     before  {name "w" op "Const" dtype DT_INT64 value {dtype .. tensor_shape {..} int64_val ..}}
//     after   {name "w" op "Const" dtype DT_INT64 value {dtype .. tensor_shape {..}}}
//             {"name":"w","shape":[2],"dtype":"int32"}    | 4 bytes each |
//
// The shape [] of a placeholder becomes the unknown shape that it means up to kScalarsAreUnknown.
//
// A constant in a function's body has the function's name in front, "f/w", because weights have one
// list of names. A type that TensorFlow.js does not have is stored as the next smaller one if that
// holds every value. The constant keeps its type, so that reading restores it.
struct TfjsTopology {
  std::string skeleton = {};  // the GraphDef; other bulk as handles
  JsonWriter weights = {};    // the manifest's entries, without their brackets
  Splice content = {};        // of all weights, one after the other
};

// All weights together; a browser holds less.
constexpr uint64_t kMaxTfjsWeights = uint64_t{8} << 30;

// "unsupported-dtype" for values that no type of TensorFlow.js holds, "too-large" for more than a
// browser can.
Result<TfjsTopology> tfjs_topology(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
