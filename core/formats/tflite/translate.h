#pragma once

#include <map>
#include <set>
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

// The translation of the graphs of a file.
struct TfliteTranslation {
  const std::vector<TfliteSubgraph>& graphs;
  TfliteChoices choices;
  Payloads& payloads;
  Diagnostics& diagnostics;
  RewriteRules rules = {};
  TfliteNumbers numbers = {};
  FreshNames names = {};  // of the main graph
  std::map<std::string, std::string> handles =
      {};  // nodes of variables and tables there, by identity
  FreshNames function_names = {};
  std::map<size_t, std::string> functions = {};  // by graph
  std::set<size_t> open = {};                    // functions that are being made
  std::vector<std::string> function_defs = {};
};

struct TranslatedSubgraph {
  std::vector<std::string> nodes = {};    // NodeDefs
  std::vector<std::string> inputs = {};   // the Placeholders, or arguments
  std::vector<std::string> tensors = {};  // by tensor: its name; empty for one that is not used
  std::string last_effect = {};           // the last node that reads or changes state
};

// The rules of all operators (tflite_rules.h).
RewriteRules tflite_rules();

// Translates a graph into nodes of the main graph, each named after the tensor that it gives:
//
//     CONV_2D x, filter, bias -> "a/Relu;a/Conv2D"     a/Relu/kernel: Const
//       fused RELU, quantized to 0 .. 6                a/Relu/conv: Conv2D(x, a/Relu/kernel)
//                                                      a/Relu/conv_1: BiasAdd(a/Relu/conv, b)
//                                                      a/Relu: Relu6(a/Relu/conv_1)
//
// An input is a Placeholder of float32 if it is quantized. The range that a quantized tensor can
// represent is kept as a clip: converters fold activations into it. An operator without a
// translation becomes a node of its own name. Graphs that operators call become functions.
//
// Fails with "bad-tflite" for a graph that calls itself.
Result<TranslatedSubgraph> translate(TfliteTranslation& file, size_t graph);

// Returns the name of the function that a graph is; makes it unless it is there.
Result<std::string> function_of(TfliteTranslation& file, size_t graph);

}  // namespace cryo
