#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "formats/tflite/tflite_file.h"
#include "graph/fresh_names.h"
#include "graph/rewrite/rule.h"
#include "wire/payloads.h"

namespace cryo {

struct TfliteChoices {
  bool keep_quantization = false;  // as FakeQuantWithMinMaxVars
};

// Counts of what a translated file was made of.
struct TfliteNumbers {
  uint64_t quantized_weights = 0;
  uint64_t ranges = 0;   // of activations, kept as clips or fake quantization
  uint64_t unknown = 0;  // operators that have no translation
};

struct TranslatedSubgraph {
  std::vector<std::string> nodes = {};    // NodeDefs
  std::vector<std::string> inputs = {};   // the Placeholders
  std::vector<std::string> tensors = {};  // by tensor: its name; empty for one that is not used
};

// The rules of all operators (tflite_rules.h).
RewriteRules tflite_rules();

// Translates a subgraph into nodes of TensorFlow, each named after the tensor that it gives:
//
//     CONV_2D x, filter, bias -> "a/Relu;a/Conv2D"     a/Relu/kernel: Const
//       fused RELU, quantized to 0 .. 6                a/Relu/conv: Conv2D(x, a/Relu/kernel)
//                                                      a/Relu/conv_1: BiasAdd(a/Relu/conv, b)
//                                                      a/Relu: Relu6(a/Relu/conv_1)
//
// An input is a Placeholder of float32 if it is quantized. The range that a quantized tensor can
// represent is kept as a clip: converters fold activations into it. An operator without a
// translation becomes a node of its own name.
Result<TranslatedSubgraph> translate(const std::vector<TfliteSubgraph>& graphs, size_t index,
                                     const RewriteRules& rules, const TfliteChoices& choices,
                                     FreshNames& names, Payloads& payloads, TfliteNumbers& numbers,
                                     Diagnostics& diagnostics);

}  // namespace cryo
