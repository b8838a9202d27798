#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "formats/tflite/tflite_file.h"

namespace cryo {

// An operator with the graph that it is in, and all graphs of its file.
struct TfliteCall {
  const std::vector<TfliteSubgraph>& graphs;
  const TfliteSubgraph& graph;
  const TfliteOperator& of;

  // nullptr for a tensor that is not given.
  const TfliteTensor* input(size_t place) const { return tensor(of.inputs, place); }
  const TfliteTensor* output(size_t place) const { return tensor(of.outputs, place); }

  // Returns a number among its options; `otherwise` if it has none of the name.
  int64_t number_of(std::string_view name, int64_t otherwise = 0) const;

 private:
  const TfliteTensor* tensor(const std::vector<int32_t>& indices, size_t place) const {
    if (place >= indices.size() || indices[place] < 0) return nullptr;
    return &graph.tensors[static_cast<size_t>(indices[place])];
  }
};

// Returns what rules ask of an operator and is no option, type or size of it: lists that are
// computed of known sizes, and whether it has a form that TensorFlow has, too.
//
// A depthwise convolution with dilations, or with unequal strides, is one without of a padded
// input, of which elements are skipped. Its paddings and crops, of height and width:
//
//     paddings   those of SAME; after it as many as make the size a multiple of the dilation
//     crops      0, and those
//
// Others: the `channels` of the input of a depthwise convolution; `out_shape`, the sizes of the
// first output if at most one is unknown.
std::optional<RewriteValue> tflite_fact(const TfliteCall& call, std::string_view name);

// The same for operators of StableHLO.
std::optional<RewriteValue> stablehlo_fact(const TfliteCall& call, std::string_view name);

// Returns the options of a custom operator, unless they are large.
std::optional<std::string> small_options(const TfliteOperator& of);

RewriteValue rule_number(int64_t number);
RewriteValue rule_truth(bool value);
RewriteValue rule_list(std::vector<int64_t> numbers);

}  // namespace cryo
