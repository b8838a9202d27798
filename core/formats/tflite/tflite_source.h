#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_facts.h"
#include "graph/rewrite/rewrite.h"

namespace cryo {

// An operator of a file as what rules rewrite. Its values are listed in tflite_rules.h.
class TfliteSource final : public RewriteSource {
 public:
  // `inputs`: the names of its input tensors. REQUIRES: what the call refers to outlives it.
  TfliteSource(const TfliteCall& call, std::vector<std::string> inputs)
      : call_(call), inputs_(std::move(inputs)) {}
  std::string_view op() const override { return call_.of.name; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  std::optional<RewriteValue> value(std::string_view name) const override;

 private:
  std::optional<RewriteValue> type_or_size(std::string_view name) const;

  TfliteCall call_;
  std::vector<std::string> inputs_;
};

}  // namespace cryo
