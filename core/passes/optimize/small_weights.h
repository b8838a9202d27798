#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

// Weights of a frozen graph in a smaller type, which TensorFlow turns into numbers of the old type
// when it runs: constants of a main graph of 1,024 bytes and more.

// Stores constants as rules say, "FROM=TO" (passes/weights/casts.h), between float64,
// float32, float16 and bfloat16:
//
//     before  w: Const float32             after  w/float16: Const --> w: Cast to float32
//
// Reads them to measure the largest change, which a note names. Fails with "bad-option" for other
// types, with "cast-unused" for a rule that no constant needs.
Result<Model> with_cast_constants(const Model& model, const std::vector<std::string>& rules,
                                  GraphChanges& changes, Diagnostics& diagnostics);

// Stores float32 constants in 8 bits, each with a range of its own that has 0 as one of its steps:
//
//     before  w: Const float32             after  w/quantized: Const quint8 --,
//                                                 w/min, w/max: Const ----------> w: Dequantize
//
// Dequantize is of the mode MIN_FIRST, which TensorFlow has had since 1.0. Vectors, weights of
// depthwise convolutions and constants with numbers that are not finite stay. Reads each twice, and
// again when it is written; a note names the largest change of a number.
Result<Model> with_quantized_constants(const Model& model, GraphChanges& changes,
                                       Diagnostics& diagnostics);

}  // namespace cryo
