#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_file.h"
#include "graph/rewrite/rewrite.h"

namespace cryo {

// An operator of a file as what rules rewrite. Its values are listed in tflite_rules.h.
//
// A depthwise convolution with dilations, or with unequal strides, is one without of a padded
// input, of which elements are skipped. Its paddings and crops, of height and width:
//
//     paddings   those of SAME; after it as many as make the size a multiple of the dilation
//     crops      0, and those
class TfliteSource final : public RewriteSource {
 public:
  // `inputs`: the names of its input tensors. REQUIRES: graph and operator outlive it.
  TfliteSource(const TfliteSubgraph& graph, const TfliteOperator& of,
               std::vector<std::string> inputs)
      : graph_(graph), operator_(of), inputs_(std::move(inputs)) {}
  std::string_view op() const override { return operator_.name; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  std::optional<RewriteValue> value(std::string_view name) const override;

 private:
  const TfliteTensor* tensor(const std::vector<int32_t>& of, size_t place) const;
  std::optional<RewriteValue> type_or_size(std::string_view name) const;
  std::optional<RewriteValue> computed(std::string_view name) const;
  int64_t option(std::string_view name) const;
  bool has_plain_strides() const;
  RewriteValue padded_sizes(bool crops) const;

  const TfliteSubgraph& graph_;
  const TfliteOperator& operator_;
  std::vector<std::string> inputs_;
};

}  // namespace cryo
