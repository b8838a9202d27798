#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/tflite/tflite_file.h"
#include "graph/rewrite/rewrite.h"

namespace cryo {

// The range that a quantized tensor can represent, as an op for rules.
constexpr std::string_view kRangeRules = R"(
RANGE_OF_TENSOR(x) if keeps_quantization:
  FakeQuantWithMinMaxVars(x, low, high) {num_bits, narrow_range=false}

RANGE_OF_TENSOR(x) if is_relu6:
  Relu6(x)

RANGE_OF_TENSOR(x) if low == 0.0:
  Minimum(Relu(x), high)

RANGE_OF_TENSOR(x):
  Maximum(Minimum(x, high), low)
)";

class RangeSource final : public RewriteSource {
 public:
  // REQUIRES: has_range(tensor); the tensor outlives it.
  RangeSource(const TfliteTensor& tensor, std::string input, bool keeps_quantization);
  std::string_view op() const override { return "RANGE_OF_TENSOR"; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  std::optional<RewriteValue> value(std::string_view name) const override;

 private:
  std::vector<std::string> inputs_;
  bool keeps_quantization_;
  int64_t bits_;
  float low_;
  float high_;
  float step_;
};

// Returns true if a tensor is quantized as a whole.
bool has_range(const TfliteTensor& tensor);

}  // namespace cryo
