#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/tfjs/tfjs_weights.h"

namespace cryo {

// A TensorFlow.js topology and its weights, as a graph:
//
//     before  {name "w" op "Const" value {dtype DT_FLOAT tensor_shape {..}}}  and a weight "w"
//     after   {name "w" op "Const" value {dtype DT_FLOAT tensor_shape {..} tensor_content <slice>}}
//
// A Const takes the weight of its own name, also one in the body of a function. Types that
// TensorFlow.js stores narrower (int64 as int32) get their own again.
struct TfjsGraph {
  std::string skeleton = {};           // the GraphDef
  std::vector<bool> taken = {};        // of each weight, whether a Const took it
  std::vector<std::string> bare = {};  // Consts that hold no value and have no weight
};

// Hangs weights on constants. `topology`: a GraphDef, bulk elided. A Const without a weight is not
// an error here; reading its value fails.
Result<TfjsGraph> with_weights(std::string_view topology, const std::vector<TfjsWeight>& weights,
                               Payloads& payloads);

}  // namespace cryo
